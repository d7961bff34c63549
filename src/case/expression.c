#include "config.h"
#include "case/internal.h"

#include <muParserDLL.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

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
  prc_derivative *derivative; /* of one that varies with t; NULL: ... */
  char *unknown;              /* ... and why it has none */
};

const char *prc_expression_of_time(const prc_expression *expression) {
  return expression->uses_t ? expression->text : NULL;
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
      {"random(i, k)", "in [0, 1): another number for each i, k and `seed`"},
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
  if (strchr(variables, 't')) mupDefineVar(parser, "t", &expression->t);
  if (strchr(variables, 'x')) mupDefineVar(parser, "x", &expression->x);
  if (strchr(variables, 'y')) mupDefineVar(parser, "y", &expression->y);
  if (strchr(variables, 'i')) mupDefineVar(parser, "i", &expression->i);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void list_variables(const char *variables, char *text, size_t size) {
  text[0] = '\0';
  for (const char *v = variables; *v; v++) prc_append(text, size, "%s%c", *text ? ", " : "", *v);
}

/* The word of the reference that is nearest to the token, or NULL; first of all the longest that begins
 * it. */
static const char *nearest_name(const char *token, char *name, size_t size) {
  const char *line, *help, *near = NULL;
  size_t begins = 0;
  for (int i = 0; (line = prc_expression_help(i, &help)); i++)
    while (*line) {
      char word[16];
      const size_t skip = strcspn(line, LETTERS), length = strspn(line + skip, LETTERS DIGITS);
      line += skip;
      snprintf(word, sizeof word, "%.*s", (int)length, line);
      line += length;
      const int prefix = length > begins && strncmp(token, word, length) == 0;
      if (length < 2 || word[0] != token[0] || (begins && !prefix)) continue;
      if (prc_nearest_name(token, prefix ? NULL : near, word) != word) continue;
      if (prefix) begins = length;
      snprintf(name, size, "%s", word);
      near = name;
    }
  return near;
}

static prc_status refuse_name(const char *token, const char *variables, prc_error *err) {
  char allowed[16], name[16], hint[48] = "";
  list_variables(variables, allowed, sizeof allowed);
  if (!isalpha((unsigned char)token[0]))
    return prc_fail(err, PRC_INPUT, "unexpected '%s', expected a number or an expression", token);
  const int variable = token[1] == '\0' && strchr("txyi", token[0]); /* elsewhere it is one */
  if (token[0] == 'i' && variable)
    return prc_fail(
        err, PRC_INPUT,
        "unknown name 'i', expected it only in a body that there are several of, by count or from");
  if (variable && !allowed[0])
    return prc_fail(err, PRC_INPUT, "unknown name '%s', expected no variable here", token);
  if (variable)
    return prc_fail(err, PRC_INPUT, "unknown name '%s', expected of variables only %s", token, allowed);
  if (nearest_name(token, name, sizeof name)) snprintf(hint, sizeof hint, "; did you mean '%s'?", name);
  return prc_fail(err, PRC_INPUT, "unknown function or name '%s', expected %s%s or a function such as sin%s",
                  token,
                  !allowed[0]  ? "a number"
                  : allowed[1] ? "the variables "
                               : "the variable ",
                  allowed, hint);
}

static prc_status refuse_parse(prc_expression *expression, const char *variables, size_t *position,
                               prc_error *err) {
  enum { UNKNOWN_TOKEN = 1 };
  muParserHandle_t parser = expression->parser;
  char text[256], token[64];
  const size_t length = strlen(expression->text);
  const int at = mupGetErrorPos(parser);
  *position = at < 0 ? 0 : (size_t)at < length ? (size_t)at : length;
  snprintf(token, sizeof token, "%s", mupGetErrorToken(parser));
  for (size_t n = strlen(token); n && token[n - 1] == ' '; n--) token[n - 1] = '\0';
  if (mupGetErrorCode(parser) == UNKNOWN_TOKEN) return refuse_name(token, variables, err);
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
static prc_status parse(prc_expression *expression, const char *variables, size_t *position, prc_error *err) {
  int n_values = 0;
  mupSetExpr(expression->parser, expression->text);
  if (mupError(expression->parser)) return refuse_parse(expression, variables, position, err);
  const double *value = mupEvalMulti(expression->parser, &n_values);
  if (mupError(expression->parser) || !value) return refuse_parse(expression, variables, position, err);
  if (n_values != 1)
    return prc_fail(err, PRC_INPUT, "'%s' has %d values, expected one", expression->text, n_values);
  expression->constant = value[0];
  find_variables(expression);
  const int varies = expression->uses_t || expression->uses_x || expression->uses_y || expression->uses_i;
  if (!varies && !isfinite(expression->constant)) return refuse_value(expression, expression->constant, err);
  return PRC_OK;
}

/* That there are no derivatives is told where they are asked for. */
static prc_status derive(prc_expression *expression, prc_error *err) {
  prc_error unknown = {0};
  if (!expression->uses_t) return PRC_OK;
  const prc_status status =
      prc_derivative_create(expression->text, expression->seed, &expression->derivative, &unknown);
  if (status == PRC_INPUT) return prc_strdup(unknown.message, &expression->unknown, err);
  if (status != PRC_OK) *err = unknown;
  return status;
}

prc_status prc_expression_compile(const char *text, const char *variables, uint64_t seed,
                                  prc_expression **out, size_t *position, prc_error *err) {
  prc_status status = PRC_OK;
  prc_expression *expression = NULL;
  *position = 0;
  prc_try(prc_new(&expression, 1, err));
  prc_try(prc_strdup(text, &expression->text, err));
  expression->seed = seed;
  prc_try(refuse_excess(text, position, err));
  prc_try(refuse_assignment(text, position, err));
  if (!(expression->parser = mupCreate(muBASETYPE_FLOAT))) prc_try(prc_fail(err, PRC_NOMEM, "out of memory"));
  define_names(expression, variables);
  prc_try(parse(expression, variables, position, err));
  prc_try(derive(expression, err));
  *out = expression, expression = NULL;
done:
  prc_expression_free(&expression);
  return status;
}

prc_status prc_expression_create(const char *text, const char *variables, prc_expression **out,
                                 prc_error *err) {
  size_t position;
  const prc_status status = prc_expression_compile(text, variables, 0, out, &position, err);
  if (status == PRC_INPUT) prc_error_context(err, "position %zu", position + 1);
  return status;
}

void prc_expression_free(prc_expression **expression) {
  if (!*expression) return;
  if ((*expression)->parser) mupRelease((*expression)->parser);
  prc_delete(&(*expression)->text);
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
  *value = mupEval(expression->parser);
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
  field.data = expression;
  return field;
}
