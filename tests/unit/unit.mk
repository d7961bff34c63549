# The unit tests: one program for each module, check_MODULE; its main.c lists the suites, each a file of the folder MODULE.
# A new suite: its file among the SOURCES below, its name in main.c.
unit_tests = %D%/check_base %D%/check_linear %D%/check_cone %D%/check_system %D%/check_step %D%/check_mesh %D%/check_shape %D%/check_solid %D%/check_contact \
  %D%/check_fem %D%/check_rigid %D%/check_spatial %D%/check_beam %D%/check_scene %D%/check_output %D%/check_case %D%/check_memory %D%/check_calls
unit_programs = $(unit_tests:=$(EXEEXT))
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
# programs that refuse memory: each call of malloc and its like passes through tests/support/allocator.c
allocator = tests/support/allocator.c tests/support/allocator.h
allocator_ldflags = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_base_SOURCES = %D%/base/main.c %D%/base/base.c %D%/base/ranks.c %D%/base/launchers.c
tests_unit_check_base_CPPFLAGS = $(test_cppflags)
tests_unit_check_base_LDADD = $(test_libs)

tests_unit_check_linear_SOURCES = %D%/linear/main.c %D%/linear/linear.c %D%/linear/large.c %D%/linear/lu.c %D%/linear/inverse.c \
  %D%/linear/operator.c %D%/linear/joined.c $(allocator)
tests_unit_check_linear_CPPFLAGS = $(test_cppflags)
tests_unit_check_linear_LDADD = $(whole_libs) -lsuitesparseconfig
tests_unit_check_linear_LDFLAGS = $(allocator_ldflags)

tests_unit_check_cone_SOURCES = %D%/cone/main.c %D%/cone/cone.c %D%/cone/cone_solvers.c %D%/cone/cone_family.c %D%/cone/cone_sizes.c \
  %D%/cone/cone_friction.c %D%/cone/cone_dims.c %D%/cone/cone_speed.c %D%/cone/cone_speeds.c %D%/cone/cone_room.c %D%/cone/cone_draws.c %D%/cone/cone_storages.c \
  %D%/cone/fclib.c %D%/cone/piles.c %D%/cone/runs.c
tests_unit_check_cone_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_LDADD = $(test_libs)

tests_unit_check_system_SOURCES = %D%/system/main.c %D%/system/system.c %D%/system/law.c %D%/system/ledger.c %D%/system/explore.c
tests_unit_check_system_CPPFLAGS = $(test_cppflags)
tests_unit_check_system_LDADD = $(test_libs)

tests_unit_check_step_SOURCES = %D%/step/main.c %D%/step/step.c %D%/step/stepper.c %D%/step/pace.c %D%/step/schemes.c %D%/step/motion.c \
  %D%/step/wrong.c $(allocator)
tests_unit_check_step_CPPFLAGS = $(test_cppflags)
tests_unit_check_step_LDADD = $(whole_libs)
tests_unit_check_step_LDFLAGS = $(allocator_ldflags)

tests_unit_check_mesh_SOURCES = %D%/mesh/main.c %D%/mesh/mesh.c %D%/mesh/element.c %D%/mesh/raw_mesh.c %D%/mesh/locate.c %D%/mesh/msh.c \
  %D%/mesh/mesh_split.c %D%/mesh/deal.c $(allocator)
tests_unit_check_mesh_CPPFLAGS = $(test_cppflags)
tests_unit_check_mesh_LDADD = $(whole_libs)
tests_unit_check_mesh_LDFLAGS = $(allocator_ldflags)

tests_unit_check_shape_SOURCES = %D%/shape/main.c %D%/shape/shape.c %D%/shape/shape_random.c %D%/shape/grid.c $(allocator)
tests_unit_check_shape_CPPFLAGS = $(test_cppflags)
tests_unit_check_shape_LDADD = $(whole_libs)
tests_unit_check_shape_LDFLAGS = $(allocator_ldflags)

tests_unit_check_solid_SOURCES = %D%/solid/main.c %D%/solid/solid.c %D%/solid/solid_round.c %D%/solid/solid_surface.c %D%/solid/polyhedra.c \
  %D%/solid/polyhedra_points.c $(allocator)
tests_unit_check_solid_CPPFLAGS = $(test_cppflags)
tests_unit_check_solid_LDADD = $(whole_libs)
tests_unit_check_solid_LDFLAGS = $(allocator_ldflags)

