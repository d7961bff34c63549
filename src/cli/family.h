/* A family of runs: each in a process and a folder of its own, for `converge` and `sweep`. */
#ifndef PRC_CLI_FAMILY_H
#define PRC_CLI_FAMILY_H

#include "cli/cli.h"

typedef enum {
  CLI_MEMBER_CERTIFIED,
  CLI_MEMBER_WAITING, /* it has not begun */
  CLI_MEMBER_NOT_CERTIFIED = 3,
  CLI_MEMBER_STOPPED,
  CLI_MEMBER_FAILED,
  CLI_MEMBER_WRONG, /* its case, or what is in its folder */
  CLI_MEMBER_NOTED, /* certified, with notes */
  CLI_MEMBER_ENDS
} cli_member_end;
int cli_member_is_done(cli_member_end end);      /* it has a certificate, whatever that says */
int cli_member_is_certified(cli_member_end end); /* that passes, with notes or without */
const char *
cli_member_word(cli_member_end end); /* "certified", "certified, with notes", "not certified", "failed" */

typedef struct {
  char folder[4096];   /* of its results */
  cli_options options; /* of its run; its --set are those of the family and its own */
  const char **all_set;
  /* of `converge` */
  double size, step; /* size is 0 where the mesh is the case's own */
  int n_steps, n_nodes;
  char scheme[40], set[3][64]; /* "": the case's own; mesh.size=..., time.step=..., time.scheme=... */
  /* while it runs, and afterwards */
  int pid, words; /* from where its last words are read */
  cli_member_end end;
  char reason[1024]; /* why it failed; "": it did not, or nobody knows */
  double began, seconds;
} cli_member;

typedef struct {
  int n;
  cli_member *member; /* those that wait are run */
  int jobs;           /* so many at a time; 0: as many as there are processors */
  int from_last;      /* the last begins */
  int needs_all;      /* once one of them fails none begins, and the family has failed */
  /* Runs one, in its own process; may be interrupted until it holds interrupts off. */
  prc_status (*run)(const cli_member *m, cli_outcome *outcome, prc_error *err);
  /* When one has come to its end; in the family's process. */
  void (*on_end)(void *to, const cli_member *m);
  void *to;
} cli_family;
/* Until all have ended. An interrupt stops them all, with their checkpoints written: PRC_STOPPED. Interrupts are held off by who calls. */
prc_status cli_family_run(cli_family *family, prc_error *err) PRC_MUST_CHECK;
/* The status of a member that is run inside a process of its own, to be told again after an interrupt. */
void cli_family_await_interrupts(void);
/* Has a member of the family that runs given this warning before? From now on it has. Outside a family: no. */
int cli_family_has_said(const char *text);
#define CLI_FAMILY_STOPPED "stopped; the same command goes on from there"

#endif
