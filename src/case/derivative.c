#include "config.h"
#include "case/internal.h"
#include "case/taylor.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The derivatives in time of an expression: muParser has none, so its text is read once more, into a program for a stack, which is worked through
 * with Taylor series (taylor.h). The grammar is that of muParser with its operators and those of ours:
 *
 *   choice = or [ ? choice : choice ]     or = and { || and }     and = relation { && relation }     relation = sum { (< > <= >= == !=) sum }
 *   sum = term { (+ -) term }     term = sign { (* /) sign }     sign = [+ -] sign | power     power = atom [ ^ sign ]
 *   atom = number | name | _Tk ( choice ) | name ( choice { , choice } ) | ( choice )
 *
 * Where it cannot be read there are no derivatives, and the first word that is not known says why. */

typedef struct {
  const prc_taylor_function *function; /* NULL: a number or a variable goes on the stack ... */
  const prc_history *table;            /* ... or the value of a table takes the place of what is on it */
  int n;                               /* arguments of the function; or the variable, -1: a number */
  double number;
} instruction;

struct prc_derivative {
  instruction *code;
  size_t n, capacity;
  prc_taylor *stack;
  prc_taylor *argument; /* where arguments of tables are put; NULL: nowhere */
  int depth, deepest;   /* of the stack, as it is read */
  uint64_t seed;
  const prc_case *c; /* as it is read, and ... */
  const prc_history *const *table;
  int n_tables;
  const char *at; /* ... where the reading stands */
  char unknown[32];
  prc_error *err;
};

static prc_status choice(prc_derivative *d);

/* ---- the program ------------------------------------------------------------------------------------------------------- */

static prc_status append(prc_derivative *d, const instruction *next) {
  const prc_status status = prc_grow(&d->code, &d->capacity, d->n + 1, sizeof *d->code, d->err);
  if (status != PRC_OK) return status;
  d->code[d->n++] = *next;
  d->depth += next->table ? 0 : next->function ? 1 - next->n : 1;
  if (d->depth > d->deepest) d->deepest = d->depth;
  return PRC_OK;
}

static prc_status append_function(prc_derivative *d, const prc_taylor_function *function, int n) {
  return append(d, &(instruction){.function = function, .n = n});
}

