libcore_la_SOURCES += %D%/forces.c %D%/program.c %D%/sample.c %D%/step.c %D%/internal.h
prc_headers += %D%/explore.h
