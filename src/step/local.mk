libcore_la_SOURCES += %D%/step.c %D%/check.c %D%/static.c %D%/solve.c %D%/contacts.c %D%/internal.h
prc_headers += %D%/step.h
