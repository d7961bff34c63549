libcore_la_SOURCES += %D%/read.c %D%/mesh.c %D%/internal.h
prc_headers += %D%/mesh.h
