#include "config.h"
#include "case/internal.h"

#include <muParserDLL.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* muParser keeps the text of an error and its token in one static buffer, so that one must be copied
 * before asking for the other, and two threads must not parse at once. An expression keeps the values of
 * its variables: two threads must not evaluate the same one. */
struct prc_expression {
  muParserHandle_t parser;
  double t, x, y, i;
  int uses_t, uses_x, uses_y, uses_i;
  uint64_t seed;
  double constant; /* the value, when no variable is used */
  char *text, *label;
  char *work; /* the text as it is parsed: as long, with _T0(...) for the first table(file, ...) */
  int n_tables;
  prc_lookup *table;          /* n_tables */
  uint64_t identity;          /* of its parameters and tables */
  prc_derivative *derivative; /* of one that varies with t; NULL: ... */
  char *unknown;              /* ... and why it has none */
};

uint64_t prc_expression_hash(const prc_expression *f, uint64_t hash) {
  return f->uses_t ? prc_expression_identity(f, hash) : hash;
}

uint64_t prc_expression_identity(const prc_expression *f, uint64_t hash) {
  hash = prc_hash(hash, f->text, strlen(f->text) + 1);
  return f->identity == PRC_HASH_START ? hash : prc_hash(hash, &f->identity, sizeof f->identity);
}

/* ---- what muParser lacks ------------------------------------------------------------------------------- */

static double sgn(double x) {
  return (double)((x > 0.0) - (x < 0.0)) + (isnan(x) ? x : 0.0);
}
static double heaviside(double x) {
  return 0.5 * (1.0 + sgn(x));
}
static double mod(double a, double b) {
  return a - b * floor(a / b);
}
static double select_value(double condition, double a, double b) {
  return condition != 0.0 ? a : b;
}
static double logical_and(double a, double b) {
  return a != 0.0 && b != 0.0;
}
static double logical_or(double a, double b) {
  return a != 0.0 || b != 0.0;
}

/* Steele, Lea & Flood, "Fast splittable pseudorandom number generators": the state moves on by the golden ratio and by what is
 * added, and is mixed. */
static uint64_t mix(uint64_t state, uint64_t add) {
  state += add + UINT64_C(0x9e3779b97f4a7c15);
  state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
  return state ^ (state >> 31);
}

double prc_case_random(uint64_t seed, double i, double k) {
  const double number[] = {i + 0.0, k + 0.0}; /* -0 is 0 */
  uint64_t state = mix(0, seed), bits;
  for (int n = 0; n < 2; n++) {
    memcpy(&bits, &number[n], sizeof bits);
    state = mix(state, bits);
  }
  return (double)(state >> 11) * 0x1p-53;
}
static double random_number(void *expression, double i, double k) {
  return prc_case_random(((const prc_expression *)expression)->seed, i, k);
}

static double find_value(void *data, double s) {
  prc_lookup *table = data;
  double d[3];
  if (!prc_history_evaluate(table->history, s, 0, d) && !table->outside) table->outside = 1, table->asked = s;
  return d[0];
}

static const struct {
  const char *name;
  muFun1_t f;
} ours[] = {{"sgn", sgn}, {"floor", floor}, {"ceil", ceil}, {"heaviside", heaviside}};

