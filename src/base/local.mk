libcore_la_SOURCES += %D%/subprocess.c %D%/background.c %D%/error.c %D%/fields.c %D%/file.c %D%/folder.c %D%/hdf5.c %D%/hdf5.h %D%/order.h %D%/memory.c %D%/numbers.c %D%/text.c \
  %D%/sandbox.c %D%/sandbox.h
prc_headers += %D%/base.h %D%/fields.h
