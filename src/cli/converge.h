/* Result of `converge` over a family of runs. */
#ifndef PRC_CLI_CONVERGE_H
#define PRC_CLI_CONVERGE_H

#include "cli/family.h"

#define CLI_MAX_MEMBERS 32

/* A number of each member: a norm, which is compared with the next finer member as a field, or a value. */
typedef struct {
  char name[128];
  int is_norm;
  double value[CLI_MAX_MEMBERS]; /* of a norm: of the finer of the two fields, at the time of the error */
  double error[CLI_MAX_MEMBERS]; /* of member i against i + 1; NaN for the last */
  /* at the last member it needs: of a norm three, the third being i + 1; of a value three, the third being
   * i; else NaN */
  double order[CLI_MAX_MEMBERS];
  double limit; /* Richardson's extrapolation of a value; NaN without an order */
} cli_quantity;

typedef struct {
  int n_members;
  cli_member *member;
  int n_dof[CLI_MAX_MEMBERS];
  double scale[CLI_MAX_MEMBERS]; /* what is refined: the size, or the step */
  int is_exact; /* norms are of the errors against the exact solution of the case, of every member */
  int n_quantities;
  size_t capacity;
  cli_quantity *quantity;
} cli_convergence;

/* Results of a member: its states, and their model. */
typedef struct {
  prc_case *c;
  prc_model *model;
  prc_folder *states;
  size_t n;
  double *q, *v, ledger[CLI_STATE_VALUES];
} cli_member_results;
prc_status cli_member_open(const cli_member *m, cli_member_results *out, prc_error *err) PRC_MUST_CHECK;
/* The k-th of its states, counted from 0, into q, v and ledger. */
prc_status cli_member_read(const cli_member *m, int k, cli_member_results *b, prc_error *err) PRC_MUST_CHECK;
void cli_member_close(cli_member_results *b);

/* Schemes on one case: n_schemes x n_steps members, all steps of the first scheme, then of the second ...; the table is written into
 * the folder and printed. */
prc_status cli_schemes_compare(int n_schemes, int n_steps, const cli_member *member, const prc_folder *folder,
                               prc_error *err) PRC_MUST_CHECK;

/* Reads the states and tables of all members and compares them. */
prc_status cli_convergence_find(cli_convergence *c, prc_error *err) PRC_MUST_CHECK;
/* The order p of e ~ C s^p from the differences d01, d12 between three members of scales s. */
double cli_observed_order(const double s[3], double d01, double d12);

#endif
