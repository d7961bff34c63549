# Tests speak TAP, so that automake counts single tests. They write below the build folder only.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
  OPENBLAS_NUM_THREADS=1; export OPENBLAS_NUM_THREADS; OMP_NUM_THREADS=1; export OMP_NUM_THREADS; \
  PRC_SOURCE='$(abs_top_srcdir)'; export PRC_SOURCE; PRC_BUILD='$(abs_top_builddir)'; export PRC_BUILD; \
  PERCUSS_DATADIR='$(abs_top_srcdir)/postprocess'; export PERCUSS_DATADIR; \
  PERCUSS_LIBDIR='$(abs_top_builddir)'; export PERCUSS_LIBDIR; \
  LC_ALL=C; export LC_ALL; CK_TIMEOUT_MULTIPLIER=30; export CK_TIMEOUT_MULTIPLIER; $(SANITIZED_TESTS)
if SANITIZERS
SANITIZED_TESTS = CK_FORK=no; export CK_FORK; PRC_SANITIZED=1; export PRC_SANITIZED; PRC_SHORT=1; export PRC_SHORT;
endif

test_cppflags = $(AM_CPPFLAGS) $(CHECK_CFLAGS) -I$(top_srcdir)/tests
# Tests link the shared library, which exports all of ours, internals too; those that wrap what it calls need its objects.
test_libs = tests/libsupport.la libpercuss.la $(libcore_la_LIBADD) $(CHECK_LIBS)
whole_libs = tests/libsupport.la libcore.la $(CHECK_LIBS)

if HAVE_CHECK
check_LTLIBRARIES = tests/libsupport.la
tests_libsupport_la_SOURCES = %D%/support/support.c %D%/support/support.h %D%/support/files.c %D%/support/files.h %D%/support/block.c %D%/support/block.h %D%/support/patches.c %D%/support/patches.h %D%/support/duet.c %D%/support/duet.h \
  %D%/support/plate.c %D%/support/plate.h %D%/support/path.c %D%/support/path.h %D%/support/forked_ranks.c %D%/support/forked_ranks.h %D%/support/rig.c %D%/support/rig.h %D%/support/halves.c %D%/support/halves.h %D%/support/body.c %D%/support/body.h \
  %D%/support/known_contact.c %D%/support/known_contact.h %D%/support/toy.c %D%/support/toy.h %D%/support/methods.h %D%/support/speed_laws.h \
  %D%/support/gmsh.c %D%/support/gmsh.h %D%/support/found.c %D%/support/found.h %D%/support/polyhedra.c %D%/support/polyhedra.h %D%/support/pile.c %D%/support/pile.h
tests_libsupport_la_CPPFLAGS = $(test_cppflags)

# loaded before libc by faults.test
check_DATA = tests/libfaults.so
tests/libfaults.so: %D%/support/faults.c
	$(AM_V_CCLD)$(MKDIR_P) tests && $(CC) $(PRC_CFLAGS) -O1 -shared -fPIC -o $@ $(srcdir)/tests/support/faults.c -ldl
EXTRA_DIST += %D%/support/faults.c
CLEANFILES += tests/libfaults.so

