libcore_la_SOURCES += %D%/check.c %D%/check_at.c %D%/check_rows.c %D%/strains.c %D%/probe.h %D%/contact_frame.c %D%/contact_set.c %D%/contact_away.c %D%/wholes.c %D%/wholes.h %D%/internal.h
prc_headers += %D%/system.h
