libcore_la_SOURCES += %D%/ledger.c %D%/certificate.c %D%/indicators.c %D%/internal.h
prc_headers += %D%/ledger.h