unit_tests = %D%/unit/check_base %D%/unit/check_linear %D%/unit/check_large %D%/unit/check_cone %D%/unit/check_cone_solvers %D%/unit/check_cone_family %D%/unit/check_cone_sizes %D%/unit/check_cone_friction %D%/unit/check_cone_dims %D%/unit/check_cone_speed %D%/unit/check_cone_room %D%/unit/check_cone_draws %D%/unit/check_fclib %D%/unit/check_contact %D%/unit/check_mortar %D%/unit/check_cone_speeds \
  %D%/unit/check_mesh %D%/unit/check_element %D%/unit/check_raw_mesh %D%/unit/check_locate %D%/unit/check_triangle %D%/unit/check_fem %D%/unit/check_boundary %D%/unit/check_step %D%/unit/check_stepper %D%/unit/check_ledger %D%/unit/check_output %D%/unit/check_fields %D%/unit/check_store %D%/unit/check_motion %D%/unit/check_grid %D%/unit/check_shape %D%/unit/check_shape_random %D%/unit/check_solid %D%/unit/check_solid_round %D%/unit/check_polyhedra %D%/unit/check_polyhedra_points %D%/unit/check_solid_surface %D%/unit/check_mesh_split \
  %D%/unit/check_case \
  %D%/unit/check_derivatives %D%/unit/check_history %D%/unit/check_case_many %D%/unit/check_case_sets %D%/unit/check_case_interfaces %D%/unit/check_wrong \
  %D%/unit/check_msh \
  %D%/unit/check_lu \
  %D%/unit/check_module \
  %D%/unit/check_piles \
  %D%/unit/check_measure %D%/unit/check_system %D%/unit/check_simulation %D%/unit/check_explore %D%/unit/check_joints %D%/unit/check_joints_space %D%/unit/check_beam %D%/unit/check_hopper %D%/unit/check_runs
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

tests_unit_check_base_SOURCES = %D%/unit/check_base.c
tests_unit_check_base_CPPFLAGS = $(test_cppflags)
tests_unit_check_base_LDADD = $(test_libs)

tests_unit_check_linear_SOURCES = %D%/unit/check_linear.c
tests_unit_check_linear_CPPFLAGS = $(test_cppflags)
tests_unit_check_linear_LDADD = $(test_libs)

tests_unit_check_measure_SOURCES = %D%/unit/check_measure.c
tests_unit_check_measure_CPPFLAGS = $(test_cppflags)
tests_unit_check_measure_LDADD = $(test_libs)

tests_unit_check_system_SOURCES = %D%/unit/check_system.c
tests_unit_check_system_CPPFLAGS = $(test_cppflags)
tests_unit_check_system_LDADD = $(test_libs)

tests_unit_check_simulation_SOURCES = %D%/unit/check_simulation.c
tests_unit_check_simulation_CPPFLAGS = $(test_cppflags)
tests_unit_check_simulation_LDADD = $(test_libs)

tests_unit_check_joints_space_SOURCES = %D%/unit/check_joints_space.c
tests_unit_check_joints_space_CPPFLAGS = $(test_cppflags)
tests_unit_check_joints_space_LDADD = $(test_libs)

tests_unit_check_joints_SOURCES = %D%/unit/check_joints.c
tests_unit_check_joints_CPPFLAGS = $(test_cppflags)
tests_unit_check_joints_LDADD = $(test_libs)

tests_unit_check_runs_SOURCES = %D%/unit/check_runs.c
tests_unit_check_runs_CPPFLAGS = $(test_cppflags)
tests_unit_check_runs_LDADD = $(test_libs)

tests_unit_check_hopper_SOURCES = %D%/unit/check_hopper.c
tests_unit_check_hopper_CPPFLAGS = $(test_cppflags)
tests_unit_check_hopper_LDADD = $(test_libs)

tests_unit_check_beam_SOURCES = %D%/unit/check_beam.c
tests_unit_check_beam_CPPFLAGS = $(test_cppflags)
tests_unit_check_beam_LDADD = $(test_libs)

tests_unit_check_lu_SOURCES = %D%/unit/check_lu.c
tests_unit_check_lu_CPPFLAGS = $(test_cppflags)
tests_unit_check_lu_LDADD = $(test_libs) -lsuitesparseconfig

tests_unit_check_explore_SOURCES = %D%/unit/check_explore.c
tests_unit_check_explore_CPPFLAGS = $(test_cppflags)
tests_unit_check_explore_LDADD = $(test_libs)

tests_unit_check_large_SOURCES = %D%/unit/check_large.c
tests_unit_check_large_CPPFLAGS = $(test_cppflags)
tests_unit_check_large_LDADD = $(test_libs) -lsuitesparseconfig

