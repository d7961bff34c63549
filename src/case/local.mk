libcore_la_SOURCES += %D%/keys.c %D%/keys.h %D%/keys_model.c %D%/keys_bodies.c %D%/keys_beams.c %D%/beams.c %D%/build_beams.c %D%/keys_contacts.c %D%/keys_boundary.c %D%/keys_run.c %D%/key_texts.c %D%/names.c %D%/tree.c %D%/compared.c %D%/continued.h %D%/yaml.c %D%/yaml_subprocess.c %D%/place.c %D%/store.c %D%/value.c %D%/friction.c %D%/lists.c %D%/read.c %D%/rules.c %D%/schemes.c %D%/forces.c %D%/bodies.c %D%/sets.c %D%/table.c %D%/table.h %D%/parts.c %D%/between.c %D%/obstacles.c %D%/expression.c %D%/expression_names.c %D%/expression_tables.c %D%/boundary.c %D%/derivative.c %D%/taylor.c %D%/taylor.h %D%/history.c %D%/history.h %D%/parameters.c %D%/advice.c %D%/reference.c %D%/sections.c \
  %D%/starter.c %D%/find.c %D%/grains.c %D%/build.c %D%/build_mesh.c %D%/ranks.c %D%/build_bodies.c %D%/shapes.c %D%/shadowed.c %D%/periodic.c %D%/build.h %D%/internal.h
libcore_la_SOURCES += %D%/measures.c %D%/identity.c %D%/files.c %D%/joints.c %D%/build_joints.c %D%/build_finite.c %D%/solids.c %D%/build_space.c
prc_headers += %D%/case.h %D%/find.h %D%/boundary.h %D%/results.h
# what check_case compares with: the committed page and the bad cases
EXTRA_DIST += doc/case.md tests/input/case-alias.yaml tests/input/case-bomb.yaml tests/input/case-brace.yaml \
  tests/input/case-duplicate.yaml tests/input/case-empty.yaml tests/input/case-key.yaml tests/input/case-list.yaml \
  tests/input/case-tab.yaml tests/input/case-mixed.yaml tests/input/case-body.yaml
