libcore_la_SOURCES += %D%/problem.c %D%/measure.c %D%/solver.c %D%/local.c %D%/local_2d.h %D%/gauss_seidel.c %D%/newton.c %D%/newton_system.c %D%/equations.c %D%/newton.h %D%/whole.c %D%/newton_whole.c %D%/newton_whole.h %D%/active_set.c %D%/lemke.c %D%/lemke_point.c %D%/lemke_piece.c %D%/lemke.h %D%/auto.c %D%/internal.h
prc_headers += %D%/cone.h
libcore_la_SOURCES += %D%/fclib.c %D%/fclib_read.c %D%/fclib_apart.c %D%/fclib_write.c %D%/global.c %D%/rank.c %D%/explore.c %D%/fclib_internal.h
prc_headers += %D%/fclib.h
libcore_la_SOURCES += %D%/splitting.c %D%/splitting.h %D%/extragradient.c %D%/projected_gradient.c %D%/admm.c %D%/interior_point.c
