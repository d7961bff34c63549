#include "config.h"
#include "base/fields.h"
#include "cli/columns.h"
#include "ledger/ledger.h"

#include <string.h>

/* The page of `percuss help output`, doc/output.md: made of the rows that headers and arrays are made of. */

/* The columns of energy.csv, whose names are the ledger's. */
static const cli_column energy[] = {
    {"step", "number", "of the run, from 0, the start"},
    {"t", "time", "at its end"},
    {"kinetic", "energy", "at the end of the step; kinetic + elastic - initial is the sum of all works"},
    {"elastic", "energy", "of meshes, beams and springs"},
    {"work_external", "energy", "of loads and gravity, so far"},
    {"work_damping", "energy", "so far"},
    {"work_contact_normal", "energy", "at u_theta, so far: the work whose sign is promised"},
    {"work_contact_tangential", "energy", "of friction, at u_theta, so far"},
    {"dissipation_numerical", "energy", "the scheme's own, so far"},
    {"balance_residual", "energy", "of this step: nothing but rounding"},
    {"tangential_work_max", "energy", "the largest of a contact in this step"},
    {"tangential_work_min", "energy", "the smallest"},
    {"active", "number", "contacts in the contact problem"},
    {"sticking", "number", "of these"},
    {"sliding", "number", "of these: at the limit of friction, even if they do not move"},
    {"cone_iterations", "number", "of the contact solver"},
    {"cone_error", "1", "of the contact problem, in the measure that is free of units"},
    {"driven", "energy", "of obstacles that move and of joints with prescribed values, so far"},
    {"joints", "energy", "what else forces of joints worked: rounding, unless time.joints: velocity"},
    {"work_boundary", "energy", "of dashpots and of sides that absorb, so far"},
    {"breakdown", "energy", "of friction beyond its residual strength, a part of -work_contact_tangential"},
    {"loss_contact_normal", "energy",
     "what normal percussions take, (u + u')/2 p_n, so far: by impact, the same for every theta"},
    {"loss_contact_tangential", "energy", "what friction takes, likewise"},
    {"numerical_rest", "energy",
     "of the scheme's own what is not of percussions: losses + this = work_contact_* + "
     "dissipation_numerical"},
    {"projection", "energy",
     "schemes by levels: of forces where positions move other than by the mean velocity, so far; part of the "
     "balance"},
    {0}};

/* Of a file, or what else belongs to it: prefix stands for the names in the case. */
typedef struct {
  const char *file, *about, *prefix;
  const cli_column *column;
} group;

