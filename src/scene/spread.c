#include "config.h"
#include "scene/spread.h"

#include <math.h>

const prc_spread prc_spread_none = {
    .mass = {INFINITY, -INFINITY},
    .x = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}},
    .shape = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}}};

static void widen(double range[2], double value) {
  range[0] = fmin(range[0], value), range[1] = fmax(range[1], value);
}

void prc_spread_add(prc_spread *s, int dimension, double mass, const double *position, int n_parts) {
  s->n++, s->n_parts += n_parts, s->all_mass += mass;
  widen(s->mass, mass);
  for (int k = 0; k < dimension; k++) widen(s->x[k], position[k]);
}

void prc_spread_shape(prc_spread *s, int kind, double value) {
  s->n_shapes[kind]++;
  widen(s->shape[kind], value);
}

/* "0.5", or "0.2 to 0.5" */
static void print_range(const prc_text *to, const char *name, const double range[2], const char *behind) {
  prc_text_print(to, "%s%g", name, range[0]);
  if (range[1] > range[0]) prc_text_print(to, " to %g", range[1]);
  prc_text_print(to, "%s", behind);
}

/* "[0, 1] x [0, 2]" */
static void print_box(const prc_spread *s, int dimension, const prc_text *to) {
  for (int k = 0; k < dimension; k++)
    prc_text_print(to, "%s[%g, %g]", k > 0 ? " x " : "", s->x[k][0], s->x[k][1]);
}

void prc_spread_describe(const prc_spread *s, int dimension, const char *name, const prc_spread_words *words,
                         const prc_text *to) {
  static const char *const before[] = {" of radius ", " of "}, *const behind[] = {"", " corners"};
  prc_text_print(to, "bodies    '%s': %d, mass %.9g in all", name, s->n, s->all_mass);
  print_range(to, ", each ", s->mass, "");
  prc_text_print(to, "\n"); /* by itself: within a format a terminal is shown it as \n */
  prc_text_print(to, "          centres in ");
  print_box(s, dimension, to);
  for (int k = 0; k < 2; k++) {
    if (s->n_shapes[k] == 0) continue;
    prc_text_print(to, ", %d %s", s->n_shapes[k], s->n_shapes[k] > 1 ? words->many[k] : words->one[k]);
    print_range(to, before[k], s->shape[k], behind[k]);
  }
  prc_text_print(to, "\n");
}

void prc_spread_sum(const prc_spread *s, int dimension, const prc_text *to) {
  prc_text_print(to, "in all    %d bodies of %d parts, mass %.9g, centres in ", s->n, s->n_parts,
                 s->all_mass);
  print_box(s, dimension, to);
  prc_text_print(to, "\n");
}
