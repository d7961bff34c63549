libcore_la_SOURCES += %D%/shape.c %D%/touch.c %D%/meet.c %D%/hulls.c %D%/covers.c %D%/internal.h
prc_headers += %D%/shape.h
