libcore_la_SOURCES += %D%/solid.c %D%/hull.c %D%/faces.c %D%/mass.c %D%/internal.h \
  %D%/meet.c %D%/cores.c %D%/spheres.c %D%/capsules.c %D%/cores.h \
  %D%/polyhedra.c %D%/separation.c %D%/manifold.c %D%/features.c %D%/polyhedra.h
libcore_la_SOURCES += %D%/surface.c %D%/closed.c %D%/stl.c %D%/gmsh_surface.c %D%/surface.h
prc_headers += %D%/solid.h
