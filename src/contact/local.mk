libcore_la_SOURCES += %D%/plane.c
prc_headers += %D%/contact.h
