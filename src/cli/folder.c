#include "config.h"
#include "cli/checkpoint.h"
#include "cli/identity.h"
#include "cli/measures.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new run does not leave the files of an older one beside its own. */
static prc_status clear_folder(const cli_run_state *run, prc_error *err) {
  const prc_status status = cli_results_remove(run->results, 0, err);
  return status == PRC_OK ? cli_results_remove(run->checkpoint_folder, 1, err) : status;
}

/* The state of the checkpoint, and the tables cut to what they were then. */
static prc_status resume_results(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  double sizes[CLI_TABLES];
  int steps;
  if (cli_ranks_write(run)) cli_manifest_read_done(run->results, &steps, &run->seconds_before);
  prc_try(cli_checkpoint_read(run, sizes, err));
  prc_try(cli_measures_check(run, err));
  prc_try(cli_results_open(run, sizes, err));
  if (!cli_ranks_write(run)) return PRC_OK;
  prc_try(cli_measures_open(run, 1, err));
  /* what it certified is not the whole run any more */
  unlinkat(prc_folder_descriptor(run->results), "certificate.json", 0);
  status = cli_manifest_write(run, "running", err);
done:
  return status;
}

static prc_status clear_results(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(cli_manifest_write(run, "running", err)); /* first: the folder is known by it */
  prc_try(clear_folder(run, err));
done:
  return status;
}

static prc_status begin_results(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const int writes = cli_ranks_write(run);
  prc_try(cli_ranks_agree(run, writes ? clear_results(run, err) : PRC_OK, err));
  prc_try(cli_results_open(run, NULL, err));
  if (writes) prc_try(cli_measures_open(run, 0, err));
  prc_try(cli_results_rows(run, err));
  if (writes) prc_try(cli_measures_rows(run, err));
  if (writes) prc_try(cli_diagrams_column(run, err));
  if (run->c->output.every > 0) prc_try(cli_snapshots_add(run, err));
  if (run->share) return cli_ranks_agree(run, cli_results_flush(run, err), err);
  prc_try(cli_results_errors(run, err));
  prc_try(cli_energies_write(run, err));
  prc_try(cli_kept_mesh_write(run, err));
  if (run->states > 0 || run->c->output.states > 0) prc_try(cli_state_write(run, err));
  status = cli_results_flush(run, err);
done:
  return status;
}

static prc_status refuse_resume(const cli_run_state *run, prc_error *err) {
  return prc_fail(
      err, PRC_INPUT,
      "%s/checkpoint.h5: there is no checkpoint to resume from, expected one in the folder of the results "
      "(-o DIR) or of the checkpoints (--checkpoint DIR); without --resume the run starts anew",
      run->checkpoints);
}

static int lock_is_there(const char *folder) {
  char path[8192];
  snprintf(path, sizeof path, "%s/lock", folder);
  return access(path, F_OK) == 0;
}

static int is_same_folder(const char *a, const char *b) {
  struct stat one, other;
  return strcmp(a, b) == 0
         || (stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_ino == other.st_ino
             && one.st_dev == other.st_dev);
}

/* To begin anew wipes the results: not while there are checkpoints that the user has not named. */
static prc_status begin_for_resume(const cli_run_state *run, const cli_lock *lock, const char *elsewhere,
                                   prc_error *err) {
  const char *left = lock->left_checkpoints;
  if (strcmp(left, elsewhere) != 0)
    return prc_fail(err, PRC_INPUT,
                    "%s: there is no checkpoint to resume from: the run that ended here had its own in %s; "
                    "expected %s%s",
                    run->checkpoints, *left ? left : run->folder, *left ? "--checkpoint " : "no --checkpoint",
                    left);
  prc_log_message(&cli_log, PRC_LOG_WARNING, "%s: the run ended before its first checkpoint and begins anew",
                  run->folder);
  return PRC_OK;
}

/* Work of more than a checkpoint's time is not lost because --resume was forgotten. */
static prc_status check_lost_work(const cli_run_state *run, prc_error *err) {
  const double limit = run->c->output.checkpoint_time;
  double seconds;
  int steps;
  cli_manifest_read_done(run->results, &steps, &seconds);
  if (!(limit > 0.0) || seconds <= limit) return PRC_OK;
  const int is_long = seconds >= 3600.0;
  return prc_fail(err, PRC_INPUT,
                  "%s: results are there that took %.4g %s, of %d steps; expected another folder (-o DIR), "
                  "--resume to go on "
                  "with them if they are of the same case, or --overwrite to begin anew",
                  run->folder, is_long ? seconds / 3600.0 : seconds, is_long ? "hours" : "seconds", steps);
}