tests_unit_check_cone_SOURCES = %D%/unit/check_cone.c
tests_unit_check_cone_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_LDADD = $(test_libs)

tests_unit_check_cone_solvers_SOURCES = %D%/unit/check_cone_solvers.c
tests_unit_check_cone_solvers_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_solvers_LDADD = $(test_libs)

tests_unit_check_cone_family_SOURCES = %D%/unit/check_cone_family.c
tests_unit_check_cone_family_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_family_LDADD = $(test_libs)

tests_unit_check_cone_sizes_SOURCES = %D%/unit/check_cone_sizes.c
tests_unit_check_cone_sizes_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_sizes_LDADD = $(test_libs)

tests_unit_check_cone_dims_SOURCES = %D%/unit/check_cone_dims.c
tests_unit_check_cone_dims_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_dims_LDADD = $(test_libs)

tests_unit_check_cone_speed_SOURCES = %D%/unit/check_cone_speed.c
tests_unit_check_cone_speed_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_speed_LDADD = $(test_libs)

tests_unit_check_cone_speeds_SOURCES = %D%/unit/check_cone_speeds.c
tests_unit_check_cone_speeds_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_speeds_LDADD = $(test_libs)

tests_unit_check_cone_room_SOURCES = %D%/unit/check_cone_room.c
tests_unit_check_cone_room_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_room_LDADD = $(test_libs)

tests_unit_check_cone_draws_SOURCES = %D%/unit/check_cone_draws.c
tests_unit_check_cone_draws_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_draws_LDADD = $(test_libs)

tests_unit_check_piles_SOURCES = %D%/unit/check_piles.c
tests_unit_check_piles_CPPFLAGS = $(test_cppflags)
tests_unit_check_piles_LDADD = $(test_libs)

tests_unit_check_cone_friction_SOURCES = %D%/unit/check_cone_friction.c
tests_unit_check_cone_friction_CPPFLAGS = $(test_cppflags)
tests_unit_check_cone_friction_LDADD = $(test_libs)

tests_unit_check_fclib_SOURCES = %D%/unit/check_fclib.c
tests_unit_check_fclib_CPPFLAGS = $(test_cppflags)
tests_unit_check_fclib_LDADD = $(test_libs)

tests_unit_check_mortar_SOURCES = %D%/unit/check_mortar.c
tests_unit_check_mortar_CPPFLAGS = $(test_cppflags)
tests_unit_check_mortar_LDADD = $(test_libs)

tests_unit_check_contact_SOURCES = %D%/unit/check_contact.c
tests_unit_check_contact_CPPFLAGS = $(test_cppflags)
tests_unit_check_contact_LDADD = $(test_libs)

tests_unit_check_grid_SOURCES = %D%/unit/check_grid.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_grid_CPPFLAGS = $(test_cppflags)
tests_unit_check_grid_LDADD = $(whole_libs)
tests_unit_check_grid_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_shape_SOURCES = %D%/unit/check_shape.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_shape_CPPFLAGS = $(test_cppflags)
tests_unit_check_shape_LDADD = $(whole_libs)
tests_unit_check_shape_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_polyhedra_points_SOURCES = %D%/unit/check_polyhedra_points.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_polyhedra_points_CPPFLAGS = $(test_cppflags)
tests_unit_check_polyhedra_points_LDADD = $(whole_libs)
tests_unit_check_polyhedra_points_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_polyhedra_SOURCES = %D%/unit/check_polyhedra.c
tests_unit_check_polyhedra_CPPFLAGS = $(test_cppflags)
tests_unit_check_polyhedra_LDADD = $(test_libs)

tests_unit_check_shape_random_SOURCES = %D%/unit/check_shape_random.c
tests_unit_check_shape_random_CPPFLAGS = $(test_cppflags)
tests_unit_check_shape_random_LDADD = $(test_libs)

tests_unit_check_solid_round_SOURCES = %D%/unit/check_solid_round.c
tests_unit_check_solid_round_CPPFLAGS = $(test_cppflags)
tests_unit_check_solid_round_LDADD = $(test_libs)

