#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- lines of the terminal ----------------------------------------------------------------------------- */

enum { LINE = 100, HELP_INDENT = 6 };

/* Words from `text`, broken into lines of at most LINE characters, each after `indent` blanks; the first line
 * has `used` characters already. A blank line stays one. */
static prc_status add_wrapped(prc_bytes *out, const char *text, size_t indent, size_t used, prc_error *err) {
  prc_status status = PRC_OK;
  while (*text) {
    const size_t length = strcspn(text, " \n");
    const int paragraph = text[length] == '\n' && text[length + 1] == '\n';
    if (used > indent && used + 1 + length > LINE) {
      prc_try(prc_bytes_print(out, err, "\n"));
      used = 0;
    }
    if (used == 0)
      prc_try(prc_bytes_print(out, err, "%*s", (int)indent, ""));
    else if (used > indent)
      prc_try(prc_bytes_print(out, err, " "));
    used = (used > indent ? used + 1 : indent) + length;
    prc_try(prc_bytes_print(out, err, "%.*s", (int)length, text));
    text += length + (text[length] != '\0') + (size_t)paragraph;
    if (paragraph) prc_try(prc_bytes_print(out, err, "\n\n"));
    if (paragraph) used = 0;
  }
  prc_try(prc_bytes_print(out, err, "\n"));
done:
  return status;
}

/* ---- prose --------------------------------------------------------------------------------------------- */

typedef struct {
  const char *title, *body;
} section;

static const section before = {
    "The case file",
    "A case is one YAML file. It describes a deforming body on a mesh, and "
    "then `mesh`, `model`, `materials` and\n"
    "`time` must be there, or planar rigid bodies, and then `bodies` and `time` "
    "must, or both; `obstacles` may move. Materials are named after the\n"
    "physical surfaces of the mesh; bodies, obstacles, contacts, supports, loads, dashpots and probes "
    "have names of your own (at most 80 bytes), which default to\n"
    "the physical curve they mean. Every key has a dotted path, as in the tables "
    "below, and `--set PATH=VALUE` replaces or\n"
    "adds the value there (the value is YAML, so `--set 'loads.left.traction=[1, "
    "0]'` works; the last one wins;\n"
    "a path of a file is looked for in the current folder first, then in the case's).\n"
    "What a case does not say has the default shown; what percuss does not know "
    "it refuses, naming line and column. Of YAML it\n"
    "takes blocks, lists and plain values: no anchors, aliases, tags, directives or "
    "second documents. Names of your own\n"
    "are made of letters, digits, blanks and signs, without / \\ , ; \" ' $ and hidden "
    "characters, and do not begin with = + - @:\n"
    "they become columns of tables and names of files. Numbers are 0 or between 1e-50 and "
    "1e50 in size.\n"};

