#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <string.h>

/* Beams: their lines, the names of their ends, and the contacts that they touch by. */

/* ---- lines ---------------------------------------------------------------------------------------------- */

static prc_status refuse(const prc_case *c, const prc_case_beam *b, const char *key, const char *text,
                         prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "beams.%s%s%s", b->name, key[0] ? "." : "", key);
  return prc_case_fail(c, &at, err, "beams.%s%s%s %s", b->name, key[0] ? "." : "", key, text);
}

static prc_status check_line(const prc_case *c, const prc_case_beam *b, prc_error *err) {
  char text[128];
  if (b->n_ends > 0 && b->n_points > 0)
    return refuse(c, b, "control_points", "is given beside ends, expected one of them", err);
  if (b->n_ends == 0 && b->n_points == 0)
    return refuse(c, b, "", "has no line, expected ends, or control_points", err);
  if (b->n_ends > 0 && b->n_ends != 2) {
    snprintf(text, sizeof text, "has %d point%s, expected two", b->n_ends, b->n_ends > 1 ? "s" : "");
    return refuse(c, b, "ends", text, err);
  }
  if (b->n_ends > 0 && b->elements == 0)
    return refuse(c, b, "", "has no `elements`, expected their number with ends", err);
  if (b->n_points > 0 && b->n_points <= b->degree) {
    snprintf(text, sizeof text, "has %d points, expected more than the degree, %d", b->n_points, b->degree);
    return refuse(c, b, "control_points", text, err);
  }
  if (b->n_points > 0 && b->elements > 0 && b->elements != b->n_points - b->degree) {
    snprintf(text, sizeof text, "is %d, expected none or %d: that of the control points less the degree",
             b->elements, b->n_points - b->degree);
    return refuse(c, b, "elements", text, err);
  }
  return PRC_OK;
}

static prc_status make_line(const prc_case *c, prc_case_beam *b, prc_error *err) {
  enum { MOST = 100000 };
  prc_status status = PRC_OK;
  double *point = NULL;
  if (b->n_points > 0) {
    b->elements = b->n_points - b->degree;
    return PRC_OK;
  }
  if (b->elements > MOST) return refuse(c, b, "elements", "is above 100000, expected fewer", err);
  const double ends[2][2] = {{b->end[0], b->end[1]}, {b->end[2], b->end[3]}};
  b->n_points = b->elements + b->degree;
  prc_try(prc_new(&point, 2 * (size_t)b->n_points, err));
  prc_beam_straight(b->degree, b->elements, ends, point);
  prc_try(prc_case_own_memory(c, point, err));
  b->point = point, point = NULL;
done:
  prc_delete(&point);
  return status;
}

prc_status prc_case_complete_beams(prc_case *c, prc_error *err) {
  static const char *const end[] = {"start", "end"};
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_beams; i++) {
    prc_case_beam *b = &c->beam[i];
    prc_try(check_line(c, b, err));
    prc_try(make_line(c, b, err));
    for (int k = 0; k < 2; k++) {
      char name[2 * PRC_CASE_NAME];
      snprintf(name, sizeof name, "%s.%s", b->name, end[k]);
      prc_try(prc_case_strdup(c, name, &b->end_name[k], err));
    }
  }
done:
  return status;
}

/* Open knots: the line begins and ends at its first and last control points. */
void prc_case_beam_end(const prc_case_beam *beam, int end, double x[2]) {
  memcpy(x, beam->point + (end == 0 ? 0 : 2 * (beam->n_points - 1)), 2 * sizeof *x);
}

/* ---- contacts -------------------------------------------------------------------------------------------- */

prc_status prc_case_touch_with_beam(const prc_case *c, prc_case_contact *contact, int named, prc_error *err) {
  const int end = named % 3;
  contact->beam = named / 3, contact->group = contact->body = NULL;
  if (prc_case_is_given(c, "contacts.%s.points", contact->name)) {
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.points", contact->name);
    return prc_case_fail(c, &at, err, "contacts.%s.points is given, expected `along` where a beam touches",
                         contact->name);
  }
  if (end == 0) return PRC_OK;
  if (contact->n_along > 0) {
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.along", contact->name);
    return prc_case_fail(c, &at, err,
                         "contacts.%s.along is given beside an end of the beam, expected one of them",
                         contact->name);
  }
  contact->n_along = 1, contact->along[0] = end == 2;
  return PRC_OK;
}

prc_status prc_case_check_along(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.along", contact->name);
  if (contact->n_along > 0 && contact->beam < 0)
    return prc_case_fail(c, &at, err, "contacts.%s.along is given, expected it only where a beam touches",
                         contact->name);
  for (int i = 0; i < contact->n_along; i++)
    for (int k = 0; k < i; k++)
      if (contact->along[i] == contact->along[k])
        return prc_case_fail(c, &at, err, "contacts.%s.along has %g twice, expected different points",
                             contact->name, contact->along[i]);
  return PRC_OK;
}
