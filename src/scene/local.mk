libcore_la_SOURCES += %D%/scene.c %D%/kinds.c %D%/mesh_body.c %D%/rigid_body.c %D%/matrices.c %D%/motions.c %D%/view.c %D%/mesh_view.c %D%/mesh_fields.c %D%/rigid_view.c %D%/spatial_body.c %D%/spatial_view.c %D%/spatial_fields.c %D%/spread.c %D%/spread.h %D%/beam_body.c %D%/beam_view.c %D%/linked.c %D%/contacts.c %D%/joints.c %D%/nonlinear.c %D%/internal.h
prc_headers += %D%/scene.h %D%/view.h
