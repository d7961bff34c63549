#include "config.h"
#include "cli/force_arrows.h"

#include <string.h>

/* Forces at contacts in space, for ParaView's glyphs. */

/* p / h = (p_n n + p_1 t1 + p_2 t2) / h; where it was found in this step. */
static cli_force_arrow arrow_of(const cli_run_state *run, const prc_step_record *r, int c) {
  const prc_contact_set *set = r->contacts;
  const double *p = r->p + (size_t)r->dim * (size_t)c, *axes = set->axes + 9 * (size_t)c;
  cli_force_arrow arrow = {.normal = p[0] / r->h,
                           .gap = r->gap[c],
                           .status = r->status[c],
                           .contact = prc_model_contact_of(run->model, set, c),
                           .other = set->body[2 * c],
                           .body = set->body[2 * c + 1]};
  memcpy(arrow.x, set->place + 3 * (size_t)c, sizeof arrow.x);
  for (int i = 0; i < 3; i++)
    arrow.force[i] = (p[0] * axes[i] + p[1] * axes[3 + i] + p[2] * axes[6 + i]) / r->h;
  return arrow;
}

prc_status cli_force_arrows_copy(const cli_run_state *run, cli_force_arrows *to, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_status status = prc_grow(&to->arrow, &to->room, (size_t)r->n_active, sizeof *to->arrow, err);
  if (status != PRC_OK) return status;
  to->n = 0;
  for (int k = 0; k < r->n_active; k++) {
    const cli_force_arrow arrow = arrow_of(run, r, r->active[k]);
    if (arrow.normal > 0.0) to->arrow[to->n++] = arrow;
  }
  return PRC_OK;
}

prc_status cli_force_arrows_write(cli_force_arrows *arrows, const prc_output_writer *writer,
                                  const prc_output_form *form, const prc_folder *in, const char *name,
                                  prc_error *err) {
  enum { REAL = 8, INTEGER = 6, VERTEX = 1 }; /* numbers of each; VTK's cell */
  prc_status status = PRC_OK;
  const size_t n = (size_t)arrows->n;
  prc_try(prc_grow(&arrows->real, &arrows->room_real, REAL * n + 1, sizeof *arrows->real, err));
  prc_try(prc_grow(&arrows->integer, &arrows->room_integer, INTEGER * n + 1, sizeof *arrows->integer, err));
  double *x = arrows->real, *force = x + 3 * n, *normal = x + 6 * n, *gap = x + 7 * n;
  int *start = arrows->integer, *type = start + n + 1, *of_status = type + n, *contact = of_status + n,
      *other = contact + n, *body = other + n;
  for (size_t k = 0; k < n; k++) {
    const cli_force_arrow *arrow = &arrows->arrow[k];
    memcpy(x + 3 * k, arrow->x, sizeof arrow->x);
    memcpy(force + 3 * k, arrow->force, sizeof arrow->force);
    normal[k] = arrow->normal, gap[k] = arrow->gap;
    start[k] = (int)k, type[k] = VERTEX, of_status[k] = arrow->status, contact[k] = arrow->contact;
    other[k] = arrow->other, body[k] = arrow->body;
  }
  start[n] = arrows->n; /* and start without its end is the list 0, 1, 2, ... of nodes */
  const prc_cells cells = {.n = arrows->n, .in_space = 1, .node = start, .start = start, .type = type};
  const prc_array on_points[] = {{"force", 3, force, NULL},     {"force_normal", 1, normal, NULL},
                                 {"gap", 1, gap, NULL},         {"status", 1, NULL, of_status},
                                 {"contact", 1, NULL, contact}, {"other", 1, NULL, other},
                                 {"body", 1, NULL, body}};
  prc_try(prc_output_vtu(writer, form, in, name, arrows->n, x, &cells,
                         (int)(sizeof on_points / sizeof *on_points), on_points, 0, NULL, err));
done:
  return status;
}

void cli_force_arrows_free(cli_force_arrows *arrows) {
  prc_delete(&arrows->arrow);
  prc_delete(&arrows->real);
  prc_delete(&arrows->integer);
}
