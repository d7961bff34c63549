libcore_la_SOURCES += %D%/sym.c %D%/order.c %D%/dissect.c %D%/panels.c %D%/factor.c %D%/supernodes.c %D%/tail.c %D%/iteration.c %D%/substitution.c %D%/forest.c %D%/dense.c %D%/lu.c %D%/umfpack.c %D%/block_lu.c %D%/internal.h \
  %D%/operators.c %D%/rows.c %D%/frame.c %D%/condense.c %D%/inverse.c %D%/product.c %D%/operator_factor.c %D%/operator_gradients.c %D%/operator_diagonal.c %D%/schur.c %D%/schur.h %D%/joined.c %D%/joined_condense.c %D%/joined.h %D%/row.h
if HAVE_PETSC
libcore_la_SOURCES += %D%/petsc.c %D%/petsc_matrix.c %D%/near.c %D%/near_groups.c %D%/near_tail.c %D%/petsc.h
endif
prc_headers += %D%/linear.h %D%/operator.h