tests_unit_check_solid_surface_SOURCES = %D%/unit/check_solid_surface.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_solid_surface_CPPFLAGS = $(test_cppflags)
tests_unit_check_solid_surface_LDADD = $(whole_libs)
tests_unit_check_solid_surface_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_solid_SOURCES = %D%/unit/check_solid.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_solid_CPPFLAGS = $(test_cppflags)
tests_unit_check_solid_LDADD = $(whole_libs)
tests_unit_check_solid_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_locate_SOURCES = %D%/unit/check_locate.c
tests_unit_check_locate_CPPFLAGS = $(test_cppflags)
tests_unit_check_locate_LDADD = $(test_libs)

tests_unit_check_triangle_SOURCES = %D%/unit/check_triangle.c
tests_unit_check_triangle_CPPFLAGS = $(test_cppflags)
tests_unit_check_triangle_LDADD = $(test_libs)

tests_unit_check_boundary_SOURCES = %D%/unit/check_boundary.c
tests_unit_check_boundary_CPPFLAGS = $(test_cppflags)
tests_unit_check_boundary_LDADD = $(test_libs)

tests_unit_check_mesh_SOURCES = %D%/unit/check_mesh.c
tests_unit_check_mesh_CPPFLAGS = $(test_cppflags)
tests_unit_check_mesh_LDADD = $(test_libs)

tests_unit_check_mesh_split_SOURCES = %D%/unit/check_mesh_split.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_mesh_split_CPPFLAGS = $(test_cppflags)
tests_unit_check_mesh_split_LDADD = $(whole_libs)
tests_unit_check_mesh_split_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_raw_mesh_SOURCES = %D%/unit/check_raw_mesh.c
tests_unit_check_raw_mesh_CPPFLAGS = $(test_cppflags)
tests_unit_check_raw_mesh_LDADD = $(test_libs)

tests_unit_check_msh_SOURCES = %D%/unit/check_msh.c
tests_unit_check_msh_CPPFLAGS = $(test_cppflags)
tests_unit_check_msh_LDADD = $(test_libs)

tests_unit_check_element_SOURCES = %D%/unit/check_element.c
tests_unit_check_element_CPPFLAGS = $(test_cppflags)
tests_unit_check_element_LDADD = $(test_libs)

tests_unit_check_fem_SOURCES = %D%/unit/check_fem.c
tests_unit_check_fem_CPPFLAGS = $(test_cppflags)
tests_unit_check_fem_LDADD = $(test_libs)

tests_unit_check_step_SOURCES = %D%/unit/check_step.c
tests_unit_check_step_CPPFLAGS = $(test_cppflags)
tests_unit_check_step_LDADD = $(test_libs)

check_PROGRAMS += %D%/unit/check_pace
TESTS += %D%/unit/check_pace
tests_unit_check_pace_SOURCES = %D%/unit/check_pace.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_pace_CPPFLAGS = $(test_cppflags)
tests_unit_check_pace_LDADD = $(whole_libs)
tests_unit_check_pace_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_unit_check_stepper_SOURCES = %D%/unit/check_stepper.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_stepper_CPPFLAGS = $(test_cppflags)
tests_unit_check_stepper_LDADD = $(whole_libs)
tests_unit_check_stepper_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_operator
TESTS += %D%/unit/check_operator
tests_unit_check_operator_SOURCES = %D%/unit/check_operator.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_operator_CPPFLAGS = $(test_cppflags)
tests_unit_check_operator_LDADD = $(whole_libs)
tests_unit_check_operator_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_joined
TESTS += %D%/unit/check_joined
tests_unit_check_joined_SOURCES = %D%/unit/check_joined.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_joined_CPPFLAGS = $(test_cppflags)
tests_unit_check_joined_LDADD = $(whole_libs)
tests_unit_check_joined_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_inverse
TESTS += %D%/unit/check_inverse
tests_unit_check_inverse_SOURCES = %D%/unit/check_inverse.c
tests_unit_check_inverse_CPPFLAGS = $(test_cppflags)
tests_unit_check_inverse_LDADD = $(test_libs)

