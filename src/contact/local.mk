libcore_la_SOURCES += %D%/plane.c %D%/surface.c %D%/grid.c
prc_headers += %D%/contact.h %D%/grid.h
