libcore_la_SOURCES += %D%/apart.c %D%/background.c %D%/error.c %D%/memory.c %D%/numbers.c
prc_headers += %D%/base.h