check_PROGRAMS += %D%/unit/check_room
TESTS += %D%/unit/check_room
tests_unit_check_room_SOURCES = %D%/unit/check_room.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_room_CPPFLAGS = $(test_cppflags)
tests_unit_check_room_LDADD = $(whole_libs)
tests_unit_check_room_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_memory
TESTS += %D%/unit/check_memory
tests_unit_check_memory_SOURCES = %D%/unit/check_memory.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_memory_CPPFLAGS = $(test_cppflags)
tests_unit_check_memory_LDADD = $(whole_libs)
tests_unit_check_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_schemes
TESTS += %D%/unit/check_schemes
tests_unit_check_schemes_SOURCES = %D%/unit/check_schemes.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_schemes_CPPFLAGS = $(test_cppflags)
tests_unit_check_schemes_LDADD = $(whole_libs)
tests_unit_check_schemes_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_calls
TESTS += %D%/unit/check_calls
tests_unit_check_calls_SOURCES = %D%/unit/check_calls.c %D%/support/calls.c %D%/support/calls.h
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

tests_unit_check_motion_SOURCES = %D%/unit/check_motion.c
tests_unit_check_motion_CPPFLAGS = $(test_cppflags)
tests_unit_check_motion_LDADD = $(test_libs)

tests_unit_check_ledger_SOURCES = %D%/unit/check_ledger.c
tests_unit_check_ledger_CPPFLAGS = $(test_cppflags)
tests_unit_check_ledger_LDADD = $(test_libs)

tests_unit_check_output_SOURCES = %D%/unit/check_output.c
tests_unit_check_output_CPPFLAGS = $(test_cppflags)
tests_unit_check_output_LDADD = $(test_libs)

tests_unit_check_fields_SOURCES = %D%/unit/check_fields.c
tests_unit_check_fields_CPPFLAGS = $(test_cppflags)
tests_unit_check_fields_LDADD = $(test_libs)

tests_unit_check_module_SOURCES = %D%/unit/check_module.c
tests_unit_check_module_CPPFLAGS = $(test_cppflags)
tests_unit_check_module_LDADD = $(test_libs)

# modules in the place of percuss-vtk.so, for check_module
EXTRA_DIST += %D%/support/module.c
if VTK
check_DATA += tests/modules/failing/percuss-vtk.so
tests/modules/failing/percuss-vtk.so: %D%/support/module.c src/output/vtk.h
	$(AM_V_CCLD)for m in failing older empty; do $(MKDIR_P) tests/modules/$$m && \
	  case $$m in older) more='-DPRC_MODULE_VERSION="0.0.1"' ;; empty) more=-Dpercuss_vtk=percuss_nothing ;; *) more= ;; esac && \
	  $(CC) $(DEFS) -I. -I$(top_srcdir)/src $(PRC_CFLAGS) -O1 $$more -shared -fPIC -o tests/modules/$$m/percuss-vtk.so \
	    $(srcdir)/tests/support/module.c || exit 1; done
endif

tests_unit_check_store_SOURCES = %D%/unit/check_store.c
tests_unit_check_store_CPPFLAGS = $(test_cppflags)
tests_unit_check_store_LDADD = $(test_libs)