static prc_status append_operator(prc_derivative *d, const char *name) {
  const prc_taylor_function *function = prc_taylor_operator(name);
  return append_function(d, function, function->n_arguments);
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static void skip_blanks(prc_derivative *d) {
  while (isspace((unsigned char)*d->at)) d->at++;
}

/* Goes on behind the text if it stands here; a word ends where letters do. */
static int follows(prc_derivative *d, const char *text) {
  const size_t length = strlen(text);
  skip_blanks(d);
  if (strncmp(d->at, text, length) != 0) return 0;
  if (isalpha((unsigned char)text[0]) && (isalnum((unsigned char)d->at[length]) || d->at[length] == '_'))
    return 0;
  d->at += length;
  return 1;
}

static prc_status refuse(prc_derivative *d) {
  skip_blanks(d);
  size_t length = 0;
  while (isalnum((unsigned char)d->at[length]) || d->at[length] == '_') length++;
  if (length == 0 && *d->at) length = 1;
  if (length >= sizeof d->unknown) length = sizeof d->unknown - 1;
  memcpy(d->unknown, d->at, length);
  d->unknown[length] = '\0';
  return prc_fail(d->err, PRC_INPUT, "'%s' is not known to derivatives", d->unknown);
}

static prc_status expect(prc_derivative *d, const char *text) {
  return follows(d, text) ? PRC_OK : refuse(d);
}

static prc_status read_number(prc_derivative *d) {
  char *end;
  const instruction constant = {.n = -1, .number = prc_strtod(d->at, &end)};
  if (end == d->at) return refuse(d);
  d->at = end;
  return append(d, &constant);
}

static prc_status read_call(prc_derivative *d, const prc_taylor_function *function) {
  prc_status status = PRC_OK;
  int n = 0;
  prc_try(expect(d, "("));
  do {
    prc_try(choice(d));
    n++;
  } while (follows(d, ","));
  prc_try(expect(d, ")"));
  if (function->n_arguments != PRC_TAYLOR_SEVERAL && function->n_arguments != n) return refuse(d);
  prc_try(append_function(d, function, n));
done:
  return status;
}

/* _T0(choice) */
static prc_status read_table(prc_derivative *d) {
  prc_status status = PRC_OK;
  int k = 0;
  if (!follows(d, PRC_TABLE_NAME) || !isdigit((unsigned char)*d->at)) return refuse(d);
  while (isdigit((unsigned char)*d->at) && k < d->n_tables) k = 10 * k + (*d->at++ - '0');
  if (k >= d->n_tables) return refuse(d);
  prc_try(expect(d, "("));
  prc_try(choice(d));
  prc_try(expect(d, ")"));
  prc_try(append(d, &(instruction){.table = d->table[k]}));
done:
  return status;
}

static prc_status read_name(prc_derivative *d) {
  static const char variables[] = "txyi";
  size_t length = 0;
  while (isalnum((unsigned char)d->at[length]) || d->at[length] == '_') length++;
  const char *name = d->at, *variable = length == 1 ? strchr(variables, name[0]) : NULL;
  const prc_taylor_function *function = prc_taylor_find(name, length);
  const prc_case_parameter *parameter = prc_case_find_parameter(d->c, name, length);
  const int is_pi = length == 2 && memcmp(name, "pi", 2) == 0, is_e = length == 1 && name[0] == 'e';
  if (!variable && !function && !parameter && !is_pi && !is_e) return refuse(d);
  d->at += length;
  if (function) return read_call(d, function);
  if (variable) return append(d, &(instruction){.n = (int)(variable - variables)});
  return append(d, &(instruction){.n = -1, .number = parameter ? parameter->value : is_pi ? M_PI : M_E});
}

static prc_status atom(prc_derivative *d) {
  prc_status status = PRC_OK;
  skip_blanks(d);
  if (isdigit((unsigned char)*d->at) || *d->at == '.') return read_number(d);
  if (isalpha((unsigned char)*d->at)) return read_name(d);
  if (*d->at == '_') return read_table(d);
  prc_try(expect(d, "("));
  prc_try(choice(d));
  prc_try(expect(d, ")"));
done:
  return status;
}

static prc_status sign(prc_derivative *d) {
  prc_status status = PRC_OK;
  const int minus = follows(d, "-"), plus = !minus && follows(d, "+");
  if (minus || plus) {
    prc_try(sign(d));
    return append_operator(d, minus ? "neg" : "pos");
  }
  prc_try(atom(d));
  if (!follows(d, "^")) return PRC_OK;
  prc_try(sign(d));
  prc_try(append_operator(d, "^"));
done:
  return status;
}

/* Operators of one level, from the left: names[k] as it is written, and as it is called. */
typedef struct {
  const char *written, *name;
} spelling;

static prc_status level(prc_derivative *d, prc_status (*operand)(prc_derivative *), const spelling *list) {
  prc_status status = PRC_OK;
  const spelling *found;
  prc_try(operand(d));
  do {
    for (found = list; found->written && !follows(d, found->written);) found++;
    if (!found->written) break;
    prc_try(operand(d));
    prc_try(append_operator(d, found->name));
  } while (1);
done:
  return status;
}

static prc_status term(prc_derivative *d) {
  return level(d, sign, (const spelling[]){{"*", "*"}, {"/", "/"}, {NULL, NULL}});
}

static prc_status sum(prc_derivative *d) {
  return level(d, term, (const spelling[]){{"+", "+"}, {"-", "-"}, {NULL, NULL}});
}

static prc_status relation(prc_derivative *d) {
  static const spelling list[] = {{"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "!="},
                                  {"<", "<"},   {">", ">"},   {NULL, NULL}};
  return level(d, sum, list);
}

static prc_status conjunction(prc_derivative *d) {
  return level(d, relation, (const spelling[]){{"&&", "&&"}, {"and", "&&"}, {NULL, NULL}});
}

static prc_status disjunction(prc_derivative *d) {
  return level(d, conjunction, (const spelling[]){{"||", "||"}, {"or", "||"}, {NULL, NULL}});
}

static prc_status choice(prc_derivative *d) {
  prc_status status = PRC_OK;
  prc_try(disjunction(d));
  if (!follows(d, "?")) return PRC_OK;
  prc_try(choice(d));
  prc_try(expect(d, ":"));
  prc_try(choice(d));
  prc_try(append_operator(d, "?:"));
done:
  return status;
}

/* ---- life --------------------------------------------------------------------------------------------------------------- */

prc_status prc_derivative_create(const char *text, const prc_case *c, const prc_history *const *table,
                                 int n_tables, prc_derivative **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_derivative *d = NULL;
  prc_try(prc_new(&d, 1, err));
  d->at = text, d->seed = c ? (uint64_t)c->seed : 0, d->err = err;
  d->c = c, d->table = table, d->n_tables = n_tables;
  prc_try(choice(d));
  skip_blanks(d);
  if (*d->at) prc_try(refuse(d));
  prc_try(prc_new(&d->stack, d->deepest, err));
  d->at = NULL, d->err = NULL, d->table = NULL;
  *out = d, d = NULL;
done:
  prc_derivative_free(&d);
  return status;
}

void prc_derivative_free(prc_derivative **d) {
  if (!*d) return;
  prc_delete(&(*d)->code);
  prc_delete(&(*d)->stack);
  prc_delete(d);
}

/* Where a + rate (t - from), an argument of the table, passes its next node. */
static double next_of_table(const prc_history *table, double from, double a, double rate) {
  if (rate == 0.0) return INFINITY;
  const double node = prc_history_next(table, a, rate > 0.0);
  return isfinite(node) ? from + (node - a) / rate : INFINITY;
}

/* Works through the program at t, and lists the arguments of its tables. */
static void list_arguments(prc_derivative *d, double t, double x, double y, double i, prc_taylor *argument) {
  double out[3];
  d->argument = argument;
  prc_derivative_evaluate(d, t, x, y, i, out);
  d->argument = NULL;
}

/* Arguments that are linear in t, as t itself: the others' nodes are not known. Rounding may put a node at `from` itself, which then is passed over. */
double prc_derivative_next_node(prc_derivative *d, double x, double y, double i, double from, double to) {
  enum { MOST = 8 };
  prc_taylor at_from[MOST], at_to[MOST];
  double first = INFINITY;
  const prc_history *table[MOST];
  int n = 0;
  for (size_t k = 0; k < d->n; k++) {
    if (!d->code[k].table) continue;
    if (n == MOST) return INFINITY;
    table[n++] = d->code[k].table;
  }
  if (n == 0) return INFINITY;
  list_arguments(d, from, x, y, i, at_from), list_arguments(d, to, x, y, i, at_to);
  for (int k = 0; k < n; k++) {
    const double a = at_from[k].value, rate = at_from[k].rate, b = at_to[k].value;
    if (!(fabs(a + rate * (to - from) - b) <= 1e-12 * (fabs(a) + fabs(b)))) continue;
    double next = next_of_table(table[k], from, a, rate);
    if (next <= from) next = next_of_table(table[k], from, prc_history_next(table[k], a, rate > 0.0), rate);
    if (next > from && next < first) first = next;
  }
  return first < to ? first : INFINITY;
}

void prc_derivative_evaluate(prc_derivative *d, double t, double x, double y, double i, double out[3]) {
  const prc_taylor variable[] = {{t, 1.0, 0.0}, {x, 0.0, 0.0}, {y, 0.0, 0.0}, {i, 0.0, 0.0}};
  prc_taylor *top = d->stack; /* the next free place */
  for (size_t k = 0; k < d->n; k++) {
    const instruction *now = &d->code[k];
    if (now->table) {
      top--;
      if (d->argument) *d->argument++ = *top;
      *top = prc_taylor_of_table(now->table, *top);
    } else if (now->function) {
      top -= now->n;
      now->function->apply(d->seed, now->n, top);
    } else
      *top = now->n >= 0 ? variable[now->n] : prc_taylor_constant(now->number);
    top++;
  }
  out[0] = d->stack[0].value, out[1] = d->stack[0].rate, out[2] = d->stack[0].second;
}
