libcore_la_SOURCES += %D%/ledger.c %D%/certificate.c %D%/internal.h
prc_headers += %D%/ledger.h
