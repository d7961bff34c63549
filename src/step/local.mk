libcore_la_SOURCES += %D%/step.c %D%/motion.c %D%/values.c %D%/state.c %D%/arms.c %D%/facts.c %D%/continue.c %D%/loads.c %D%/control.c %D%/schemes.c %D%/theta.c \
  %D%/theta_iterate.c %D%/theta_position.c %D%/theta_midpoint.c %D%/alpha.c %D%/alpha_levels.c \
  %D%/alpha_matrices.c %D%/alpha_contacts.c %D%/alpha_feedback.c %D%/alpha_jammed.c %D%/alpha_bounce.c %D%/alpha_works.c %D%/alpha_joints.c \
  %D%/static.c %D%/contacts.c %D%/mixed.c %D%/ramp.c %D%/problem.c %D%/friction.c %D%/normals.c %D%/judge.c %D%/notes.c %D%/moments.c %D%/joints.c %D%/joints.h \
  %D%/theta_joints.c %D%/pace.c %D%/ladder.c %D%/motion_varies.c \
  %D%/internal.h %D%/theta.h %D%/alpha.h %D%/schemes.h
prc_headers += %D%/step.h
