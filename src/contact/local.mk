libcore_la_SOURCES += %D%/plane.c %D%/surface.c %D%/grid.c %D%/sets.c
prc_headers += %D%/contact.h %D%/grid.h %D%/sets.h
