libcore_la_SOURCES += %D%/area.c %D%/groups.c %D%/cells.c %D%/record.c
prc_headers += %D%/measure.h
