libcore_la_SOURCES += %D%/read.c %D%/arrays.c %D%/gmsh.c %D%/gmsh_estimate.c %D%/gmsh_groups.c %D%/msh.c %D%/msh_numbers.c %D%/msh2.c %D%/msh4.c %D%/msh.h %D%/transfer.c %D%/mesh.c %D%/nodes.c %D%/duplicates.c %D%/cells.c %D%/sides.c %D%/groups.c %D%/join.c %D%/split.c %D%/locate.c %D%/carry.c %D%/geo_files.c %D%/deal.c %D%/deal.h %D%/part.c %D%/parcel.c %D%/partition.c %D%/internal.h
libcore_la_SOURCES += %D%/element.c %D%/quadrature.c %D%/t3.c %D%/t6.c %D%/q4.c %D%/q8.c %D%/q9.c %D%/elements.h
prc_headers += %D%/mesh.h %D%/element.h