static const section after[] = {
    {"Units", "percuss knows no units: any consistent set will do. With mm, g and ms, forces are in N, "
              "stresses in MPa, energies in\n"
              "mJ (N mm), densities in g/mm^3, accelerations in mm/ms^2. With m, kg and s everything is SI. "
              "The tables name the\n"
              "dimension of each key.\n"},
    {"Signs", "The normal of a contact points from the obstacle into the body. A gap is positive when the "
              "contact is open, a normal\n"
              "percussion is positive when it pushes the body away. The tangent is the normal turned by -90 "
              "degrees: on a floor the\n"
              "normal is +y and the tangent +x. Stresses are positive in tension. A traction is the force "
              "per area that acts on the\n"
              "body, by its x and y components, whatever way the boundary faces.\n"},
    {"Geometries",
     "A .geo is a program that Gmsh runs, in a process of its own with limits of time and memory "
     "(`mesh.max_time`,\n"
     "`mesh.max_memory`). It can start other programs (SystemCall and its like) and write files. `percuss "
     "check` "
     "refuses that, and\n"
     "so do `run` and `converge` with `--no-commands`; `--commands` allows it. What is refused is seen to by "
     "the "
     "Linux kernel (a\n"
     "filter of system calls, on x86-64 and arm64), not by reading the geometry, so files that it includes "
     "or "
     "merges are in it:\n"
     "from the moment when it is opened its process cannot start a program, signal another process, write, "
     "make, "
     "move or remove\n"
     "a file or its attributes, or open a connection; the attempt ends it with a message. It can still read "
     "every "
     "file that you\n"
     "can. Where the system cannot see to that, every geometry is refused. A .msh is data, which percuss "
     "reads "
     "itself.\n"},
    {"Rigid bodies", "Angles are in radians and counter-clockwise, and so are spins and moments. A body has "
                     "axes of its own, whose origin is\n"
                     "its centre of mass: the point r of the body stands at position + R(angle) r, where "
                     "R(angle) turns by the angle.\n"
                     "Corners and contact points are given in these axes. Mass and inertia are either given, "
                     "or follow from a density: of a\n"
                     "polygon with mass density x thickness x area, or of a disc with mass m = density x "
                     "thickness x pi R^2 and inertia m\n"
                     "R^2 / 2 (a ball has 2/5 m R^2, so give it). With a density the corners may be given in "
                     "any axes parallel to the\n"
                     "body's: they, and the contact points given with them, are moved until their centroid "
                     "is the origin, and `position` is\n"
                     "that of the centroid. Corners may go round either way.\n"
                     "\n"
                     "A contact is one body against one plane, or with `between` against an obstacle or the "
                     "`face` or disc of another body. Its\n"
                     "candidates are the points given, or all corners of the polygon, anticlockwise, or the "
                     "one point of the disc that is nearest. Numbers may\n"
                     "be formulas without variables, like `1/12` or `-31*pi/180`. With law: newton, "
                     "`tangential_restitution` is e_T of u_T+\n"
                     "+ e_T u_T- = 0, which holds when the contact sticks; with law: fremond there is no "
                     "such coefficient. Motions of bodies\n"
                     "are large: gaps and directions follow the position step by step.\n"},
    {"The two laws", "The laws differ in the tangential velocity that friction opposes. With `law: newton` "
                     "it is the velocity at the end of\n"
                     "the step, v_{k+1}; with `law: fremond` it is v_{k+theta} = (1 - theta) v_k + theta "
                     "v_{k+1}, with which the energy\n"
                     "balance measures the work of friction: so that work is never positive. With theta = 1 "
                     "the two laws are one.\n"
                     "\n"
                     "What follows is no error. At theta = 1/2 a Fremond contact sticks for its mean "
                     "velocity, so a contact that sticks\n"
                     "reverses its tangential velocity, u_T+ = -u_T-, as the equations (49)-(53) of the "
                     "paper say, and a body that comes to\n"
                     "rest keeps a velocity of alternating sign, of order h, while its position rests; a "
                     "theta above 1/2 damps it. With a\n"
                     "restitution e > 0 and either law, a contact at rest is thrown back by the velocity "
                     "that gravity gives it in a step,\n"
                     "and trembles at about h g; `contact.activation: gap` lets it rest, but then the "
                     "certificate no longer promises that\n"
                     "normal percussions do no positive work.\n"},
    {"Supports",
     "`x` and `y` are displacements from the mesh as it was read. What the scheme imposes is the velocity: "
     "the one-sided\n"
     "derivative of the displacement in time, from the right where the displacement has a kink. (Imposing "
     "the displacement itself\n"
     "makes a ramp ring when theta is 0.5.) The displacement follows from the velocity step by step, and how "
     "far it is from\n"
     "the expression you wrote is reported at the end of the run. A component that is not named is free.\n"
     "\n"
     "The velocity at t is taken from values of the displacement over [t, t + h], also at the end of the "
     "run; where one of\n"
     "them is not finite, from values over [t - h, t]. The displacement itself must be finite at every "
     "step.\n"},
    {"Quasi-static analysis",
     "With `time.analysis: quasi-static` there is no inertia: the time is the name of the load, a step is a "
     "load "
     "step, and at its end\n"
     "the body is in equilibrium with the loads and displacements of that time. Contact closes the gap at "
     "the end "
     "of the step, all\n"
     "nodes of a contact being looked at; friction opposes the increment of displacement, so its result "
     "depends "
     "on the path and on\n"
     "the size of the steps where the direction of slip turns. theta is 1, restitution is 0, the laws "
     "coincide, "
     "`activation` has no\n"
     "meaning, and a velocity in the results is an increment over the step. Supports follow their "
     "displacements "
     "exactly.\n"
     "\n"
     "Works are of the forces at the end of each step: work_external is the sum of F_{k+1} . dq, and what "
     "that is "
     "more than the\n"
     "elastic energy gained, dq . K dq / 2 a step, stands in dissipation_numerical; both errors vanish like "
     "the "
     "step. The work of a\n"
     "gap that closes, p_N u_N, is of the same kind. The work of friction is never positive.\n"
     "\n"
     "What nothing but contact holds can move without strain: it is refused, naming the body and its "
     "motions, "
     "unless\n"
     "`model.damping.mass` > 0, or dashpots or the `damping.mass` of its material hold it. Then a drag,\n"
     "alpha M v with v the increment over the step, resists every motion "
     "and "
     "makes the problem\n"
     "solvable; it vanishes where the body rests, and what it dissipated is work_damping. Make it so small "
     "that this is little\n"
     "against the other works, and no smaller: contacts are solved to `contact.tolerance` of the way that "
     "the drag "
     "alone would allow\n"
     "in a step. `model.damping.stiffness` is a viscosity in the same way.\n"},
    {"Damping and dashpots",
     "C v is a force against the velocity. `model.damping` makes it of the whole M and K, C = mass M +\n"
     "stiffness K; `damping` of a material stands in place of the model's for its cells, C = the sum of\n"
     "mass_m M_m + stiffness_m K_m over materials.\n"
     "\n"
     "A dashpot adds the traction -d_n v_n n - d_t v_t t on its curve, n the normal there. Where it is\n"
     "absorbing, the default of both, d_n = density x c_p and d_t = density x c_s, by the wave speeds of "
     "the\n"
     "material inside (in plane stress c_p is that of the plate). A plane wave that arrives along the "
     "normal\n"
     "comes back as (rho c - d) / (rho c + d) of itself, so nothing of it does; of waves that arrive at an\n"
     "angle a part does. What dashpots take is in work_damping. They hold nothing: a constant load moves a "
     "body\n"
     "between them at a constant velocity. With mass: modified contact nodes have no mass; a curve with a\n"
     "dashpot then cannot share a node with a contact, nor may the materials differ in damping.stiffness "
     "there.\n"},
    {"How a load is evaluated",
     "Expressions are evaluated as written, in double precision, at t_k = k h and t_{k+1}; the step uses\n"
     "F_{k+theta} = (1 - theta) F_k + theta F_{k+1}. At a discontinuity this has a consequence: "
     "2*sgn(sin(4*pi*t)) is 0 at\n"
     "t = 0, and at t = 0.25, where the sine vanishes in theory, it takes the sign that rounding gives. To "
     "be independent\n"
     "of rounding, put a jump between two steps.\n"},
};

