libcore_la_SOURCES += %D%/check.c %D%/check_at.c %D%/check_rows.c %D%/probe.h %D%/contact_frame.c %D%/contact_set.c
prc_headers += %D%/system.h
