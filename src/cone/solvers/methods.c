#include "config.h"
#include "cone/solvers/method.h"

#include <stdio.h>
#include <string.h>

/* The table of methods.h as data: what they can do, and how they do it. */

#define ABILITY(symbol, name, help, dims, needs, of_speed) {name, help, dims, needs, of_speed},
#define METHOD(symbol, name, help, dims, needs, of_speed)  &prc_cone_##symbol,

static const prc_cone_ability abilities[] = {PRC_CONE_METHODS(ABILITY, ABILITY)};
static const prc_cone_method *const methods[] = {PRC_CONE_METHODS(METHOD, METHOD)};
enum { N_METHODS = sizeof methods / sizeof *methods };

const prc_cone_ability *prc_cone_abilities(int *count) {
  *count = N_METHODS;
  return abilities;
}

/* Dimensions that it can do, and storages: those of a row, or any. */
static int can(int k, unsigned dims, const prc_cone_operator *W) {
  return (abilities[k].dims & dims) && (!W || prc_cone_can(abilities + k, W));
}

int prc_cone_method_can(const prc_cone_method *method, const prc_cone_sizes *sizes) {
  int k = 0;
  while (methods[k] != method) k++;
  return can(k, 1u << sizes->dim, sizes->W);
}

int prc_cone_method_can_speed(const prc_cone_method *method) {
  int k = 0;
  while (methods[k] != method) k++;
  return abilities[k].of_speed;
}

static int is_listed(int k, unsigned dims, const prc_cone_operator *W, int of_speed) {
  return can(k, dims, W) && (abilities[k].of_speed || !of_speed);
}

/* "a, b or c": the names of those that can do one of these dimensions, W so stored, and friction of the speed */
static void list_names(unsigned dims, const prc_cone_operator *W, int of_speed, size_t size, char *text) {
  int last = N_METHODS - 1;
  size_t used = 0;
  text[0] = '\0';
  while (last >= 0 && !is_listed(last, dims, W, of_speed)) last--;
  for (int k = 0; k <= last && used < size; k++)
    if (is_listed(k, dims, W, of_speed))
      used += (size_t)snprintf(text + used, size - used, "%s%s",
                               used == 0   ? ""
                               : k == last ? " or "
                                           : ", ",
                               abilities[k].name);
}

prc_status prc_cone_method_find(const char *name, const prc_cone_sizes *sizes, const prc_cone_method **out,
                                prc_error *err) {
  char names[256];
  int k = 0;
  while (k < N_METHODS && strcmp(name, abilities[k].name) != 0) k++;
  if (k == N_METHODS) {
    list_names(PRC_CONE_ANY_DIM, NULL, 0, sizeof names, names);
    return prc_fail(err, PRC_INPUT, "there is no contact solver '%s', expected %s", name, names);
  }
  if (!can(k, 1u << sizes->dim, NULL)) {
    list_names(1u << sizes->dim, sizes->W, sizes->of_speed, sizeof names, names);
    return prc_fail(err, PRC_INPUT, "the contact solver '%s' cannot solve %s, expected %s", name,
                    sizes->dim == 2   ? "2D problems"
                    : sizes->dim == 3 ? "3D problems"
                    : sizes->dim == 1 ? "problems of dimension 1"
                                      : "problems of dimension 4",
                    names);
  }
  if (!can(k, 1u << sizes->dim, sizes->W)) {
    list_names(1u << sizes->dim, sizes->W, sizes->of_speed, sizeof names, names);
    return prc_fail(err, PRC_INPUT, "the contact solver '%s' cannot solve problems %s, expected %s", name,
                    sizes->W->name, names);
  }
  if (sizes->of_speed && !abilities[k].of_speed) {
    list_names(1u << sizes->dim, sizes->W, 1, sizeof names, names);
    return prc_fail(err, PRC_INPUT,
                    "the contact solver '%s' cannot solve problems whose friction depends on the speed, "
                    "expected %s",
                    name, names);
  }
  *out = methods[k];
  return PRC_OK;
}
