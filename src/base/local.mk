libcore_la_SOURCES += %D%/subprocess.c %D%/background.c %D%/error.c %D%/fields.c %D%/file.c %D%/folder.c %D%/hdf5.c %D%/hdf5.h %D%/order.h %D%/memory.c %D%/numbers.c %D%/window.c %D%/ranks.c %D%/text.c \
  %D%/gmsh.c %D%/gmsh.h %D%/sandbox.c %D%/sandbox.h
prc_headers += %D%/base.h %D%/fields.h %D%/ranks.h
# the processes of one run, by PETSc and MPI or none
if HAVE_PETSC
libcore_la_SOURCES += %D%/ranks_mpi.c
else
libcore_la_SOURCES += %D%/ranks_none.c
endif
