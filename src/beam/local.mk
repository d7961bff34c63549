libcore_la_SOURCES += %D%/basis.c %D%/beam.c %D%/strain.c %D%/loads.c %D%/contacts.c %D%/internal.h
prc_headers += %D%/beam.h
