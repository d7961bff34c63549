libcore_la_SOURCES += %D%/polygon.c %D%/body.c
prc_headers += %D%/rigid.h