const char *prc_expression_help(int i, const char **help) {
  static const char *const line[][2] = {
      {"pi, e", "3.14159..., 2.71828..."},
      {"+ - * / ^", "^ is the power, from the right: 2^3^2 = 2^9; -t^2 is -(t^2)"},
      {"< > <= >= == !=", "1 if true, else 0"},
      {"&& || and or", "logic on numbers: 0 is false, anything else is true"},
      {"a ? b : c, if(a, b, c)", "b if a is true, else c; if() evaluates both"},
      {"sgn(x), sign(x)", "-1, 0 or 1; sgn(0) = 0"},
      {"heaviside(x)", "0 for x < 0, 1 for x > 0, 1/2 at 0"},
      {"floor(x), ceil(x), rint(x)", "next whole number below, above, nearest"},
      {"mod(a, b)", "a - b floor(a / b): has the sign of b"},
      {"abs(x), sqrt(x), exp(x)", ""},
      {"ln(x), log(x), log10(x), log2(x)", "ln and log are the natural logarithm"},
      {"sin cos tan asin acos atan atan2", "angles in radians; atan2(y, x)"},
      {"sinh cosh tanh asinh acosh atanh", ""},
      {"min, max, sum, avg", "of any number of arguments"},
      {"random(i, k)", "in [0, 1): another number for each i, k (or x, y) and `seed`"},
      {"table(FILE, t)", "the second column of a file over its first, see below"},
  };
  if (i < 0 || i >= (int)(sizeof line / sizeof line[0])) return NULL;
  *help = line[i][1];
  return line[i][0];
}

static void ignore_error(muParserHandle_t parser) {
  (void)parser; /* mupError is asked instead */
}

static void define_names(prc_expression *expression, const char *variables) {
  muParserHandle_t parser = expression->parser;
  mupSetErrorHandler(parser, ignore_error);
  mupClearConst(parser); /* its own _pi has 12 digits */
  mupDefineConst(parser, "pi", 3.14159265358979323846);
  mupDefineConst(parser, "e", 2.71828182845904523536);
  for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) mupDefineFun1(parser, ours[i].name, ours[i].f, 1);
  mupDefineFun2(parser, "mod", mod, 1);
  mupDefineFun3(parser, "if", select_value, 1);
  mupDefineFunUserData2(parser, "random", random_number, expression, 1);
  mupDefineOprt(parser, "and", logical_and, 2, muOPRT_ASCT_LEFT, 1); /* precedence of && ... */
  mupDefineOprt(parser, "or", logical_or, 1, muOPRT_ASCT_LEFT, 1);   /* ... and of || */
  for (int k = 0; k < expression->n_tables; k++) {
    char name[16];
    snprintf(name, sizeof name, PRC_TABLE_NAME "%d", k);
    mupDefineFunUserData1(parser, name, find_value, &expression->table[k], 1);
  }
  if (strchr(variables, 't')) mupDefineVar(parser, "t", &expression->t);
  if (strchr(variables, 'x')) mupDefineVar(parser, "x", &expression->x);
  if (strchr(variables, 'y')) mupDefineVar(parser, "y", &expression->y);
  if (strchr(variables, 'i')) mupDefineVar(parser, "i", &expression->i);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static prc_status refuse_parse(prc_expression *expression, const prc_case *c, const char *variables,
                               size_t *position, prc_error *err) {
  enum { UNKNOWN_TOKEN = 1 };
  muParserHandle_t parser = expression->parser;
  char text[256], token[64];
  const size_t length = strlen(expression->text);
  const int at = mupGetErrorPos(parser);
  *position = at < 0 ? 0 : (size_t)at < length ? (size_t)at : length;
  snprintf(token, sizeof token, "%s", mupGetErrorToken(parser));
  for (size_t n = strlen(token); n && token[n - 1] == ' '; n--) token[n - 1] = '\0';
  if (mupGetErrorCode(parser) == UNKNOWN_TOKEN) return prc_expression_refuse_name(c, token, variables, err);
  snprintf(text, sizeof text, "%s", mupGetErrorMsg(parser));
  static const char *const tails[] = {" found at position", " at position", " at expression position"};
  for (size_t i = 0; i < sizeof tails / sizeof tails[0];
       i++) { /* its positions count from 0: ours are said instead */
    char *tail = strstr(text, tails[i]);
    if (tail) *tail = '\0';
  }
  return prc_fail(err, PRC_INPUT, "%s in '%s', expected an expression", text, expression->text);
}

/* muParser's memory grows with the length, its stack with the depth. What it says of an error it copies into
 * 2048 bytes, however much that is: the whole expression may be in it, and less than 200 bytes of its own. */
