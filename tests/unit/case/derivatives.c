/* The derivatives of formulas of t: closed forms, muParser's own values on random formulas, limits from the right at kinks and steps, what has
 * none; fields without derivatives; and the accelerations of what is driven. */
#include "config.h"
#include "case/case.h"

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- closed forms ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *text;
  double t, value, first, second;
} known;

static void derive(const char *text, double x, double y, double t, double out[3]) {
  prc_error err = {0};
  prc_expression *f = NULL;
  support_ok(prc_expression_create(text, "txy", &f, &err), &err);
  const prc_field field = prc_expression_field(f);
  ck_assert_msg(field.derivatives != NULL, "%s has no derivatives", text);
  support_ok(prc_field_derivatives(&field, x, y, t, 0.0, out, &err), &err);
  prc_expression_free(&f);
}

static void compare(const known *k, double x, double y) {
  const double expected[3] = {k->value, k->first, k->second};
  double out[3];
  derive(k->text, x, y, k->t, out);
  for (int i = 0; i < 3; i++)
    ck_assert_msg(fabs(out[i] - expected[i]) <= 1e-12 * (1.0 + fabs(expected[i])),
                  "%s at t = %g: derivative %d is %.17g, expected %.17g", k->text, k->t, i, out[i],
                  expected[i]);
}

#define T 0.37

START_TEST(smooth_formulas_have_their_derivatives) {
  const double s = sin(3.0 * T), c = cos(3.0 * T), w = exp(-T / 2.0), u = 1.0 + T * T, r = sqrt(u);
  const double q = T * T - 0.5, th = tanh(T), lnt = log(T), tt = pow(T, T);
  const known list[] = {
      {"t", T, T, 1.0, 0.0},
      {"2*t^3 - t/4 + 7", T, 2 * T * T * T - T / 4 + 7, 6 * T * T - 0.25, 12 * T},
      {"sin(3*t)", T, s, 3 * c, -9 * s},
      {"0.1*cos(3*t)*exp(-t/2)", T, 0.1 * c * w, 0.1 * w * (-3 * s - c / 2),
       0.1 * w * (3 * s - 9 * c + c / 4)},
      {"sqrt(1 + t^2)", T, r, T / r, 1.0 / (u * r)},
      {"1/(1 + t^2)", T, 1 / u, -2 * T / (u * u), (6 * T * T - 2) / (u * u * u)},
      {"atan(t)", T, atan(T), 1 / u, -2 * T / (u * u)},
      {"atan2(2*t, 2)", T, atan(T), 1 / u, -2 * T / (u * u)},
      {"atan2(sin(5*t), cos(5*t))", T, 5 * T, 5.0, 0.0},
      {"tanh(t)", T, th, 1 - th * th, -2 * th * (1 - th * th)},
      {"tan(t)", T, tan(T), 1 + tan(T) * tan(T), 2 * tan(T) * (1 + tan(T) * tan(T))},
      {"sinh(t) + cosh(2*t)", T, sinh(T) + cosh(2 * T), cosh(T) + 2 * sinh(2 * T), sinh(T) + 4 * cosh(2 * T)},
      {"asinh(t)", T, asinh(T), 1 / r, -T / (u * r)},
      {"acosh(1 + t)", T, acosh(1 + T), 1 / sqrt(T * (T + 2)), -(1 + T) / pow(T * (T + 2), 1.5)},
      {"atanh(t)", T, atanh(T), 1 / (1 - T * T), 2 * T / pow(1 - T * T, 2)},
      {"asin(t) + acos(t/2)", T, asin(T) + acos(T / 2), 1 / sqrt(1 - T * T) - 1 / sqrt(4 - T * T),
       T / pow(1 - T * T, 1.5) - T / pow(4 - T * T, 1.5)},
      {"ln(t) + log2(t) + log10(t)", T, lnt * (1 + M_LOG2E + M_LOG10E), (1 + M_LOG2E + M_LOG10E) / T,
       -(1 + M_LOG2E + M_LOG10E) / (T * T)},
      {"t^t", T, tt, tt * (lnt + 1), tt * ((lnt + 1) * (lnt + 1) + 1 / T)},
      {"2^t", T, pow(2, T), M_LN2 * pow(2, T), M_LN2 * M_LN2 * pow(2, T)},
      {"(t^2 - 0.5)^3", T, q * q * q, 6 * T * q * q, 6 * q * q + 24 * T * T * q},
      {"abs(t^2 - 0.5)", T, -q, -2 * T, -2.0},
      {"min(t, t^2, 1) + max(t, t^2, 0)", T, T * T + T, 2 * T + 1, 2.0},
      {"sum(t, t^2, t^3) + avg(t, 3*t)", T, 3 * T + T * T + T * T * T, 3 + 2 * T + 3 * T * T, 2 + 6 * T},
      {"mod(10*t, 1) + 3*floor(10*t) + ceil(t) + rint(t)", T, 10 * T - 3 + 9 + 1, 10.0, 0.0},
      {"t < 0.5 ? t^2 : t^3", T, T * T, 2 * T, 2.0},
      {"if(t > 0.3 and t < 0.4 or t > 5, -t^2, 1)", T, -T * T, -2 * T, -2.0},
      {"heaviside(t - 0.2)*t + sgn(t - 1)", T, T - 1, 1.0, 0.0},
      {"-t^2", T, -T * T, -2 * T, -2.0},
      {"2^-t^2", T, pow(2, -T * T), -2 * T * M_LN2 * pow(2, -T * T),
       (4 * T * T * M_LN2 * M_LN2 - 2 * M_LN2) * pow(2, -T * T)},
      {"pi*t + e", T, M_PI * T + M_E, M_PI, 0.0},
      {"x*t^2 + y", T, 2 * T * T + 3, 4 * T, 4.0},
      {"random(2, 3)*0 + t", T, T, 1.0, 0.0},
  };
  for (int i = 0; i < COUNT(list); i++) compare(&list[i], 2.0, 3.0);
}
END_TEST

