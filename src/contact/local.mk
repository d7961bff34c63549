libcore_la_SOURCES += %D%/plane.c %D%/surface.c %D%/carried.c %D%/grid.c %D%/sets.c %D%/outline.c %D%/mortar.c %D%/mortar_points.c %D%/mortar_corners.c %D%/mortar_internal.h %D%/mortar_chain.c %D%/sides.c
prc_headers += %D%/contact.h %D%/grid.h %D%/sets.h %D%/outline.h %D%/mortar.h %D%/sides.h
