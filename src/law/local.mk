libcore_la_SOURCES += %D%/laws.c %D%/coulomb.c
prc_headers += %D%/law.h %D%/laws.h
