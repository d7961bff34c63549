libcore_la_SOURCES += %D%/vtk.cxx %D%/pvd.c %D%/csv.c %D%/json.c %D%/store.c %D%/file.c %D%/internal.h
prc_headers += %D%/output.h
