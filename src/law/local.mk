libcore_la_SOURCES += %D%/laws.c %D%/coulomb.c %D%/two_values.c %D%/slip_weakening.c \
  %D%/rate_and_state.c %D%/velocity_weakening.c
prc_headers += %D%/law.h %D%/laws.h