static const section expressions = {
    "Expressions", "Where a type says expression, a number or a formula may stand. The letters name the "
                   "variables that are allowed: time t,\n"
                   "and place x, y in the undeformed body. In a list, a formula with commas needs quotes:\n"
                   "`traction: [\"if(t < 0.1, 1, 0)\", 0]`. A value that is not finite where it is needed "
                   "stops the run and says where.\n"};

/* ---- the tables ---------------------------------------------------------------------------------------- */

enum { KEY, TYPE, UNIT, RANGE, DEFAULT, HELP, N_COLUMNS };
typedef struct {
  char cell[N_COLUMNS][256];
} row;

static void type_text(const prc_key *key, char *text, size_t size) {
  static const char *const words[] = {
      [PRC_KEY_BLOCK] = "block",
      [PRC_KEY_NAMED] = "block",
      [PRC_KEY_NUMBER] = "number",
      [PRC_KEY_INTEGER] = "whole number",
      [PRC_KEY_FLAG] = "true or false",
      [PRC_KEY_WORD] = "word",
      [PRC_KEY_TEXT] = "text",
      [PRC_KEY_GROUP] = "text",
      [PRC_KEY_PATH] = "path",
      [PRC_KEY_PAIR] = "[name, name], or lists of names",
      [PRC_KEY_POINT] = "[x, y]",
      [PRC_KEY_POINTS] = "[[x, y], ...]",
      [PRC_KEY_POLYGONS] = "[[[x, y], ...], ...], may be formulas",
      [PRC_KEY_DISCS] = "[[x, y, r], ...], may be formulas",
      [PRC_KEY_EXPRESSION] = "expression",
      [PRC_KEY_EXPRESSIONS] = "2 expressions",
  };
  const int formula = key->type == PRC_KEY_NUMBER && key->variables; /* without variables */
  const int number = key->type == PRC_KEY_NUMBER;
  const char *word = key->choices ? number ? "number or word" : "word"
                     : formula    ? "number or formula"
                                  : words[key->type];
  if (key->variables && key->type == PRC_KEY_POINT) word = "[x, y], may be formulas";
  if (key->variables && key->type == PRC_KEY_INTEGER) word = "whole number or formula";
  if (key->variables && key->type == PRC_KEY_POINTS) word = "[[x, y], ...], may be formulas";
  snprintf(text, size, "%s", word);
  for (const char *v = key->variables; v && *v; v++)
    prc_append(text, size, "%s%c", v == key->variables ? " in " : ", ", *v);
}