tests_unit_check_contact_SOURCES = %D%/contact/main.c %D%/contact/contact.c %D%/contact/mortar.c %D%/contact/sides.c %D%/contact/contact_set.c $(allocator)
tests_unit_check_contact_CPPFLAGS = $(test_cppflags)
tests_unit_check_contact_LDADD = $(whole_libs)
tests_unit_check_contact_LDFLAGS = $(allocator_ldflags)

tests_unit_check_fem_SOURCES = %D%/fem/main.c %D%/fem/fem.c %D%/fem/triangle.c %D%/fem/boundary.c %D%/fem/deal_fem.c
tests_unit_check_fem_CPPFLAGS = $(test_cppflags)
tests_unit_check_fem_LDADD = $(test_libs)

tests_unit_check_rigid_SOURCES = %D%/rigid/main.c %D%/rigid/rigid.c %D%/rigid/joints.c
tests_unit_check_rigid_CPPFLAGS = $(test_cppflags)
tests_unit_check_rigid_LDADD = $(test_libs)

tests_unit_check_spatial_SOURCES = %D%/spatial/main.c %D%/spatial/spatial.c %D%/spatial/outline.c %D%/spatial/joints_space.c
tests_unit_check_spatial_CPPFLAGS = $(test_cppflags)
tests_unit_check_spatial_LDADD = $(test_libs)

tests_unit_check_beam_SOURCES = %D%/beam/main.c %D%/beam/beam.c %D%/beam/hopper.c
tests_unit_check_beam_CPPFLAGS = $(test_cppflags)
tests_unit_check_beam_LDADD = $(test_libs)

tests_unit_check_scene_SOURCES = %D%/scene/main.c %D%/scene/scene.c %D%/scene/measure.c
tests_unit_check_scene_CPPFLAGS = $(test_cppflags)
tests_unit_check_scene_LDADD = $(test_libs)

tests_unit_check_output_SOURCES = %D%/output/main.c %D%/output/output.c %D%/output/fields.c %D%/output/store.c %D%/output/module.c
tests_unit_check_output_CPPFLAGS = $(test_cppflags)
tests_unit_check_output_LDADD = $(test_libs)

tests_unit_check_case_SOURCES = %D%/case/main.c %D%/case/case.c %D%/case/case_many.c %D%/case/case_sets.c %D%/case/case_interfaces.c \
  %D%/case/derivatives.c %D%/case/history.c %D%/case/simulation.c
tests_unit_check_case_CPPFLAGS = $(test_cppflags)
tests_unit_check_case_LDADD = $(test_libs)

tests_unit_check_memory_SOURCES = %D%/memory/main.c %D%/memory/memory.c %D%/memory/room.c $(allocator)
tests_unit_check_memory_CPPFLAGS = $(test_cppflags)
tests_unit_check_memory_LDADD = $(whole_libs)
tests_unit_check_memory_LDFLAGS = $(allocator_ldflags)

tests_unit_check_calls_SOURCES = %D%/calls/main.c %D%/calls/calls.c tests/support/calls.c tests/support/calls.h
tests_unit_check_calls_CPPFLAGS = $(test_cppflags)
tests_unit_check_calls_LDADD = $(whole_libs) $(GMSH_LIBS) $(FYAML_LIBS) $(MUPARSER_LIBS) $(HDF5_LIBS)
tests_unit_check_calls_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pipe,--wrap=fork,--wrap=waitpid,--wrap=read,--wrap=pread,--wrap=fstat,--wrap=stat \
  -Wl,--wrap=ftruncate,--wrap=pthread_create,--wrap=fread \
  -Wl,--wrap=fy_parser_create,--wrap=fy_diag_create,--wrap=fy_diag_errors_iterate,--wrap=mupCreate,--wrap=mupError \
  -Wl,--wrap=H5Fcreate,--wrap=H5Fflush,--wrap=H5Fget_file_image,--wrap=H5Gcreate2,--wrap=H5Dcreate2,--wrap=H5Dopen2 \
  -Wl,--wrap=H5Dread,--wrap=H5Dwrite,--wrap=H5Dclose,--wrap=H5Literate \
  -Wl,--wrap=gmshInitialize,--wrap=gmshOpen,--wrap=gmshModelMeshGenerate,--wrap=gmshModelMeshGetNodes \
  -Wl,--wrap=gmshModelMeshGetElements,--wrap=gmshModelGetEntities,--wrap=gmshModelGetPhysicalGroups \
  -Wl,--wrap=gmshModelGetEntitiesForPhysicalGroup
