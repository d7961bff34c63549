libcore_la_SOURCES += %D%/measure.c %D%/solver.c %D%/gauss_seidel.c %D%/active_set.c %D%/auto.c %D%/internal.h
prc_headers += %D%/cone.h
