#include "config.h"
#include "cli/force_lines.h"
#include "cli/measures.h"

/* Forces at the contacts of rigid bodies, as lines for ParaView. */

/* From the centre of a to that of b as the contact has them: where a body repeats itself, to the image that touches. What is not
 * measured, an obstacle or a fixed plane, is met where it is touched. Returns 0 where both are that. */
static int place_line(const cli_run_state *run, const prc_measure_contact *c, const double *q,
                      cli_force_line *to) {
  const int a = c->body[0], b = c->body[1], has_a = cli_measures_is_grain(run->measures, a),
            has_b = cli_measures_is_grain(run->measures, b);
  for (int k = 0; k < 2; k++) {
    const double touch = has_a ? q[3 * a + k] + c->arm[0][k] : has_b ? q[3 * b + k] + c->arm[1][k] : 0.0;
    to->from[k] = has_a ? q[3 * a + k] : touch;
    to->to[k] = has_b ? touch - c->arm[1][k] : touch;
  }
  return has_a || has_b;
}

prc_status cli_force_lines_copy(const cli_run_state *run, cli_force_lines *to, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_measure_contact *contact;
  const double *q;
  const int n = cli_measures_contacts(run->measures, &contact, &q);
  const double least = prc_measure_least(n, contact);
  const prc_status status = prc_grow(&to->line, &to->room, (size_t)n, sizeof *to->line, err);
  if (status != PRC_OK) return status;
  to->n = 0;
  for (int k = 0; k < n; k++) {
    const int c = contact[k].place;
    cli_force_line *line = &to->line[to->n];
    *line = (cli_force_line){.normal = contact[k].normal,
                             .tangential = contact[k].tangential,
                             .gap = r->gap[c],
                             .status = r->status[c],
                             .contact = prc_model_contact_of(run->model, r->contacts, c)};
    if (contact[k].normal > least) to->n += place_line(run, &contact[k], q, line);
  }
  return PRC_OK;
}

prc_status cli_force_lines_write(cli_force_lines *lines, const prc_output_writer *writer,
                                 const prc_output_form *form, const prc_folder *in, const char *name,
                                 prc_error *err) {
  enum {
    REAL = 9,
    INTEGER = 4
  }; /* of each line; arrays are there even where no line is, as what says their type */
  prc_status status = PRC_OK;
  const size_t n = (size_t)lines->n;
  prc_try(prc_grow(&lines->real, &lines->room_real, REAL * n + 1, sizeof *lines->real, err));
  prc_try(prc_grow(&lines->integer, &lines->room_integer, INTEGER * n + 1, sizeof *lines->integer, err));
  double *x = lines->real, *at_ends = x + 4 * n, *normal = x + 6 * n, *tangential = x + 7 * n,
         *gap = x + 8 * n;
  int *node = lines->integer, *of_status = node + 2 * n, *contact = node + 3 * n;
  for (int k = 0; k < lines->n; k++) {
    const cli_force_line *line = &lines->line[k];
    for (int i = 0; i < 2; i++) x[4 * k + i] = line->from[i], x[4 * k + 2 + i] = line->to[i];
    at_ends[2 * k] = at_ends[2 * k + 1] = normal[k] = line->normal;
    tangential[k] = line->tangential, gap[k] = line->gap, of_status[k] = line->status,
    contact[k] = line->contact;
    node[2 * k] = 2 * k, node[2 * k + 1] = 2 * k + 1;
  }
  const prc_cells cells = {.n = lines->n, .width = 2, .node = node};
  const prc_array on_points = {"force_normal", 1, at_ends,
                               NULL}; /* tubes as thick as a field take it of points */
  const prc_array on_cells[] = {{"force_normal", 1, normal, NULL},
                                {"force_tangential", 1, tangential, NULL},
                                {"gap", 1, gap, NULL},
                                {"status", 1, NULL, of_status},
                                {"contact", 1, NULL, contact}};
  prc_try(prc_output_vtu(writer, form, in, name, 2 * lines->n, x, &cells, 1, &on_points,
                         (int)(sizeof on_cells / sizeof *on_cells), on_cells, err));
done:
  return status;
}

void cli_force_lines_free(cli_force_lines *lines) {
  prc_delete(&lines->line);
  prc_delete(&lines->real);
  prc_delete(&lines->integer);
}