static prc_status refuse_excess(const char *text, size_t *position, prc_error *err) {
  enum { LONGEST = 1500, DEEPEST = 200 };
  int depth = 0;
  if (strlen(text) > LONGEST)
    return prc_fail(err, PRC_INPUT, "an expression of %zu characters, expected at most %d", strlen(text),
                    (int)LONGEST);
  for (size_t k = 0; text[k]; k++) {
    depth += (text[k] == '(') - (text[k] == ')');
    *position = k;
    if (depth > DEEPEST)
      return prc_fail(err, PRC_INPUT, "parentheses within parentheses, expected at most %d", (int)DEEPEST);
  }
  *position = 0;
  return PRC_OK;
}

/* muParser would assign to our variable. */
static prc_status refuse_assignment(const char *text, size_t *position, prc_error *err) {
  for (const char *s = text; (s = strchr(s, '=')); s++) {
    if (s[1] == '=') {
      s++;
      continue;
    }
    if (s > text && strchr("<>!", s[-1])) continue;
    *position = (size_t)(s - text);
    return prc_fail(err, PRC_INPUT,
                    "a single '=' in '%s', expected an expression; comparisons are ==, <=, >=, !=", text);
  }
  return PRC_OK;
}

static const char *infinity_name(double value) {
  return isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}

static prc_status refuse_value(const prc_expression *f, double value, prc_error *err) {
  char where[128] = "";
  const struct {
    const char *name;
    int used;
    double value;
  } variable[] = {
      {"t", f->uses_t, f->t}, {"x", f->uses_x, f->x}, {"y", f->uses_y, f->y}, {"i", f->uses_i, f->i}};
  for (size_t i = 0; i < sizeof variable / sizeof *variable; i++)
    if (variable[i].used)
      prc_append(where, sizeof where, "%s%s = %.9g", *where ? ", " : " at ", variable[i].name,
                 variable[i].value);
  const char *label = f->label ? f->label : "", *colon = f->label ? ": " : "";
  if (isfinite(value))
    return prc_fail(err, PRC_INPUT, "%s%s%s is %g%s, expected a size of at most %g; choose other units",
                    label, colon, f->text, value, where, PRC_CASE_LARGEST);
  return prc_fail(err, PRC_INPUT, "%s%s%s is %s%s, expected a finite number", label, colon, f->text,
                  infinity_name(value), where);
}

static prc_status refuse_outside(const prc_expression *f, const prc_lookup *table, prc_error *err) {
  double first, last;
  char where[64] = "";
  prc_history_range(table->history, &first, &last);
  if (f->uses_t) snprintf(where, sizeof where, " at t = %.9g", f->t);
  return prc_fail(
      err, PRC_INPUT,
      "%s%s%s asks for the row of %.9g%s, and the table '%s' goes from %.9g to %.9g; expected a longer "
      "one, or table(..., hold), which keeps its first and last value",
      f->label ? f->label : "", f->label ? ": " : "", f->text, table->asked, where,
      prc_history_path(table->history), first, last);
}

static const prc_lookup *find_outside(const prc_expression *f) {
  for (int k = 0; k < f->n_tables; k++)
    if (f->table[k].outside) return &f->table[k];
  return NULL;
}

/* Parameters are constants: muParser and derivatives fold them. */
static void define_parameters(prc_expression *f, const prc_case *c) {
  size_t length;
  for (const char *word = f->work; c && (word = prc_expression_word(word, &length)); word += length) {
    prc_case_parameter *parameter = prc_case_find_parameter(c, word, length);
    if (!parameter) continue;
    parameter->used = 1;
    mupDefineConst(f->parser, parameter->name, parameter->value);
    f->identity = prc_hash(f->identity, parameter->name, length);
    f->identity = prc_hash(f->identity, &parameter->value, sizeof parameter->value);
  }
}