/* What is zero is so exactly: what does not vary with t, and powers where they vanish. */
START_TEST(what_rests_has_zeros) {
  static const char *const rest[] = {"0*t",           "t*0 + sqrt(x)", "sqrt(0*t)", "(0*t)^0.5",
                                     "atan2(0*t, 0)", "t < 5 ? 0 : t", "cos(0*t)"};
  double out[3];
  for (int i = 0; i < COUNT(rest); i++) {
    derive(rest[i], 2.0, 3.0, T, out);
    ck_assert_msg(out[1] == 0.0 && out[2] == 0.0, "%s: %g %g", rest[i], out[1], out[2]);
  }
  const known powers[] = {{"t^2", 0.0, 0.0, 0.0, 2.0},
                          {"t^1", 0.0, 0.0, 1.0, 0.0},
                          {"t^3", 0.0, 0.0, 0.0, 0.0},
                          {"t^0", 0.0, 1.0, 0.0, 0.0},
                          {"(-t)^2", 2.0, 4.0, 4.0, 2.0}};
  for (int i = 0; i < COUNT(powers); i++) {
    derive(powers[i].text, 0.0, 0.0, powers[i].t, out);
    ck_assert(out[0] == powers[i].value && out[1] == powers[i].first && out[2] == powers[i].second);
  }
}
END_TEST

