libcore_la_SOURCES += %D%/check.c %D%/contact_frame.c %D%/contact_set.c
prc_headers += %D%/system.h