/* ---- life ---------------------------------------------------------------------------------------------- */

static void find_variables(prc_expression *expression) {
  const int n = mupGetExprVarNum(expression->parser);
  for (int i = 0; i < n; i++) {
    const char *name = NULL;
    double *value = NULL;
    mupGetExprVar(expression->parser, (unsigned)i, &name, &value);
    if (value == &expression->t) expression->uses_t = 1;
    if (value == &expression->x) expression->uses_x = 1;
    if (value == &expression->y) expression->uses_y = 1;
    if (value == &expression->i) expression->uses_i = 1;
  }
}

/* muParser parses when it first evaluates. A value that is not finite at 0 is judged where it is used,
 * unless the expression is constant. */
static prc_status parse(prc_expression *expression, const prc_case *c, const char *variables,
                        size_t *position, prc_error *err) {
  int n_values = 0;
  mupSetExpr(expression->parser, expression->work);
  if (mupError(expression->parser)) return refuse_parse(expression, c, variables, position, err);
  const double *value = mupEvalMulti(expression->parser, &n_values);
  if (mupError(expression->parser) || !value) return refuse_parse(expression, c, variables, position, err);
  if (n_values != 1)
    return prc_fail(err, PRC_INPUT, "'%s' has %d values, expected one", expression->text, n_values);
  expression->constant = value[0];
  find_variables(expression);
  const int varies = expression->uses_t || expression->uses_x || expression->uses_y || expression->uses_i;
  const prc_lookup *outside = find_outside(expression);
  if (!varies && outside) return refuse_outside(expression, outside, err);
  if (!varies && !isfinite(expression->constant)) return refuse_value(expression, expression->constant, err);
  return PRC_OK;
}

/* That there are no derivatives is told where they are asked for. */
static prc_status derive(prc_expression *expression, const prc_case *c, prc_error *err) {
  prc_error unknown = {0};
  const prc_history **table = NULL;
  if (!expression->uses_t) return PRC_OK;
  prc_status status = prc_new(&table, expression->n_tables, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < expression->n_tables; k++) table[k] = expression->table[k].history;
  status = prc_derivative_create(expression->work, c, table, expression->n_tables, &expression->derivative,
                                 &unknown);
  prc_delete(&table);
  if (status == PRC_INPUT) return prc_strdup(unknown.message, &expression->unknown, err);
  if (status != PRC_OK) *err = unknown;
  return status;
}

static void identify(prc_expression *f) {
  for (int k = 0; k < f->n_tables; k++) {
    const uint64_t identity = prc_history_identity(f->table[k].history);
    f->identity = prc_hash(f->identity, &identity, sizeof identity);
  }
}

prc_status prc_expression_compile(const char *text, const char *variables, const prc_vocabulary *names,
                                  prc_expression **out, size_t *position, prc_error *err) {
  prc_status status = PRC_OK;
  prc_expression *expression = NULL;
  const prc_case *c = names ? names->c : NULL;
  *position = 0;
  prc_try(prc_new(&expression, 1, err));
  prc_try(prc_strdup(text, &expression->text, err));
  expression->seed = c ? (uint64_t)c->seed : 0, expression->identity = PRC_HASH_START;
  prc_try(refuse_excess(text, position, err));
  prc_try(prc_tables_replace(text, names, &expression->work, &expression->table, &expression->n_tables,
                             position, err));
  prc_try(refuse_assignment(expression->work, position, err));
  if (!(expression->parser = mupCreate(muBASETYPE_FLOAT))) prc_try(prc_fail(err, PRC_NOMEM, "out of memory"));
  define_names(expression, variables);
  define_parameters(expression, c);
  identify(expression);
  prc_try(parse(expression, c, variables, position, err));
  prc_try(derive(expression, c, err));
  *out = expression, expression = NULL;
done:
  prc_expression_free(&expression);
  return status;
}