/* what holds without the key */
static const char *default_text(const prc_key *key) {
  if (key->required) {
    const int own = prc_key_find("", key->key) == key; /* a block of the top level says it elsewhere */
    if (own || key->required != PRC_ALWAYS || !key->only) return "required";
    return key->only == PRC_WITH_MESH ? "required with a mesh" : "required with bodies";
  }
  return key->otherwise ? key->otherwise : key->fallback ? key->fallback : "";
}

static void fill_row(const prc_key *key, row *r) {
  const size_t size = sizeof r->cell[0];
  snprintf(r->cell[KEY], size, "%s%s%s%s%s", key->parent, key->parent[0] ? "." : "", key->key,
           key->item ? "." : "", key->item ? key->item : "");
  type_text(key, r->cell[TYPE], size);
  snprintf(r->cell[UNIT], size, "%s", key->unit ? key->unit : "");
  prc_key_range_text(&key->range, r->cell[RANGE], size);
  if (key->choices && key->type == PRC_KEY_NUMBER)
    snprintf(r->cell[RANGE] + strlen(r->cell[RANGE]), size - strlen(r->cell[RANGE]), " or %s", key->choices);
  else if (key->choices)
    prc_key_expected(key, r->cell[RANGE], size);
  snprintf(r->cell[DEFAULT], size, "%s", default_text(key));
  snprintf(r->cell[HELP], size, "%s", key->help);
  if (!key->of_material) return;
  prc_append(r->cell[DEFAULT], size, " with ");
  prc_key_laws(key, r->cell[DEFAULT], size);
}

static prc_status add_row(prc_bytes *out, const row *r, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(out, err, "| `%s` |", r->cell[KEY]));
  for (int j = TYPE; j < N_COLUMNS; j++) prc_try(prc_bytes_print(out, err, " %s |", r->cell[j]));
  prc_try(prc_bytes_print(out, err, "\n"));
done:
  return status;
}

/* Fills up with blanks to `width` characters since `start`; at least one blank. */
static prc_status pad(prc_bytes *out, size_t start, size_t width, prc_error *err) {
  const size_t used = out->used - start;
  return prc_bytes_print(out, err, "%*s", used < width ? (int)(width - used) : 1, "");
}

/* The key and what may stand there; below it, what it means. */
static prc_status add_lines(prc_bytes *out, const row *r, prc_error *err) {
  enum { TYPES = 38 };
  prc_status status = PRC_OK;
  const size_t start = out->used;
  const char *unit = r->cell[UNIT], *range = r->cell[RANGE], *fallback = r->cell[DEFAULT];
  const char *lead = !fallback[0] ? "" : strncmp(fallback, "required", 8) == 0 ? ", " : "; default: ";
  char what[6 * sizeof r->cell[0]];
  snprintf(what, sizeof what, "%s%s%s%s%s%s%s%s", r->cell[TYPE], unit[0] ? " [" : "", unit,
           unit[0] ? "]" : "", range[0] ? ", " : "", range, lead, fallback);
  prc_try(prc_bytes_print(out, err, "  %s", r->cell[KEY]));
  prc_try(pad(out, start, TYPES, err));
  prc_try(add_wrapped(out, what, TYPES, out->used - start, err));
  prc_try(add_wrapped(out, r->cell[HELP], HELP_INDENT, 0, err));
done:
  return status;
}

static prc_status add_key(prc_bytes *out, int markdown, const prc_key *key, prc_error *err) {
  row r;
  fill_row(key, &r);
  return markdown ? add_row(out, &r, err) : add_lines(out, &r, err);
}

static const char *needed_text(const prc_key *block) {
  if (!block->required) return block->only == PRC_WITH_MESH ? " Only with a mesh." : "";
  if (block->required != PRC_ALWAYS) return " Required with a mesh.";
  if (block->only == PRC_WITH_BODIES) return ""; /* its help says so */
  return block->only == PRC_WITH_MESH ? " Required, unless there are bodies." : " Required.";
}

