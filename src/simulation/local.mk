libcore_la_SOURCES += %D%/simulation.c %D%/setup.c %D%/strains.c %D%/names.c %D%/overlaps.c %D%/faults.c %D%/internal.h
prc_headers += %D%/simulation.h