/* At a kink, or where a branch or a step begins, what goes on to the right counts, whichever side the branch itself gives the point to. */
START_TEST(kinks_are_seen_from_the_right) {
  const known list[] = {
      {"abs(t - 1)", 1.0, 0.0, 1.0, 0.0},
      {"abs(1 - t)", 1.0, 0.0, 1.0, 0.0},
      {"t < 1 ? t : 2 - t^2", 1.0, 1.0, -2.0, -2.0},
      {"t <= 1 ? t : 2 - t^2", 1.0, 1.0, -2.0, -2.0},
      {"t > 1 ? 2 - t^2 : t", 1.0, 1.0, -2.0, -2.0},
      {"t == 1 ? 5 : t^2", 1.0, 1.0, 2.0, 2.0},
      {"t != 1 ? t^2 : 5", 1.0, 1.0, 2.0, 2.0},
      {"min(t, 1)", 1.0, 1.0, 0.0, 0.0},
      {"max(t^2, 2*t - 1)", 1.0, 1.0, 2.0, 2.0}, /* t^2 - 2 t + 1 = (t - 1)^2: equal to the first order */
      {"floor(t)", 2.0, 2.0, 0.0, 0.0},
      {"floor(-t)", 2.0, -3.0, 0.0, 0.0},
      {"ceil(t)", 2.0, 3.0, 0.0, 0.0},
      {"rint(t + 0.5)", 2.0, 3.0, 0.0, 0.0},
      {"rint(2.5 - t)", 0.0, 2.0, 0.0, 0.0},
      {"mod(t, 1)", 2.0, 0.0, 1.0, 0.0},
      {"mod(-t, 1)", 2.0, 1.0, -1.0, 0.0},
      {"heaviside(t - 2)*(t - 2)", 2.0, 0.0, 1.0, 0.0},
      {"sgn(t)*t^2", 0.0, 0.0, 0.0, 2.0},
      {"t and 1 ? t : 0", 0.0, 0.0, 1.0, 0.0},
      {"floor(log2(t))", 0.25, -2.0, 0.0, 0.0},
  };
  for (int i = 0; i < COUNT(list); i++) compare(&list[i], 0.0, 0.0);
}
END_TEST

START_TEST(what_has_none_says_so) {
  static const struct {
    const char *text;
    double t;
    const char *message;
  } list[] = {
      {"sqrt(t)", 0.0, "sqrt(t) is 0 at t = 0, and its first two derivatives are inf and -inf"},
      {"t^1.5", 0.0, "t^1.5 is 0 at t = 0, and its first two derivatives are 0 and inf"},
      {"1/t", 0.0, "1/t is inf at t = 0"},
      {"asin(t)", 1.0, "at t = 1, and its first two derivatives are inf"},
      {"random(t, 1)", 0.5, "at t = 0.5, and its first two derivatives are nan and nan"},
  };
  for (int i = 0; i < COUNT(list); i++) {
    prc_error err = {0};
    prc_expression *f = NULL;
    double out[3];
    support_ok(prc_expression_create(list[i].text, "t", &f, &err), &err);
    const prc_field field = prc_expression_field(f);
    prc_status status = prc_field_derivatives(&field, 0.0, 0.0, list[i].t, 0.1, out, &err);
    support_fails(status, PRC_INPUT, &err, list[i].message);
    prc_expression_free(&f);
  }
}
END_TEST

/* ---- random formulas: muParser's own values ---------------------------------------------------------------------------- */

static int die(prc_random *r, int sides) {
  return (int)(prc_random_bits(r) % (uint64_t)sides);
}

/* All of the grammar; nothing that is steep or has no value. muParser takes constants below 1 for false where it folds and, or: their operands are
 * comparisons here. */
