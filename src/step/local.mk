libcore_la_SOURCES += %D%/step.c %D%/motion.c %D%/static.c %D%/solve.c %D%/contacts.c %D%/internal.h \
  %D%/check.c
prc_headers += %D%/step.h
