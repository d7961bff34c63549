/* Declarations shared by this folder: the table of keys, and the tree that a case file is read into. */
#ifndef PRC_CASE_INTERNAL_H
#define PRC_CASE_INTERNAL_H

#include "case/case.h"
#include "case/history.h"
#include "case/continued.h"

#include <stddef.h>

/* ---- the tree (tree.c, yaml.c, yaml_subprocess.c): a YAML document with the place of everything in it -- */

typedef enum { PRC_NODE_TEXT, PRC_NODE_LIST, PRC_NODE_BLOCK } prc_node_kind;
typedef struct prc_node {
  prc_node_kind kind;
  char *key;               /* its name in a block, else NULL */
  char *text;              /* of a PRC_NODE_TEXT; "" for a value left empty */
  int quoted;              /* the text stood in quotes */
  prc_case_place at;       /* of the value; of a block or list: of its key */
  prc_case_place key_at;   /* of the key; where there is none, of the value */
  struct prc_node **child; /* of lists and blocks, in the order of the file */
  size_t n_children, capacity;
  size_t *slot; /* of a block of many keys: a hash table of its children, by their number from 1 */
  size_t n_slots;
} prc_node;

enum { PRC_TREE_DEPTH = 32 }; /* blocks and lists inside each other */

typedef struct {
  const char *text;
  /* where it stands, if not in the case file itself: every node then has this place */
  const prc_case_place *inside;
} prc_tree_source;
/* n texts into n trees, by one process for all of them. c gives the path for messages. An empty text gives
 * NULL. */
prc_status prc_tree_parse(const prc_case *c, int n, const prc_tree_source *source, prc_node **out,
                          prc_error *err) PRC_MUST_CHECK;
/* One in this process: for texts that are ours. */
prc_status prc_tree_parse_text(const prc_case *c, const char *text, const prc_case_place *inside,
                               prc_node **out, prc_error *err) PRC_MUST_CHECK;
/* The parent takes the child over. */
prc_status prc_tree_add_child(prc_node *parent, prc_node **child, prc_error *err) PRC_MUST_CHECK;
void prc_tree_free(prc_node **node);
prc_node *prc_tree_child(const prc_node *block, const char *key);    /* NULL: none */
ptrdiff_t prc_tree_position(const prc_node *block, const char *key); /* among the children; -1: none */
/* Follows a dotted path as far as it exists: returns the last node found and in *rest what is left of the
 * path. A key that has dots itself is found too: the longest key that fits is taken. */
prc_node *prc_tree_walk(prc_node *root, const char *path, const char **rest);
/* Puts value (which the tree then owns) at the path, creating blocks on the way and replacing what stands
 * there. */
prc_status prc_tree_put(const prc_case *c, prc_node *root, const char *path, const prc_case_place *place,
                        prc_node **value, prc_error *err) PRC_MUST_CHECK;
