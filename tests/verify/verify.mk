# Verification: closed forms, orders, invariances and the reference traces. Each program takes seconds.
verify_tests = %D%/traces %D%/certificate %D%/activation %D%/invariances %D%/momentum %D%/bars %D%/damping %D%/quasi_static %D%/elements %D%/manufactured %D%/modified_mass \
  %D%/bar_impact %D%/dashpots %D%/material_damping %D%/drags %D%/waves %D%/contact_edges %D%/joints %D%/interfaces %D%/sliding %D%/corotation
check_PROGRAMS += $(verify_tests)
TESTS += $(verify_tests)

tests_verify_traces_SOURCES = %D%/traces.c
tests_verify_traces_CPPFLAGS = $(test_cppflags)
tests_verify_traces_LDADD = $(test_libs)

tests_verify_certificate_SOURCES = %D%/certificate.c
tests_verify_certificate_CPPFLAGS = $(test_cppflags)
tests_verify_certificate_LDADD = $(test_libs)

tests_verify_activation_SOURCES = %D%/activation.c
tests_verify_activation_CPPFLAGS = $(test_cppflags)
tests_verify_activation_LDADD = $(test_libs)

tests_verify_invariances_SOURCES = %D%/invariances.c
tests_verify_invariances_CPPFLAGS = $(test_cppflags)
tests_verify_invariances_LDADD = $(test_libs)

tests_verify_momentum_SOURCES = %D%/momentum.c
tests_verify_momentum_CPPFLAGS = $(test_cppflags)
tests_verify_momentum_LDADD = $(test_libs)

tests_verify_bars_SOURCES = %D%/bars.c
tests_verify_bars_CPPFLAGS = $(test_cppflags)
tests_verify_bars_LDADD = $(test_libs)

tests_verify_elements_SOURCES = %D%/elements.c
tests_verify_elements_CPPFLAGS = $(test_cppflags)
tests_verify_elements_LDADD = $(test_libs)

tests_verify_manufactured_SOURCES = %D%/manufactured.c
tests_verify_manufactured_CPPFLAGS = $(test_cppflags)
tests_verify_manufactured_LDADD = $(test_libs)

tests_verify_modified_mass_SOURCES = %D%/modified_mass.c
tests_verify_modified_mass_CPPFLAGS = $(test_cppflags)
tests_verify_modified_mass_LDADD = $(test_libs)

tests_verify_damping_SOURCES = %D%/damping.c
tests_verify_damping_CPPFLAGS = $(test_cppflags)
tests_verify_damping_LDADD = $(test_libs)

tests_verify_quasi_static_SOURCES = %D%/quasi_static.c
tests_verify_quasi_static_CPPFLAGS = $(test_cppflags)
tests_verify_quasi_static_LDADD = $(test_libs)

tests_verify_bar_impact_SOURCES = %D%/bar_impact.c
tests_verify_bar_impact_CPPFLAGS = $(test_cppflags)
tests_verify_bar_impact_LDADD = $(test_libs)

tests_verify_dashpots_SOURCES = %D%/dashpots.c
tests_verify_dashpots_CPPFLAGS = $(test_cppflags)
tests_verify_dashpots_LDADD = $(test_libs)

tests_verify_material_damping_SOURCES = %D%/material_damping.c
tests_verify_material_damping_CPPFLAGS = $(test_cppflags)
tests_verify_material_damping_LDADD = $(test_libs)

tests_verify_drags_SOURCES = %D%/drags.c
tests_verify_drags_CPPFLAGS = $(test_cppflags)
tests_verify_drags_LDADD = $(test_libs)

tests_verify_waves_SOURCES = %D%/waves.c
tests_verify_waves_CPPFLAGS = $(test_cppflags)
tests_verify_waves_LDADD = $(test_libs)

tests_verify_contact_edges_SOURCES = %D%/contact_edges.c
tests_verify_contact_edges_CPPFLAGS = $(test_cppflags)
tests_verify_contact_edges_LDADD = $(test_libs)

check_PROGRAMS += %D%/own_systems
TESTS += %D%/own_systems
tests_verify_own_systems_SOURCES = %D%/own_systems.c tests/support/allocator.c tests/support/allocator.h
tests_verify_own_systems_CPPFLAGS = $(test_cppflags)
tests_verify_own_systems_LDADD = $(whole_libs)
tests_verify_own_systems_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

check_PROGRAMS += %D%/mixed_bodies
TESTS += %D%/mixed_bodies
tests_verify_mixed_bodies_SOURCES = %D%/mixed_bodies.c
tests_verify_mixed_bodies_CPPFLAGS = $(test_cppflags)
tests_verify_mixed_bodies_LDADD = $(test_libs)
check_PROGRAMS += %D%/theta_family
TESTS += %D%/theta_family
tests_verify_theta_family_SOURCES = %D%/theta_family.c
tests_verify_theta_family_CPPFLAGS = $(test_cppflags)
tests_verify_theta_family_LDADD = $(test_libs)

tests_verify_joints_SOURCES = %D%/joints.c tests/support/allocator.c tests/support/allocator.h
tests_verify_joints_CPPFLAGS = $(test_cppflags)
tests_verify_joints_LDADD = $(whole_libs)
tests_verify_joints_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

tests_verify_interfaces_SOURCES = %D%/interfaces.c
tests_verify_interfaces_CPPFLAGS = $(test_cppflags)
tests_verify_interfaces_LDADD = $(test_libs)

check_PROGRAMS += %D%/friction_laws
TESTS += %D%/friction_laws
tests_verify_friction_laws_SOURCES = %D%/friction_laws.c
tests_verify_friction_laws_CPPFLAGS = $(test_cppflags)
tests_verify_friction_laws_LDADD = $(test_libs)
tests_verify_sliding_SOURCES = %D%/sliding.c
tests_verify_sliding_CPPFLAGS = $(test_cppflags)
tests_verify_sliding_LDADD = $(test_libs)

tests_verify_corotation_SOURCES = %D%/corotation.c
tests_verify_corotation_CPPFLAGS = $(test_cppflags)
tests_verify_corotation_LDADD = $(test_libs)