static void write_formula(prc_random *r, int depth, prc_bytes *out) {
  static const char *const call[] = {"sin(",      "cos(", "atan(", "tanh(", "abs(",          "floor(",
                                     "exp(-abs(", "sgn(", "rint(", "ceil(", "sqrt(1 + abs(", "heaviside("};
  static const char *const binary[] = {" + ", "-", "*", " < ", ">=", " != ", "<=", "=="}, *const logic[] = {
                                                                                              " and ", "||",
                                                                                              "&&", " or "};
  prc_error err = {0};
  const int kind = depth == 0 ? die(r, 3) : die(r, 10);
#define PUT(...) support_ok(prc_bytes_print(out, &err, __VA_ARGS__), &err)
  if (kind == 0) PUT("%.3f", 0.1 + 0.01 * die(r, 300));
  if (kind == 1 || kind == 2) PUT("t");
  if (kind == 3 || kind == 4) {
    write_formula(r, depth - 1, out);
    PUT("%s", binary[die(r, COUNT(binary))]);
    write_formula(r, depth - 1, out);
  }
  if (kind == 5) {
    const char *name = call[die(r, COUNT(call))];
    PUT("%s", name);
    write_formula(r, depth - 1, out);
    PUT("%s", strchr(strchr(name, '(') + 1, '(') ? "))" : ")");
  }
  if (kind == 6) {
    PUT("(");
    write_formula(r, depth - 1, out);
    PUT(" ? ");
    write_formula(r, depth - 1, out);
    PUT(":");
    write_formula(r, depth - 1, out);
    PUT(")");
  }
  if (kind == 7) {
    PUT("(%s", die(r, 2) ? "-" : "");
    write_formula(r, depth - 1, out);
    PUT(")%s", die(r, 2) ? "^2" : "/1.7");
  }
  if (kind == 9) {
    PUT("(0 < ");
    write_formula(r, depth - 1, out);
    PUT("%s%s1 < ", logic[die(r, 4)], die(r, 2) ? "t < 1 and " : "");
    write_formula(r, depth - 1, out);
    PUT(")");
  }
  if (kind == 8) {
    PUT("%s(", die(r, 2) ? "min" : "mod");
    write_formula(r, depth - 1, out);
    PUT(", 1.3)");
  }
#undef PUT
}

START_TEST(formulas_are_read_as_muparser_reads_them) {
  enum { N = 3000, TIMES = 5 };
  prc_random r = {20};
  int compared = 0;
  for (int k = 0; k < N; k++) {
    prc_error err = {0};
    prc_expression *f = NULL;
    prc_bytes text = {0};
    write_formula(&r, 5, &text);
    if (strlen(text.at) > 1400 || !strchr(text.at, 't')) {
      prc_delete(&text.at);
      continue;
    }
    support_ok(prc_expression_create(text.at, "t", &f, &err), &err);
    const prc_field field = prc_expression_field(f);
    for (int i = 0; i < TIMES && field.derivatives; i++) {
      const double t = prc_random_uniform(&r, -2.0, 2.0);
      double value, d[3];
      if (prc_field_eval(&field, 0.0, 0.0, t, &value, &err) != PRC_OK || fabs(value) > 1e12) continue;
      support_ok(prc_field_derivatives(&field, 0.0, 0.0, t, 0.0, d, &err), &err);
      /* not at a step that does not vary: there both are right, on either side of it */
      ck_assert_msg(fabs(d[0] - value) <= 1e-9 * (1.0 + fabs(value)), "%s at %.17g: %.17g, expected %.17g",
                    text.at, t, d[0], value);
      compared++;
    }
    prc_expression_free(&f);
    prc_delete(&text.at);
  }
  ck_assert_int_gt(compared, 2 * N);
}
END_TEST

/* Against differences of muParser's values, of formulas without kinks. */
static void write_smooth(prc_random *r, int depth, prc_bytes *out) {
  static const char *const open[] = {"sin(",      "cos(",    "atan(", "exp(0.1*",
                                     "sqrt(5 + ", "1/(6 + ", "tanh(", "(2 + "};
  static const char *const binary[] = {" + ", " - ", "*"};
  prc_error err = {0};
  if (depth == 0) {
    support_ok(prc_bytes_print(out, &err, "%s", die(r, 2) ? "t" : "0.7*t"), &err);
    return;
  }
  support_ok(prc_bytes_print(out, &err, "%s", open[die(r, COUNT(open))]), &err);
  support_ok(prc_bytes_print(out, &err, "sin("), &err);
  write_smooth(r, depth - 1, out);
  support_ok(prc_bytes_print(out, &err, ")"), &err);
  if (die(r, 2)) {
    support_ok(prc_bytes_print(out, &err, "%s", binary[die(r, 3)]), &err);
    support_ok(prc_bytes_print(out, &err, "cos("), &err);
    write_smooth(r, depth - 1, out);
    support_ok(prc_bytes_print(out, &err, ")"), &err);
  }
  support_ok(prc_bytes_print(out, &err, ")%s", die(r, 3) ? "" : "^2"), &err);
}