prc_status prc_expression_create(const char *text, const char *variables, prc_expression **out,
                                 prc_error *err) {
  prc_need(text, err);
  prc_need(variables, err);
  prc_need(out, err);
  size_t position;
  const prc_status status = prc_expression_compile(text, variables, NULL, out, &position, err);
  if (status == PRC_INPUT) prc_error_context(err, "position %zu", position + 1);
  return status;
}

void prc_expression_free(prc_expression **expression) {
  if (!*expression) return;
  if ((*expression)->parser) mupRelease((*expression)->parser);
  prc_delete(&(*expression)->text);
  prc_delete(&(*expression)->work);
  prc_delete(&(*expression)->table);
  prc_delete(&(*expression)->label);
  prc_delete(&(*expression)->unknown);
  prc_derivative_free(&(*expression)->derivative);
  prc_delete(expression);
}

prc_status prc_expression_label(prc_expression *expression, const char *label, prc_error *err) {
  prc_delete(&expression->label);
  return prc_strdup(label, &expression->label, err);
}

static prc_status evaluate(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *err) {
  prc_expression *expression = field->data;
  expression->t = t, expression->x = x, expression->y = y;
  for (int k = 0; k < expression->n_tables; k++) expression->table[k].outside = 0;
  *value = mupEval(expression->parser);
  const prc_lookup *outside = find_outside(expression);
  if (outside) return refuse_outside(expression, outside, err);
  if (mupError(expression->parser))
    return prc_fail(err, PRC_INPUT, "%s%s'%s' cannot be evaluated",
                    expression->label ? expression->label : "", expression->label ? ": " : "",
                    expression->text);
  return fabs(*value) <= PRC_CASE_LARGEST ? PRC_OK : refuse_value(expression, *value, err);
}

static prc_status derivatives(const prc_field *field, double x, double y, double t, double out[3],
                              prc_error *err) {
  prc_expression *f = field->data;
  const char *label = f->label ? f->label : "", *colon = f->label ? ": " : "";
  if (!f->derivative)
    return prc_fail(err, PRC_INPUT, "%s%s%s cannot be differentiated: %s", label, colon, f->text, f->unknown);
  prc_derivative_evaluate(f->derivative, t, x, y, f->i, out);
  if (isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2])) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "%s%s%s is %g at t = %.9g, and its first two derivatives are %g and %g, expected finite "
                  "numbers",
                  label, colon, f->text, out[0], t, out[1], out[2]);
}

static double next_node(const prc_field *field, double x, double y, double from, double to) {
  prc_expression *f = field->data;
  return prc_derivative_next_node(f->derivative, x, y, f->i, from, to);
}

prc_status prc_expression_try_times(prc_expression *f, double end, prc_error *err) {
  enum { TIMES = 256 };
  const prc_field field = {.data = f};
  double value;
  prc_status status = PRC_OK;
  if (!f->uses_t || f->uses_x || f->uses_y || f->uses_i) return PRC_OK;
  for (int k = 0; k <= (f->n_tables > 0 ? TIMES : -1) && status == PRC_OK; k++)
    status = evaluate(&field, 0.0, 0.0, end * (double)k / TIMES, &value, err);
  return status;
}

prc_status prc_expression_of_number(prc_expression *expression, int i, double *value, prc_error *err) {
  const prc_field field = {.data = expression};
  expression->i = i;
  return evaluate(&field, 0.0, 0.0, 0.0, value, err);
}

int prc_expression_uses_number(const prc_expression *expression) {
  return expression->uses_i;
}

prc_field prc_expression_field(prc_expression *expression) {
  prc_field field = prc_field_constant(expression->constant);
  field.uses_time = expression->uses_t;
  field.uses_place = expression->uses_x || expression->uses_y;
  if (!field.uses_time && !field.uses_place) return field;
  field.eval = evaluate;
  if (field.uses_time) field.derivatives = derivatives;
  if (expression->derivative && expression->n_tables > 0) field.next_node = next_node;
  field.data = expression;
  return field;
}
