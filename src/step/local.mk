libcore_la_SOURCES += %D%/step.c %D%/motion.c %D%/static.c %D%/solve.c %D%/contacts.c %D%/judge.c %D%/check.c \
  %D%/internal.h
prc_headers += %D%/step.h