/* A node on one line. */
prc_status prc_tree_line(const prc_node *node, prc_bytes *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_tree_text(const prc_node *root, prc_bytes *out, prc_error *err) PRC_MUST_CHECK;

/* ---- the table of keys (keys.c and its parts, keys.h) ------------------------------------------------------------------------ */

typedef enum {
  PRC_KEY_BLOCK,   /* keys of its own */
  PRC_KEY_NAMED,   /* a mapping of the user's names to blocks */
  PRC_KEY_NUMBER,  /* double */
  PRC_KEY_INTEGER, /* int */
  PRC_KEY_FLAG,    /* int: true | false */
  PRC_KEY_WORD,    /* int or enum: the position among the choices */
  PRC_KEY_TEXT,    /* char *; one of the choices, if there are any */
  PRC_KEY_GROUP,   /* char *: a group of the mesh; default the item's name */
  PRC_KEY_PATH,    /* char *: resolved to what can be opened */
  PRC_KEY_PATHS,   /* char **: one path or a list of paths, likewise; their number stands at count_at */
  PRC_KEY_NAMES, /* char *: one name or a list, of the choices if there are any, with ", " between; NULL where not given */
  PRC_KEY_PAIR,        /* char *[2] */
  PRC_KEY_POINT,       /* double[2], or in space double[3] */
  PRC_KEY_NUMBERS,     /* double[], as many as `least` or as `most` says; their number stands at count_at */
  PRC_KEY_POINTS,      /* double *, which the case owns; their number stands at count_at */
  PRC_KEY_POLYGONS,    /* prc_case_polygons, likewise; in space polyhedra */
  PRC_KEY_DISCS,       /* prc_case_discs, likewise; in space spheres */
  PRC_KEY_EXPRESSION,  /* prc_field */
  PRC_KEY_EXPRESSIONS, /* prc_field[2], or in space prc_field[3] */
  PRC_KEY_PARAMETERS,  /* names and numbers, see parameters.c */
  PRC_KEY_FRICTION,    /* prc_law_fields: an expression, or a block of a law and its parameters */
} prc_key_type;

/* Kinds of cases, as bits: a key may belong to one kind, or be needed by one. */
enum { PRC_WITH_MESH = 1, PRC_WITH_BODIES = 2, PRC_ALWAYS = PRC_WITH_MESH | PRC_WITH_BODIES };

typedef struct {
  double low, high;
  int open_low, open_high; /* the bound itself is not allowed */
} prc_key_range;           /* low = high = 0: any number */

typedef struct prc_key {
  const char *parent; /* path of the block, "" at the top; items of a named block: "contacts.<name>" */
  const char *key;    /* its name there */
  const char *item;   /* PRC_KEY_NAMED: what an item is called, "<name>" or "<group>" */
  prc_key_type type;
  int or_block;        /* of a number: in its place a block may stand, whose keys have it as their parent */
  int of_material;     /* a parameter of materials: only where the material's law has it */
  int of_sets;         /* PRC_KEY_NAMED: a block makes several items, see prc_case_add_set */
  const char *unit;    /* its dimension, NULL: none */
  prc_key_range range; /* of a number, or of an expression that is constant */
  const char *choices; /* "newton|fremond"; of a number: one word that may stand in its place, read as NaN */
  const char *
      variables; /* of an expression: letters of "txy"; "", "i": of numbers that may be formulas, of a set in i */
  const char *columns; /* of a table of bodies, where these values stand in it: "x y" */
  int only;            /* the kind of case that may have it, 0: any */
  int dimension; /* 2: only cases in the plane have it; 3: only those in space; 0: both. Two rows may have one name */
  const char *elsewhere; /* of such a key: what there is in the other, where that has another name */
  int least, most;       /* PRC_KEY_NUMBERS: how many there are, one or the other ... */
  int between;           /* ... or any number from one to the other */
  int required;          /* the kinds of case that must have it */
  const char *fallback;  /* the default as it would stand in the file, NULL: none */
  const char *otherwise; /* in words, what holds without the key */
  size_t at;             /* offset in prc_case, or in the item of a named block */
  size_t place_at;       /* offset of a prc_case_place to be filled, 0: none */
  /* offset of an int, set to 1 when the key is given, 0: none; a block that has one may be left out as a whole */
  size_t given_at;
  size_t count_at, size;      /* offset of the number of items or points; size of an item */
  const char *help;           /* one line */
  const struct prc_key *next; /* behind the last row of a file, which has no key: where the table goes on */
} prc_key;

/* All of them: NULL gives the first, the last NULL. */
const prc_key *prc_key_next(const prc_key *key);
/* dimension: 2 or 3; 0: in whichever it is */
const prc_key *prc_key_find(const char *parent, const char *key, int dimension);
/* Is there a block of the plural, whose items have names? */
int prc_key_has_plural(const char *block);
/* "a number > 0", "fremond or newton": what a message says was expected in this dimension */
enum { PRC_KEY_ROOM = 1024 }; /* for all choices of a key that has many */
void prc_key_expected(const prc_key *key, int dimension, char *text, size_t size);
/* "> 0", "in [0, 1]"; empty when any number will do */
void prc_key_range_text(const prc_key_range *range, char *text, size_t size);
/* Adds "law: isotropic or orthotropic": those that have this parameter of materials. */
void prc_key_laws(const prc_key *key, char *text, size_t size);
/* Does it belong to a case of this kind, and must it be there? */
int prc_key_applies(const prc_key *key, int kind, int dimension);
int prc_key_required(const prc_key *key, int kind, int dimension);
int prc_key_in_range(const prc_key_range *range, double value);
/* "end, step, theta, law": the keys of a block */
void prc_key_names(const char *parent, char *text, size_t size);

/* advice.c: what a key that is not known in this block may have meant, or NULL; and the paths of keys of that name in other blocks, "" where there
 * are none or many. */
const char *prc_key_advice(const char *parent, const char *key);
void prc_key_elsewhere(const char *parent, const char *key, char *text, size_t size);
/* The nearer of `best` (may be NULL) and `candidate` to what the user wrote, or NULL when neither is near. */
const char *prc_nearest_name(const char *written, const char *best, const char *candidate);

/* Sections of the reference beside its tables (sections.c); the last of those after them has no title. */
typedef struct {
  const char *title, *body;
} prc_section;
extern const prc_section prc_section_before, prc_section_expressions, prc_section_friction,
    prc_section_after[];

enum { PRC_CASE_PATH = 512 }; /* a dotted path and its end */

/* ---- the case and what it owns (store.c, place.c, rules.c) --------------------------------------------- */

struct prc_case_store {
  prc_node *root;
  struct prc_case_names *names; /* sets.c */
  size_t set_capacity, body_capacity;
  int kind;      /* PRC_WITH_MESH, PRC_WITH_BODIES or both */
  int dimension; /* 2 or 3 */
  void **kept;   /* strings and lists of points */
  size_t n_kept, kept_capacity;
  prc_expression **expression;
  size_t n_expressions, expression_capacity;
  prc_history **history; /* one for each file, column and way that expressions look them up */
  size_t n_histories, history_capacity;
  uint64_t identity; /* identity.c */
};
/* identity.c: of all keys as they were read, before rules complete them. */
uint64_t prc_case_hash_keys(const prc_case *c);

/* The case owns the memory, or the expression, when this succeeds. */
prc_status prc_case_own_memory(const prc_case *c, void *memory, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_own_expression(const prc_case *c, prc_expression **expression,
                                   prc_error *err) PRC_MUST_CHECK;
/* a copy that lives as long as the case */
prc_status prc_case_strdup(const prc_case *c, const char *text, char **out, prc_error *err) PRC_MUST_CHECK;
/* The table of a file that an expression names; in_folder: it comes from --set. */
prc_status prc_case_history(const prc_case *c, const prc_history_options *wanted, int in_folder,
                            const prc_history **out, prc_error *err) PRC_MUST_CHECK;
/* Path of a file to open: relative to the case file, or, from --set, to the current folder first. */
prc_status prc_case_resolve(const prc_case *c, const char *file, int in_folder, char **out,
                            prc_error *err) PRC_MUST_CHECK;
/* parameters.c: before all else is read but the seed; then which of them nothing has used */
prc_status prc_case_read_parameters(prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_parameters(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* The parameter of this name, of that length; NULL: there is none. */
prc_case_parameter *prc_case_find_parameter(const prc_case *c, const char *name, size_t length);
/* Refuses formulas whose tables do not reach over the time of the run. */
prc_status prc_case_check_histories(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* "block.yaml:12:9" or "block.yaml: --set time.step" */
void prc_case_place_text(const prc_case *c, const prc_case_place *place, char *text, size_t size);
/* The place of the value at a dotted path, or, if it is not given, of the block it would stand in. */
prc_case_place prc_case_place_of(const prc_case *c, const char *format, ...) PRC_PRINTF(2, 3);
/* names.c: of contacts, supports, loads, probes and bodies, which become columns of tables and names of
 * files; of the case, which becomes that of a folder and the title of pictures; of units, which stand at
 * axes. */
prc_status prc_case_check_item_name(const prc_case *c, const char *name, const prc_case_place *at,
                                    prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_own_name(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_units(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Rules between keys. */
prc_status prc_case_check_rules(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* boundary.c: loads on curves or at points; supports, of which those that absorb become dashpots and those with springs grounds */
prc_status prc_case_check_loads(prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_supports(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* sets.c: what a name means; first all names are indexed, and refused where two things have one */
typedef enum {
  PRC_NAMED_NOTHING,
  PRC_NAMED_BODY,
  PRC_NAMED_SET,
  PRC_NAMED_OBSTACLE,
  PRC_NAMED_BEAM
} prc_named_kind;
typedef struct {
  prc_named_kind kind; /* a block of one body is a set */
  int index;           /* of beam i: 3 i, of its start 3 i + 1, of its end 3 i + 2 */
} prc_named;
prc_status prc_case_index_names(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
void prc_case_free_names(struct prc_case_names **names);
prc_named prc_case_find(const prc_case *c, const char *name);
/* NULL: there is no one body of this name */
const prc_case_body *prc_case_find_body(const prc_case *c, const char *name);
/* Completes the bodies, or refuses them: masses from densities, corners anticlockwise. */
prc_status prc_case_complete_bodies(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* solids.c: bodies and obstacles in space. */
typedef struct {
  const prc_case *c;
  char block[PRC_CASE_PATH],
      name[PRC_CASE_PATH];   /* "bodies.rock", where keys stand; "bodies.rock[3]", for messages */
  const prc_case_place *row; /* of a table, where the block does not have the key; or NULL */
} prc_case_owner;
typedef struct {
  int n;
  prc_solid *part;
  prc_solid_mass mass; /* of unit density, of all parts together */
} prc_case_solids;
prc_case_owner prc_case_owner_of_body(const prc_case *c, const char *set, const prc_case_body *b);
prc_case_owner prc_case_owner_of_obstacle(const prc_case *c, const prc_case_obstacle *obstacle);
int prc_case_has_solid(const prc_case_solid *s);
/* One shape, and a unit quaternion; the latter is completed. */
prc_status prc_case_check_solid(const prc_case_owner *o, prc_case_solid *s, prc_error *err) PRC_MUST_CHECK;
/* Its parts in the axes that they are given in; what is no solid is refused at its key. */
prc_status prc_case_make_solids(const prc_case_owner *o, const prc_case_solid *s, prc_case_solids *out,
                                prc_error *err) PRC_MUST_CHECK;
void prc_case_free_solids(prc_case_solids *solids);
/* Body or obstacle i on one side of a contact in space: it has a shape, and one that meets those of the other side. */
prc_status prc_case_check_meeting(const prc_case *c, const prc_case_contact *contact, int which, int i,
                                  prc_error *err) PRC_MUST_CHECK;
/* As prc_case_complete_bodies, in space. */
prc_status prc_case_complete_solids(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* parts.c: facts of a body by its parts, per unit density and thickness, and the refusal of parts that are none */
prc_status prc_case_measure(const prc_case *c, const char *set, const prc_case_body *b,
                            prc_rigid_polygon_facts *facts, prc_error *err) PRC_MUST_CHECK;
/* Refuses corners that do not go round a convex polygon, either way; straight ones are fine. name: "obstacles.box.polygon" */
prc_status prc_case_check_convex(const prc_case *c, const char *name, const prc_case_place *at, int n,
                                 const double *corner, prc_error *err) PRC_MUST_CHECK;
/* Turns this small in their sine are those of corners on a straight line. */
#define PRC_CASE_STRAIGHT 1e-12
int prc_case_is_convex(int n, const double *corner); /* either way round */
/* The first corner at which the polygon, anticlockwise, turns to the right, from 1; 0: it is convex. */
int prc_case_turns_in(int n, const double *corner);
/* forces.c: integrals of forces are those of the forces, and all that varies has one where one has */
prc_status prc_case_check_integrals(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* obstacles.c: what obstacles and driven bodies must be, completed; between.c: what contacts touch, found by its name */
prc_status prc_case_check_obstacles(prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_resolve_contacts(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Refuses a direction of length zero, or none. */
prc_status prc_case_check_direction(const prc_case *c, const char *path, const double *direction,
                                    prc_error *err) PRC_MUST_CHECK;
/* Does the file, or --set, have the key? */
int prc_case_is_given(const prc_case *c, const char *format, ...) PRC_PRINTF(2, 3);
/* joints.c: what joints and springs are between, found by name, and which keys they need. */
prc_status prc_case_check_joints(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Points in a body's axes move with them; origin: 2 per body, in space 3. */
void prc_case_move_joints(prc_case *c, const double *origin);
/* beams.c: control points and names of ends, before names are indexed; then the contact whose second side, or body, is this beam or end: what
 * touches is known. */
prc_status prc_case_complete_beams(prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_touch_with_beam(const prc_case *c, prc_case_contact *contact, int named,
                                    prc_error *err) PRC_MUST_CHECK;
/* periodic.c: what may be in a cell; and, once contacts are resolved, how long it may be. */
prc_status prc_case_check_periodic(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_periods(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Warns of contacts between sets of bodies that have no effect, as earlier ones name all their pairs. */
prc_status prc_case_note_shadowed(const prc_case *c, const prc_log *log, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_check_along(const prc_case *c, const prc_case_contact *contact,
                                prc_error *err) PRC_MUST_CHECK;
/* where an end stands at t = 0 */
void prc_case_beam_end(const prc_case_beam *beam, int end, double x[2]);
/* measures.c */
prc_status prc_case_check_measures(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* what contacts of rigid bodies must be */
prc_status prc_case_check_body_contacts(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* schemes.c: keys that the scheme does not take, theta from rho, and what the scheme does to the largest restitution */
prc_status prc_case_check_scheme(prc_case *c, prc_error *err) PRC_MUST_CHECK;
prc_status prc_case_complete_scheme(prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Is theta bounded by the restitution of this contact? Not between rigid bodies that step by the mean. */
int prc_case_bounds_theta(const prc_case *c, int contact);
prc_status prc_case_check_restitution(const prc_case *c, double e_max, prc_error *err) PRC_MUST_CHECK;

/* ---- one value (value.c) ------------------------------------------------------------------------------- */

/* Sizes of the numbers of a case that are not zero. */
#define PRC_CASE_SMALLEST 1e-50
#define PRC_CASE_LARGEST  1e50

/* Data that each body of a set has of its own (sets.c): numbers that are expressions in i, and lists. */
typedef struct {
  prc_expression *expression;
  prc_key_range range;
  const prc_node *node;
  char *shown;
  size_t at; /* offset of the number in the item, or of the pointer to the list that has it ... */
  int in_list;
  size_t index; /* ... and which of its numbers it is */
} prc_varying_value;
typedef struct {
  size_t at, n; /* offset of the pointer; how many numbers */
} prc_varying_list;
enum { PRC_VARYING_LISTS = 8 };
typedef struct {
  int n, n_lists;
  size_t capacity;
  prc_varying_value *value;
  prc_varying_list list[PRC_VARYING_LISTS];
} prc_varying;

/* The bodies that a block makes: *first, as it was read, and what they have each of their own; NULL: it is the only one. */
prc_status prc_case_add_set(prc_case *c, const prc_case_body *first, const prc_varying *varying,
                            prc_error *err) PRC_MUST_CHECK;

/* Where the reading stands. */
typedef struct {
  prc_case *c;
  const prc_key *key;
  const prc_node *node;
  const char *shown;       /* the path with the user's names: "contacts.bottom.friction" */
  const char *item;        /* name of the item of a named block, or NULL */
  const prc_node *item_of; /* the named block with that item, or NULL */
  prc_varying
      *varying; /* of an item that there are several of: what they have each of their own; NULL: it is one */
  char *base;   /* where the item is */
  double *list; /* of a list of numbers that is being read: the first; */
  size_t list_at; /* offset in the item of the pointer to it */
  prc_error *err;
} prc_value;
/* Reads a value that is neither a block nor named blocks into its place behind `base`. */
prc_status prc_value_read(const prc_value *v, char *base) PRC_MUST_CHECK;
/* One number, and as many as the case has dimensions; and lists of them (lists.c), into their places behind `base`. */
prc_status prc_value_number(const prc_value *v, const prc_node *node, double *out) PRC_MUST_CHECK;
prc_status prc_value_point(const prc_value *v, double *out) PRC_MUST_CHECK;
prc_status prc_value_points(const prc_value *v, char *base) PRC_MUST_CHECK;
prc_status prc_value_polygons(const prc_value *v, char *base) PRC_MUST_CHECK;
prc_status prc_value_discs(const prc_value *v, char *base) PRC_MUST_CHECK;
/* One expression at a node; and the friction of a contact (friction.c). */
prc_status prc_value_expression(const prc_value *v, const prc_node *node, const char *shown,
                                prc_field *out) PRC_MUST_CHECK;
prc_status prc_value_friction(const prc_value *v, prc_law_fields *out) PRC_MUST_CHECK;
/* Is some parameter of it no number; in_place: does it depend on the place? */
int prc_case_friction_varies(const prc_law_fields *friction, int in_place);
/* The mu of Coulomb's law with a number; else NaN. */
double prc_case_coulomb(const prc_law_fields *friction);
/* Refuses a number of body i that is too small, too large or not in the range of its key. */
prc_status prc_value_judge(const prc_case *c, const prc_varying_value *value, int i, double number,
                           prc_error *err) PRC_MUST_CHECK;
/* "contacts.bottom.friction is 'high', expected a number >= 0" */
prc_status prc_value_refuse(const prc_value *v, const prc_node *node);

/* ---- the derivatives of expressions (derivative.c) --------------------------------------------------- */

typedef struct prc_derivative prc_derivative;
/* PRC_INPUT with the first word of the text that is not known. table: those of the functions _T0, _T1, ... (PRC_TABLE_NAME), which outlive it. */
prc_status prc_derivative_create(const char *text, const prc_case *c, const prc_history *const *table,
                                 int n_tables, prc_derivative **out, prc_error *err) PRC_MUST_CHECK;
void prc_derivative_free(prc_derivative **derivative);
/* The value, and the first and second derivative in t; limits from the right. */
void prc_derivative_evaluate(prc_derivative *derivative, double t, double x, double y, double i,
                             double out[3]);
/* The first time in (from, to) at which a linear table whose argument is linear in t comes to a node, or infinity. */
double prc_derivative_next_node(prc_derivative *derivative, double x, double y, double i, double from,
                                double to);

/* ---- expressions (expression.c) ------------------------------------------------------------------------ */

/* Names that formulas may use besides variables and functions. */
typedef struct {
  const prc_case *c; /* its seed, parameters and tables; NULL: none */
  int in_folder;     /* the formula comes from --set: files of the current folder first */
} prc_vocabulary;
/* As prc_expression_create, but the message is bare and *position (from 0) says where. */
prc_status prc_expression_compile(const char *text, const char *variables, const prc_vocabulary *names,
                                  prc_expression **out, size_t *position, prc_error *err) PRC_MUST_CHECK;
/* The next word of a formula, its length, or NULL: letters, digits and _, not what belongs to a number or stands in quotes. */
const char *prc_expression_word(const char *text, size_t *length);
/* Refuses a word that is none of those that a formula may have, saying which there are. */
prc_status prc_expression_refuse_name(const prc_case *c, const char *token, const char *variables,
                                      prc_error *err);
/* A table that an expression asks: muParser calls it by the address of this. */
typedef struct {
  const prc_history *history;
  int outside; /* it was asked for a value that it does not have: */
  double asked;
} prc_lookup;
/* expression_tables.c: *work is the text with _T0(t) in place of the first table(file, t), as long as it; the caller deletes both lists, also
 * where it fails. */
prc_status prc_tables_replace(const char *text, const prc_vocabulary *names, char **work, prc_lookup **table,
                              int *n_tables, size_t *position, prc_error *err) PRC_MUST_CHECK;
#define PRC_TABLE_NAME "_T" /* what table(file, ...) is called behind the scenes */
/* Adds the text, parameters and tables of one that changes with t. */
uint64_t prc_expression_hash(const prc_expression *expression, uint64_t hash);
/* Likewise of any. */
uint64_t prc_expression_identity(const prc_expression *expression, uint64_t hash);
/* Evaluates one of t alone that looks up tables over the run; else nothing. */
prc_status prc_expression_try_times(prc_expression *expression, double end, prc_error *err) PRC_MUST_CHECK;
/* Does it have the variable i; and its value there. */
int prc_expression_uses_number(const prc_expression *expression);
prc_status prc_expression_of_number(prc_expression *expression, int i, double *value,
                                    prc_error *err) PRC_MUST_CHECK;
/* random(i, k): in [0, 1), of the bits of both numbers and of the seed, the same on every machine. */
double prc_case_random(uint64_t seed, double i, double k);
/* Beginning of the messages about evaluation. */
prc_status prc_expression_label(prc_expression *expression, const char *label, prc_error *err) PRC_MUST_CHECK;
/* The functions and constants, for the reference: i-th line or NULL. */
const char *prc_expression_help(int i, const char **help);

#endif
