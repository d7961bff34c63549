# programs that use the library, for its users to read; the tests build and run them
exampledir = $(docdir)/examples
dist_example_DATA = %D%/bounce.c %D%/chain.c %D%/own_law.c %D%/own_mesh.c %D%/slurm.sh