START_TEST(derivatives_are_those_of_the_values) {
  enum { N = 400 };
  const double h = 2e-3;
  prc_random r = {7};
  for (int k = 0; k < N; k++) {
    prc_error err = {0};
    prc_expression *f = NULL;
    prc_bytes text = {0};
    double v[5], d[3];
    write_smooth(&r, 2, &text);
    support_ok(prc_expression_create(text.at, "t", &f, &err), &err);
    const prc_field field = prc_expression_field(f);
    const double t = prc_random_uniform(&r, -1.0, 1.0);
    for (int i = 0; i < 5; i++)
      support_ok(prc_field_eval(&field, 0.0, 0.0, t + (i - 2) * h, &v[i], &err), &err);
    support_ok(prc_field_derivatives(&field, 0.0, 0.0, t, 0.0, d, &err), &err);
    const double first = (v[0] - 8.0 * v[1] + 8.0 * v[3] - v[4]) / (12.0 * h);
    const double second = (-v[0] + 16.0 * v[1] - 30.0 * v[2] + 16.0 * v[3] - v[4]) / (12.0 * h * h);
    const double size = 1.0 + fabs(v[2]) + fabs(d[1]) + fabs(d[2]);
    ck_assert_msg(fabs(d[1] - first) <= 1e-8 * size && fabs(d[2] - second) <= 1e-6 * size,
                  "%s at %.17g: %.12g %.12g, expected %.12g %.12g", text.at, t, d[1], d[2], first, second);
    prc_expression_free(&f);
    prc_delete(&text.at);
  }
}
END_TEST

/* ---- fields that do not know theirs ---------------------------------------------------------------------------------------- */

static prc_status quartic(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  const double *end = field->data;
  (void)x, (void)y;
  if (t > *end) return prc_fail(err, PRC_INPUT, "it ends at %g", *end);
  *value = 1.0 + t * (2.0 + t * (3.0 + t * (4.0 + t * 5.0)));
  return PRC_OK;
}

static prc_status wave(const prc_field *field, double x, double y, double t, double *value, prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = sin(t);
  return PRC_OK;
}

START_TEST(differences_take_their_place) {
  double end = 10.0, out[3];
  prc_error err = {0};
  const prc_field poly = {.eval = quartic, .data = &end, .uses_time = 1},
                  sine = {.eval = wave, .uses_time = 1};
  for (int side = 0; side < 2; side++) { /* to the right, and to the left where it ends */
    const double t = 0.5;
    end = side ? t : 10.0;
    support_ok(prc_field_derivatives(&poly, 0.0, 0.0, t, 0.1, out, &err), &err);
    ck_assert_double_eq_tol(out[0], 1 + t * (2 + t * (3 + t * (4 + t * 5))), 1e-15);
    ck_assert_double_eq_tol(out[1], 2 + 6 * t + 12 * t * t + 20 * t * t * t, 1e-12);
    ck_assert_double_eq_tol(out[2], 6 + 24 * t + 60 * t * t, 1e-10);
  }
  for (double h = 0.1; h > 0.01; h /= 2.0) { /* the bounds that the header gives */
    support_ok(prc_field_derivatives(&sine, 0.0, 0.0, 1.0, h, out, &err), &err);
    ck_assert_double_le(fabs(out[1] - cos(1.0)), pow(h / 4, 4) / 5 + 43 * DBL_EPSILON / h);
    ck_assert_double_le(fabs(out[2] + sin(1.0)), 5.0 / 6.0 * pow(h / 4, 3) + 430 * DBL_EPSILON / (h * h));
  }
  const prc_field rest = prc_field_constant(3.0);
  support_ok(prc_field_derivatives(&rest, 0.0, 0.0, 1.0, 0.1, out, &err), &err);
  ck_assert(out[0] == 3.0 && out[1] == 0.0 && out[2] == 0.0);
}
END_TEST

