libcore_la_SOURCES += %D%/apart.c %D%/seal.c %D%/seal.h %D%/background.c %D%/error.c %D%/file.c %D%/hdf5.c %D%/hdf5.h %D%/memory.c %D%/numbers.c
prc_headers += %D%/base.h
