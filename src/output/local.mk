libcore_la_SOURCES += %D%/writers.c %D%/writer.h %D%/fields.c %D%/xml.c %D%/xml_internal.h %D%/pvd.c %D%/csv.c %D%/json.c %D%/store.c %D%/store_read.c %D%/store_internal.h %D%/file.c %D%/internal.h
prc_headers += %D%/output.h