/* ---- what is driven ------------------------------------------------------------------------------------------------------------ */

static const char driven[] =
    "mesh: {file: block.geo}\n"
    "model: {plane: strain}\n"
    "materials:\n"
    "  block: {young: 100, poisson: 0.3, density: 1}\n"
    "supports:\n"
    "  top: {group: top, x: '0.1*x*sin(3*t)', y: 'abs(t - 0.5)*t'}\n"
    "bodies:\n"
    "  still: {position: [9, 9], angle: 1, disc: 0.5, fixed: true}\n"
    "  arm: {position: [5, 2], angle: 0.3, disc: 0.5, motion: {x: 't^2', rotation: '2*(cos(5*t) - 1)'}}\n"
    "time: {end: 1, step: 0.01}\n";
static const char square[] =
    "Point(1) = {0, 0, 0, 1};\nPoint(2) = {1, 0, 0, 1};\nPoint(3) = {1, 1, 0, 1};\n"
    "Point(4) = {0, 1, 0, 1};\nLine(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\n"
    "Line(4) = {4, 1};\nLine Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n"
    "Physical Line(\"top\") = {3};\nPhysical Surface(\"block\") = {1};\n";

static void write(const char *name, const char *text) {
  FILE *file = fopen(support_build(name), "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_is_driven_knows_its_acceleration) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  double a[64] = {0.0};
  int rotations = 0, ends = 0;
  write("check_derivatives.yaml", driven);
  write("block.geo", square);
  support_ok(prc_case_read(support_build("check_derivatives.yaml"), 0, NULL, &c, &err), &err);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_drive *drive = &model->system->drive;
  ck_assert(drive->acceleration != NULL);
  ck_assert_int_le(drive->n, 64);
  for (double t = 0.25; t < 1.0; t += 0.25) { /* at 0.5 a kink: t (t - 0.5) goes on */
    support_ok(drive->acceleration(model->system->owner, t, a, &err), &err);
    const int mesh_rows = drive->n - 6;
    for (int i = 0; i < mesh_rows; i++) {
      const double X = model->mesh->x[2 * (drive->dof[i] / 2)];
      const double expected = drive->dof[i] % 2 == 0 ? -0.9 * X * sin(3.0 * t) : t < 0.5 ? -2.0 : 2.0;
      ck_assert_double_eq_tol(a[i], expected, 1e-12);
      ends++;
    }
    const double arm[3] = {2.0, 0.0, -50.0 * cos(5.0 * t)};
    for (int k = 0; k < 3; k++) {
      ck_assert(a[mesh_rows + k] == 0.0);
      ck_assert_double_eq_tol(a[mesh_rows + 3 + k], arm[k], 1e-12 * (1.0 + fabs(arm[k])));
      rotations++;
    }
  }
  ck_assert(ends > 0 && rotations == 9);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

SUITE(derivatives) {
  Suite *s = suite_create("derivatives");
  TCase *t = tcase_create("formulas");
  tcase_set_timeout(t, 60.0);
  tcase_add_test(t, smooth_formulas_have_their_derivatives);
  tcase_add_test(t, what_rests_has_zeros);
  tcase_add_test(t, kinks_are_seen_from_the_right);
  tcase_add_test(t, what_has_none_says_so);
  tcase_add_test(t, formulas_are_read_as_muparser_reads_them);
  tcase_add_test(t, derivatives_are_those_of_the_values);
  tcase_add_test(t, differences_take_their_place);
  tcase_add_test(t, what_is_driven_knows_its_acceleration);
  suite_add_tcase(s, t);
  return s;
}