static const group tables[] = {
    {"energy.csv", "Every step; works are positive when given to the system", "", NULL},
    {"forces.csv",
     "Every step; the first row has no forces, as no step was made, where a run goes on from another one too",
     "", cli_step_columns},
    {NULL, "of each contact in the plane", "<contact>", cli_contact_sums},
    {NULL, "of each contact in space", "<contact>", cli_space_contact_sums},
    {NULL, "of each support that prescribes", "<support>", cli_support_sums},
    {NULL, "of each support with springs to the ground", "<support>", cli_ground_sums},
    {NULL, "of each joint in the plane", "<joint>", cli_joint_sums},
    {NULL, "of each joint in space", "<joint>", cli_space_joint_sums},
    {NULL, "of each spring", "<spring>", cli_spring_sums},
    {NULL, "of each contact, schemes by levels", "<contact>", cli_gap_sums},
    {"energies.csv",
     "With output.energies, at the start, at snapshots and at the end, a row for each body and material", "",
     cli_energies_columns},
    {"probes.csv", "With probes, every step", "", cli_step_columns},
    {NULL, "of: displacement", "<probe>", cli_probe_displacement},
    {NULL, "of: velocity", "<probe>", cli_probe_velocity},
    {NULL, "of: stress", "<probe>", cli_probe_stress},
    {NULL, "of: strain", "<probe>", cli_probe_strain},
    {NULL, "with contact, what its diagram has there", "<probe>_", cli_diagram_fields},
    {NULL, "schemes by levels", "<probe>_", cli_diagram_levels},
    {NULL, "all", "<probe>_", cli_diagram_slip},
    {NULL, "between two curves", "<probe>_", cli_diagram_smoothed},
    {NULL, "friction that is more than a number", "<probe>_", cli_diagram_friction},
    {NULL, "likewise", "<probe>_", cli_diagram_state},
    {"contacts.csv",
     "With output.contacts or bodies, every step (output.table_every), a row for each active contact; in the "
     "plane",
     "", cli_contact_columns},
    {NULL, "schemes by levels", "", cli_level_columns},
    {NULL, "friction that is more than a number", "", cli_contact_rub_columns},
    {NULL, "in space, of n, t1, t2, and with drilling friction drill", "", cli_space_contact_columns_of},
    {NULL, "in space, schemes by levels", "", cli_space_impulse_columns},
    {NULL, "", "", cli_space_position_columns},
    {NULL, "", "", cli_space_force_columns},
    {"bodies.csv", "With rigid bodies or beams, every step (output.table_every); in the plane", "",
     cli_body_columns},
    {NULL, "in space", "", cli_space_body_columns},
    {"joints.csv", "With joints, every step (output.table_every), a row for each equation", "",
     cli_joint_columns},
    {NULL, "schemes by levels", "", cli_joint_level_columns},
    {"errors.csv", "With exact, at the start, at snapshots and at the end", "", cli_error_columns},
    {"grains.csv", "Where bodies meet in the plane, at outputs (measures.every)", "", cli_grain_columns},
    {"grain-forces.csv", "Likewise", "", cli_grain_force_columns},
    {"strips.csv", "With measures.strips, likewise", "", cli_strip_columns},
};

static const group diagrams[] = {
    {"contact-<name>.vtr",
     "Of contact lines of a mesh, a column every output.contact_every steps. Positions are along t, the "
     "normal "
     "turned by -90 degrees, from the plane's point; of a straight interface x . t, of one that is not its "
     "length "
     "from its beginning; of a closed curve the length from the node that is nearest to the plane, or of an "
     "interface has the largest x, with the body on the left, from minus half of the way around to half of "
     "it",
     "", cli_diagram_fields},
    {NULL, "schemes by levels", "", cli_diagram_levels},
    {NULL, "all", "", cli_diagram_slip},
    {NULL, "between two curves", "", cli_diagram_smoothed},
    {NULL, "friction that is more than a number", "", cli_diagram_friction},
    {NULL, "likewise", "", cli_diagram_state},
    {NULL, "all: means", "", cli_diagram_means},
};

/* ---- lines --------------------------------------------------------------------------------------------- */

typedef struct {
  prc_bytes *out;
  int markdown;
  prc_error *err;
} page;

static prc_status add_line(const page *p, const char *prefix, const char *name, const char *components,
                           const char *dimension, const char *help) {
  const char *bracket = components[0] ? " (" : "", *end = components[0] ? ")" : "";
  if (p->markdown)
    return prc_bytes_print(p->out, p->err, "| `%s%s` | %s | %s%s%s%s |\n", prefix, name, dimension, help,
                           bracket, components, end);
  return prc_bytes_print(p->out, p->err, "  %s%s%*s  %-16s %s%s%s%s\n", prefix, name,
                         (int)(strlen(prefix) + strlen(name) < 30 ? 30 - strlen(prefix) - strlen(name) : 0),
                         "", dimension, help, bracket, components, end);
}

static prc_status add_head(const page *p, const char *file, const char *about) {
  if (p->markdown)
    return prc_bytes_print(
        p->out, p->err, "\n### `%s`\n\n%s.\n\n| name | dimension | meaning |\n|---|---|---|\n", file, about);
  return prc_bytes_print(p->out, p->err, "\n%s\n  %s.\n\n", file, about);
}

static prc_status add_part(const page *p, const char *about) {
  if (!about[0]) return PRC_OK;
  return prc_bytes_print(p->out, p->err, p->markdown ? "| | | *%s* |\n" : "  -- %s\n", about);
}