/* Two cases do not share a folder by chance. */
static prc_status check_other_case(const cli_run_state *run, prc_error *err) {
  cli_identity there;
  cli_identity_read(run->results, "run.json", &there);
  return cli_is_other_case(&there, run->c) ? cli_refuse_other_case(run->folder, &there, run->c, err) : PRC_OK;
}

/* Which of the two --resume=if-possible has found to be possible. */
static void tell_choice(const cli_run_state *run, int resumes) {
  if (resumes)
    prc_log_message(&cli_log, PRC_LOG_INFO, "%s: goes on from the checkpoint of step %d", run->folder,
                    prc_stepper_record(run->stepper)->step);
  else
    prc_log_message(&cli_log, PRC_LOG_INFO, "%s: there is no checkpoint to go on from, begins anew",
                    run->checkpoints);
}

/* Room for the longest name below it. */
static prc_status check_length(const char *folder, prc_error *err) {
  enum { LONGEST = 3800 };
  if (strlen(folder) <= LONGEST) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s: the name has %zu bytes, expected at most %d", folder, strlen(folder),
                  (int)LONGEST);
}

static prc_status open_folder(const char *path, prc_folder **out, prc_error *err) {
  const prc_status status = prc_output_make_folder(path, err);
  return status == PRC_OK ? prc_folder_open(path, out, err) : status;
}

/* Both folders, made, judged and locked. resumes: from a checkpoint that is there. */
static prc_status lock_folders(cli_run_state *run, cli_folders *folders, const cli_options *o, int resumes,
                               prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(open_folder(run->folder, &run->results, err));
  const char *elsewhere = is_same_folder(run->checkpoints, run->folder) ? "" : run->checkpoints;
  prc_try(cli_ownership_check(run->results, resumes, o->overwrite, err));
  prc_try(cli_lock_acquire(&folders->results, run->results, elsewhere, err));
  if (!resumes && (o->resume == CLI_RESUME || (o->resume && folders->results.was_stale)))
    prc_try(begin_for_resume(run, &folders->results, elsewhere, err));
  prc_try(open_folder(run->checkpoints, &run->checkpoint_folder, err));
  if (!*elsewhere) goto done;
  prc_try(cli_ownership_check(run->checkpoint_folder, resumes, o->overwrite, err));
  prc_try(cli_lock_acquire(&folders->checkpoints, run->checkpoint_folder, "", err));
done:
  return status;
}

/* A run that died before its first checkpoint has left nothing but its lock: then to resume is to begin. */
static prc_status open_and_judge(cli_run_state *run, cli_folders *folders, const cli_options *o, int *resumes,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(check_length(run->folder, err));
  prc_try(check_length(run->checkpoints, err));
  *resumes = o->resume && cli_checkpoint_exists(run->checkpoints);
  if (o->resume == CLI_RESUME && !*resumes && !lock_is_there(run->folder)) return refuse_resume(run, err);
  prc_try(lock_folders(run, folders, o, *resumes, err));
  if (!*resumes) prc_try(cli_inputs_check(run->results, run->c, err));
  if (!*resumes) prc_try(cli_inputs_check(run->checkpoint_folder, run->c, err));
  if (!*resumes && !o->overwrite) prc_try(check_other_case(run, err));
  if (!*resumes && o->resume != CLI_RESUME && !o->overwrite) prc_try(check_lost_work(run, err));
done:
  return status;
}

/* Rank 0 makes and locks them; others hold them open. */
static prc_status open_for_all(cli_run_state *run, cli_folders *folders, const cli_options *o, int *resumes,
                               prc_error *err) {
  prc_status status = PRC_OK;
  if (cli_ranks_write(run)) status = open_and_judge(run, folders, o, resumes, err);
  prc_try(cli_ranks_agree(run, status, err));
  cli_ranks_tell(run, sizeof *resumes, resumes);
  if (!cli_ranks_write(run)) status = prc_folder_open(run->folder, &run->results, err);
  prc_try(cli_ranks_agree(run, status, err));
done:
  return status;
}

prc_status cli_folders_open(cli_run_state *run, cli_folders *folders, const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  int resumes = 0;
  prc_try(open_for_all(run, folders, o, &resumes, err));
  prc_try(resumes ? resume_results(run, err) : begin_results(run, err));
  if (o->resume == CLI_RESUME_IF_POSSIBLE && !o->quiet) tell_choice(run, resumes);
done:
  if (status == PRC_INPUT) { /* refused: nothing was touched */
    cli_lock_restore(&folders->checkpoints);
    cli_lock_restore(&folders->results);
  }
  return status;
}

void cli_folders_close(cli_run_state *run, cli_folders *folders) {
  cli_lock_release(&folders->checkpoints);
  cli_lock_release(&folders->results);
  prc_folder_close(&run->checkpoint_folder);
  prc_folder_close(&run->results);
}
