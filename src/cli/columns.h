/* The columns of the tables of a run and the arrays of its diagrams, with what they mean: headers are made of these rows, and so is the page of
 * `percuss help output`. */
#ifndef PRC_CLI_COLUMNS_H
#define PRC_CLI_COLUMNS_H

#include "base/base.h"

/* name: of what has a name in the case behind that ("_force_normal"); <row>: one column for each row of a contact in space, n, t1, t2 and with drilling
 * friction drill. dimension: "1" has none, "code" and "number" are whole. The last of a list has no name. */
typedef struct {
  const char *name, *dimension, *help;
} cli_column;

extern const cli_column cli_contact_columns[], cli_contact_rub_columns[], cli_space_contact_columns_of[],
    cli_space_impulse_columns[], cli_space_position_columns[], cli_space_force_columns[], cli_contact_sums[],
    cli_space_contact_sums[], cli_support_sums[], cli_ground_sums[], cli_joint_sums[], cli_space_joint_sums[],
    cli_spring_sums[], cli_gap_sums[], cli_body_columns[], cli_space_body_columns[], cli_error_columns[],
    cli_joint_columns[], cli_joint_level_columns[], cli_energies_columns[], cli_step_columns[],
    cli_probe_displacement[], cli_probe_velocity[], cli_probe_stress[], cli_probe_strain[],
    cli_grain_columns[], cli_grain_force_columns[], cli_strip_columns[];
/* Multipliers of the schemes by levels, in the order of those of cli_level_columns. */
enum { CLI_LEVEL_COLUMNS = 5 };
extern const cli_column cli_level_columns[];
/* Of diagrams: the five that all have, the levels by PRC_LEVEL_..., the others, what is between columns. */
enum { CLI_DIAGRAM_FIELDS = 5, CLI_DIAGRAM_MEANS = 3 };
extern const cli_column cli_diagram_fields[], cli_diagram_levels[], cli_diagram_slip[],
    cli_diagram_smoothed[], cli_diagram_friction[], cli_diagram_state[], cli_diagram_means[];

int cli_columns_count(const cli_column *column);
/* Adds them to a header, each behind a comma and `before`. rows: names of the rows of contacts; NULL: there is no <row>. */
prc_status cli_columns_add(const cli_column *column, const char *before, int n_rows, const char *const *rows,
                           prc_bytes *line, prc_error *err) PRC_MUST_CHECK;

/* The page: as text, or as Markdown; the caller deletes it. */
prc_status cli_output_page(int markdown, char **text, prc_error *err) PRC_MUST_CHECK;

#endif
