libcore_la_SOURCES += %D%/materials.c %D%/isotropic.c %D%/triangle.c %D%/cell.c %D%/assemble.c %D%/loads.c %D%/body.c %D%/supports.c %D%/contacts.c %D%/interfaces.c %D%/interface_checks.c %D%/fields.c %D%/equilibrium.c %D%/free_bodies.c %D%/errors.c %D%/mass.c %D%/damping.c %D%/compare.c %D%/internal.h
prc_headers += %D%/fem.h %D%/materials.h