static const cli_column *find(const cli_column *column, const char *name, size_t length) {
  for (; column->name; column++)
    if (strlen(column->name) == length && memcmp(column->name, name, length) == 0) return column;
  return NULL;
}

/* In the order of the ledger; a column without words is seen to have none. */
static prc_status add_energy(const page *p) {
  prc_status status = PRC_OK;
  char name[64];
  for (const char *at = prc_ledger_header(); *at;) {
    const size_t length = strcspn(at, ",");
    const cli_column *words = find(energy, at, length);
    name[0] = '\0';
    prc_append(name, sizeof name, "%.*s", (int)length, at);
    prc_try(add_line(p, "", name, "", words ? words->dimension : "?", words ? words->help : "?"));
    at += length + (at[length] == ',');
  }
done:
  return status;
}

static prc_status add_groups(const page *p, size_t n, const group *of) {
  prc_status status = PRC_OK;
  for (size_t k = 0; k < n; k++) {
    prc_try(of[k].file ? add_head(p, of[k].file, of[k].about) : add_part(p, of[k].about));
    if (!of[k].column) prc_try(add_energy(p));
    for (const cli_column *c = of[k].column; c && c->name; c++)
      prc_try(add_line(p, of[k].prefix, c->name, "", c->dimension, c->help));
  }
done:
  return status;
}

static prc_status add_fields(const page *p, int files, const char *file, const char *about) {
  prc_status status = PRC_OK;
  const prc_field_kind *kind;
  char help[512];
  prc_try(add_head(p, file, about));
  for (int k = 0; (kind = prc_field_kind_at(k)); k++) {
    if (!(kind->files & files)) continue;
    const int asked = files == PRC_FIELD_SNAPSHOT && kind->files & PRC_FIELD_EXTRA;
    help[0] = '\0';
    prc_append(help, sizeof help, "%s: %s%s", kind->where, asked ? "if output.fields has it: " : "",
               kind->help);
    prc_try(add_line(p, "", kind->name, kind->components, kind->dimension, help));
  }
done:
  return status;
}

static const char opening[] = "Every table, array and code of the results of a run. Names in <> are those of "
                              "the case. A dimension 1 is none; a code or a number is\n"
                              "whole. Tables are CSV: a line of names, then rows, texts in quotation marks "
                              "where they need them (RFC 4180), the decimal point a point.\n";

prc_status cli_output_page(int markdown, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes out = {0};
  const page p = {&out, markdown, err};
  prc_try(prc_bytes_print(&out, err, "%s%s", markdown ? "# The results\n\n" : "The results\n\n", opening));
  prc_try(prc_bytes_print(&out, err, markdown ? "\n## Tables\n" : "\nTables\n"));
  prc_try(add_groups(&p, sizeof tables / sizeof *tables, tables));
  prc_try(prc_bytes_print(&out, err, markdown ? "\n## Fields\n" : "\nFields\n"));
  prc_try(add_fields(&p, PRC_FIELD_SNAPSHOT, "vtu/step-<step>.vtu",
                     "Snapshots, every output.every steps, listed in solution.pvd; of a mesh that processes "
                     "share step-<step>.pvtu, with a piece of each, step-<step>-<rank>.vtu. Vectors of the "
                     "plane have a third component, 0"));
  prc_try(add_fields(&p, PRC_FIELD_FORCES, "vtu/forces-<step>.vtu",
                     "Forces between rigid bodies at snapshots, listed in forces.pvd"));
  prc_try(prc_bytes_print(&out, err, markdown ? "\n## Diagrams\n" : "\nDiagrams\n"));
  prc_try(add_groups(&p, sizeof diagrams / sizeof *diagrams, diagrams));
  if (markdown) prc_try(prc_bytes_print(&out, err, "\nThis page is printed by `percuss help output`.\n"));
  *text = out.at, out.at = NULL;
done:
  prc_delete(&out.at);
  return status;
}
