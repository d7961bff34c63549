bin_PROGRAMS += percuss
noinst_LTLIBRARIES += libcli.la
libcli_la_SOURCES = %D%/terminal.c %D%/options.c %D%/init.c %D%/cases.c %D%/run.c %D%/start.c %D%/folder.c %D%/ownership.c %D%/lock.c %D%/failure.c %D%/tables.c %D%/tables_space.c %D%/tables.h %D%/snapshots.c %D%/pieces.c %D%/pieces.h %D%/diagrams.c %D%/slip.c %D%/rubbing.c %D%/probes.c %D%/checkpoint.h %D%/checkpoint_identity.c %D%/checkpoint.c %D%/checkpoint_read.c %D%/checkpoint_check.c %D%/checkpoint_ranks.c %D%/ranks.c %D%/ranks.h %D%/kept.c %D%/parts.c %D%/continued.h %D%/continued.c %D%/continued_start.c %D%/continued_report.c %D%/manifest.c %D%/picked.c %D%/progress.c %D%/progress.h %D%/phases.c \
  %D%/interrupts.c %D%/geometry.c %D%/inputs.c %D%/identity.c %D%/identity.h \
  %D%/check.c %D%/check_outlines.c %D%/converge.c %D%/family.c %D%/family.h %D%/states.c %D%/differences.c %D%/schemes.c %D%/help_schemes.c %D%/converge.h %D%/problems.c %D%/scripts.c %D%/cone.c %D%/explore.c %D%/explore_tables.c %D%/explore.h %D%/cli.h
libcli_la_SOURCES += %D%/axes.c %D%/axes.h %D%/sweep.c %D%/sweep_values.c %D%/sweep.h
libcli_la_SOURCES += %D%/joints.c %D%/energies.c %D%/columns.c %D%/output_page.c %D%/columns.h %D%/measures.c %D%/measures.h %D%/force_lines.c %D%/force_lines.h %D%/force_arrows.c %D%/force_arrows.h
percuss_SOURCES = %D%/main.c
percuss_LDFLAGS = $(installed_ldflags)
percuss_LDADD = libcli.la libcore.la
