libcore_la_SOURCES += %D%/plane.c %D%/surface.c
prc_headers += %D%/contact.h