tests_unit_check_case_SOURCES = %D%/unit/check_case.c
tests_unit_check_case_CPPFLAGS = $(test_cppflags)
tests_unit_check_case_LDADD = $(test_libs)
tests_unit_check_derivatives_SOURCES = %D%/unit/check_derivatives.c
tests_unit_check_derivatives_CPPFLAGS = $(test_cppflags)
tests_unit_check_derivatives_LDADD = $(test_libs)
tests_unit_check_history_SOURCES = %D%/unit/check_history.c
tests_unit_check_history_CPPFLAGS = $(test_cppflags)
tests_unit_check_history_LDADD = $(test_libs)
tests_unit_check_case_many_SOURCES = %D%/unit/check_case_many.c
tests_unit_check_case_many_CPPFLAGS = $(test_cppflags)
tests_unit_check_case_many_LDADD = $(test_libs)
tests_unit_check_case_sets_SOURCES = %D%/unit/check_case_sets.c
tests_unit_check_case_sets_CPPFLAGS = $(test_cppflags)
tests_unit_check_case_sets_LDADD = $(test_libs)
tests_unit_check_wrong_SOURCES = %D%/unit/check_wrong.c
tests_unit_check_wrong_CPPFLAGS = $(test_cppflags)
tests_unit_check_wrong_LDADD = $(test_libs)

tests_unit_check_case_interfaces_SOURCES = %D%/unit/check_case_interfaces.c
tests_unit_check_case_interfaces_CPPFLAGS = $(test_cppflags)
tests_unit_check_case_interfaces_LDADD = $(test_libs)

include tests/verify/verify.mk
include tests/verify/cones.mk
include tests/verify/long.mk
include tests/fuzz/fuzz.mk
endif
clean-local: clean-modules
.PHONY: clean-modules
clean-modules:
	-rm -rf tests/modules
EXTRA_DIST += tests/data/sliding-block/README.md tests/data/sliding-block/block.msh \
  tests/data/sliding-block/fremond.csv tests/data/sliding-block/newton.csv

# what takes minutes
.PHONY: check-long
check-long: $(check_LONG)
	@$(AM_TESTS_ENVIRONMENT) for test in $(check_LONG); do ./$$test || exit 1; done

include tests/bench/bench.mk
include tests/verify/rigid.mk
include tests/verify/spatial.mk
include tests/cases/cases.mk
include tests/mpi/mpi.mk
include tests/verification/verification.mk
include tests/valgrind/valgrind.mk

# what tests leave below the build folder
clean-local: clean-case-tests clean-unit-tests clean-verification clean-valgrind
.PHONY: clean-unit-tests
clean-unit-tests:
	rm -rf fuzz-*.tmp check-mesh* check-memory* check_case*.yaml output.tmp fclib.tmp

check_PROGRAMS += %D%/unit/check_contact_set
TESTS += %D%/unit/check_contact_set
tests_unit_check_contact_set_SOURCES = %D%/unit/check_contact_set.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_contact_set_CPPFLAGS = $(test_cppflags)
tests_unit_check_contact_set_LDADD = $(whole_libs)
tests_unit_check_contact_set_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/unit/check_law
TESTS += %D%/unit/check_law
tests_unit_check_law_SOURCES = %D%/unit/check_law.c
tests_unit_check_law_CPPFLAGS = $(test_cppflags)
tests_unit_check_law_LDADD = $(test_libs)

# ranks that are processes of the test
deal_tests = %D%/unit/check_ranks %D%/unit/check_deal %D%/unit/check_deal_fem
check_PROGRAMS += $(deal_tests)
TESTS += $(deal_tests)
tests_unit_check_ranks_SOURCES = %D%/unit/check_ranks.c
tests_unit_check_ranks_CPPFLAGS = $(test_cppflags)
tests_unit_check_ranks_LDADD = $(test_libs)
tests_unit_check_deal_SOURCES = %D%/unit/check_deal.c %D%/support/allocator.c %D%/support/allocator.h
tests_unit_check_deal_CPPFLAGS = $(test_cppflags)
tests_unit_check_deal_LDADD = $(whole_libs)
tests_unit_check_deal_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_unit_check_deal_fem_SOURCES = %D%/unit/check_deal_fem.c
tests_unit_check_deal_fem_CPPFLAGS = $(test_cppflags)
tests_unit_check_deal_fem_LDADD = $(test_libs)

# how many files of tests there are, for quickstart
.PHONY: count-tests
count-tests:
	@set x $(TESTS); shift; echo $$#