/* The columns of a table; in the terminal they are explained once, before the first block. */
static prc_status add_heading(prc_bytes *out, int markdown, const prc_key *block, prc_error *err) {
  prc_status status = PRC_OK;
  char text[512] = "key: type [dimension], range; what holds without it";
  if (block) snprintf(text, sizeof text, "%s: %s.%s", block->key, block->help, needed_text(block));
  if (!markdown) {
    prc_try(prc_bytes_print(out, err, block ? "\n" : ""));
    return add_wrapped(out, text, 0, 0, err);
  }
  if (block)
    prc_try(prc_bytes_print(out, err, "\n### `%s`\n\n%c%s.%s\n\n", block->key,
                            toupper((unsigned char)block->help[0]), block->help + 1, needed_text(block)));
  prc_try(prc_bytes_print(out, err, "| key | type | dimension | range | default | meaning |\n"));
  prc_try(prc_bytes_print(out, err, "|---|---|---|---|---|---|\n"));
done:
  return status;
}

/* Is the key inside the top-level block, at any depth? */
static int is_inside(const prc_key *key, const char *block) {
  const size_t length = strlen(block);
  return strncmp(key->parent, block, length) == 0
         && (key->parent[length] == '\0' || key->parent[length] == '.');
}

static prc_status add_keys_of(prc_bytes *out, int markdown, const char *block, prc_error *err) {
  prc_status status = PRC_OK;
  int n;
  const prc_key *keys = prc_keys(&n);
  for (int i = 0; i < n; i++)
    if (is_inside(&keys[i], block) && keys[i].type != PRC_KEY_BLOCK)
      prc_try(add_key(out, markdown, &keys[i], err));
done:
  return status;
}

static prc_status add_tables(prc_bytes *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  int n;
  const prc_key *keys = prc_keys(&n);
  prc_try(add_heading(out, markdown, NULL, err));
  for (int i = 0; i < n; i++) {
    const int block = keys[i].type == PRC_KEY_BLOCK || keys[i].type == PRC_KEY_NAMED;
    if (keys[i].parent[0]) continue;
    if (!block) {
      prc_try(add_key(out, markdown, &keys[i], err));
      continue;
    }
    prc_try(add_heading(out, markdown, &keys[i], err));
    prc_try(add_keys_of(out, markdown, keys[i].key, err));
  }
done:
  return status;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static prc_status add_section(prc_bytes *out, int markdown, const char *level, const section *s,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(out, err, "%s", out->used ? "\n" : ""));
  prc_try(prc_bytes_print(out, err, markdown ? "%s %s\n\n" : "%s%s\n\n", markdown ? level : "", s->title));
  if (!markdown && s->body[0])
    prc_try(add_wrapped(out, s->body, 0, 0, err));
  else
    prc_try(prc_bytes_print(out, err, "%s", s->body));
done:
  return status;
}

/* a cell of a Markdown table must not hold a bare '|' */
static prc_status add_escaped(prc_bytes *out, const char *text, prc_error *err) {
  prc_status status = PRC_OK;
  for (; *text; text++) prc_try(prc_bytes_print(out, err, *text == '|' ? "\\%c" : "%c", *text));
done:
  return status;
}

static prc_status add_functions(prc_bytes *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  const char *name, *help;
  prc_try(prc_bytes_print(out, err, markdown ? "\n| write | meaning |\n|---|---|\n" : "\n"));
  for (int i = 0; (name = prc_expression_help(i, &help)); i++) {
    if (markdown) {
      prc_try(prc_bytes_print(out, err, "| `"));
      prc_try(add_escaped(out, name, err));
      prc_try(prc_bytes_print(out, err, "` | %s |\n", help));
    } else
      prc_try(prc_bytes_print(out, err, help[0] ? "  %-36s%s\n" : "  %s\n", name, help));
  }
done:
  return status;
}

prc_status prc_case_reference(int markdown, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes out = {0};
  prc_try(add_section(&out, markdown, "#", &before, err));
  prc_try(add_section(&out, markdown, "##", &(section){"Keys", ""}, err));
  prc_try(add_tables(&out, markdown, err));
  prc_try(add_section(&out, markdown, "##", &expressions, err));
  prc_try(add_functions(&out, markdown, err));
  for (size_t i = 0; i < sizeof after / sizeof after[0]; i++)
    prc_try(add_section(&out, markdown, "##", &after[i], err));
  if (markdown) prc_try(prc_bytes_print(&out, err, "\nThis page is printed by `percuss help case`.\n"));
  *text = out.at, out.at = NULL;
done:
  prc_delete(&out.at);
  return status;
}
