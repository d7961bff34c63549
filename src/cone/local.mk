# four rooms: the problem and its measure, what W is stored as, the solvers, the files
libcore_la_SOURCES += \
  %D%/problem/problem.h %D%/problem/problem.c %D%/problem/product.c %D%/problem/matrix.c %D%/problem/measure.c \
  %D%/problem/spectrum.c %D%/problem/speed.h %D%/problem/speed.c %D%/problem/local.h %D%/problem/local.c
libcore_la_SOURCES += \
  %D%/operators/operators.h %D%/operators/internal.h %D%/operators/table.c \
  %D%/operators/dense.c %D%/operators/blocks.c %D%/operators/runs.c %D%/operators/runs_system.c \
  %D%/operators/whole.c %D%/operators/whole_system.c %D%/operators/sweep_rows.c %D%/operators/formed.c \
  %D%/operators/check.c
libcore_la_SOURCES += \
  %D%/solvers/method.h %D%/solvers/methods.h %D%/solvers/methods.c %D%/solvers/solver.c %D%/solvers/random.c %D%/solvers/explore.c \
  %D%/solvers/auto.c \
  %D%/solvers/gauss_seidel.c %D%/solvers/islands.c %D%/solvers/islands.h %D%/solvers/active_set.c \
  %D%/solvers/newton.h %D%/solvers/newton.c %D%/solvers/newton_system.c %D%/solvers/newton_equations.c \
  %D%/solvers/interior_point.c \
  %D%/solvers/lemke.h %D%/solvers/lemke.c %D%/solvers/lemke_piece.c %D%/solvers/lemke_point.c \
  %D%/solvers/splitting.h %D%/solvers/splitting.c %D%/solvers/admm.c %D%/solvers/extragradient.c \
  %D%/solvers/projected_gradient.c
libcore_la_SOURCES += \
  %D%/fclib/internal.h %D%/fclib/matrix.c %D%/fclib/condense.c %D%/fclib/read.c %D%/fclib/apart.c \
  %D%/fclib/write.c
prc_headers += %D%/cone.h %D%/operator.h %D%/fclib.h
