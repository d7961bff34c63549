libcore_la_SOURCES += %D%/read.c %D%/inspect.c %D%/carry.c %D%/mesh.c %D%/internal.h
prc_headers += %D%/mesh.h
