#include "config.h"
#include "cli/cli.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run removes what an older one left in its folder, and writes files with common names. So it does not
 * begin in a folder that holds somebody's files: the folder is empty, or has the mark of a run of percuss. */

/* ---- what a run leaves --------------------------------------------------------------------------------- */

static const char vtu[] = "vtu", states[] = CLI_STATES;
static const char manifest[] = "run.json", first_part[] = "run.json.part"; /* the first file of a run */

/* Files by how their names begin and end, in DIR itself or in a folder below it. A name without an end is a
 * whole one. */
typedef struct {
  const char *folder, *begin, *end;
  int is_checkpoint;
  int stays; /* replaced as a whole, so that the folder has its mark whatever happens */
} results;

static const results kinds[] = {
    {"", "run.json", NULL, 0, 1},
    {"", "certificate.json", NULL, 0, 0},
    {"", "energy.csv", NULL, 0, 0},
    {"", "forces.csv", NULL, 0, 0},
    {"", "contacts.csv", NULL, 0, 0},
    {"", "probes.csv", NULL, 0, 0},
    {"", "bodies.csv", NULL, 0, 0},
    {"", "errors.csv", NULL, 0, 0},
    {"", "energies.csv", NULL, 0, 0},
    {"", "solution.pvd", NULL, 0, 0},
    {"", "contact-", ".vtr", 0, 0},
    {"", "cone-", ".hdf5", 0, 0},
    {vtu, "step-", ".vtu", 0, 0},
    {vtu, "step-", ".vtu.part", 0, 0},
    {vtu, "step-", ".pvtu", 0, 0},
    {vtu, "step-", ".pvtu.part", 0, 0},
    {"", "grains.csv", NULL, 0, 0},
    {"", "grain-forces.csv", NULL, 0, 0},
    {"", "strips.csv", NULL, 0, 0},
    {"", "forces.pvd", NULL, 0, 0},
    {vtu, "forces-", ".vtu", 0, 0},
    {vtu, "forces-", ".vtu.part", 0, 0},
    {states, "step-", ".h5", 0, 0},
    {"", "joints.csv", NULL, 0, 0},
    {"", "mesh.h5", NULL, 1, 0},
    {"", "checkpoint.h5", NULL, 1, 0},
    {"", "checkpoint-older.h5", NULL, 1, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int is_of(const results *kind, const char *name) {
  if (!kind->end) return strcmp(name, kind->begin) == 0;
  return prc_begins_with(name, kind->begin) && strlen(name) >= strlen(kind->begin) + strlen(kind->end)
         && prc_ends_with(name, kind->end);
}

/* ---- going through a folder ---------------------------------------------------------------------------- */

typedef struct {
  int n[KINDS];   /* files of each kind */
  char file[300]; /* one that counts, "": there is none */
  char link[300]; /* a result that is a link or a device, "": none */
} inventory;

/* A folder that is not there has no entries: *open is NULL then. */
static prc_status open_directory(const prc_folder *folder, const char *below, DIR **open, prc_error *err) {
  const char *name = *below ? below : ".";
  const int descriptor =
      openat(prc_folder_descriptor(folder), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  *open = descriptor >= 0 ? fdopendir(descriptor) : NULL;
  if (*open || (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))) return PRC_OK;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  return prc_fail(err, PRC_IO, "%s/%s: cannot be listed: %s", prc_folder_path(folder), below,
                  strerror(reason));
}

/* Is it nothing? A lock without text belongs to a run that has just made the folder, and after a power
 * failure it and the first file that was being written may be empty, or zeros. */
static int is_ignored(const prc_folder *folder, const char *name) {
  char text[2];
  if (name[0] == '.' || strcmp(name, "lost+found") == 0) return 1;
  if ((strcmp(name, CLI_LOCK_NAME) != 0 && strcmp(name, first_part) != 0) || prc_file_obstacle(folder, name))
    return 0;
  cli_read_start(folder, name, text, sizeof text);
  return text[0] == '\0';
}

/* An entry of DIR itself. What a run would write must not be a link, which leads to what belongs to
 * others. */
static void classify_entry(const prc_folder *folder, const char *name, int is_result, inventory *all) {
  const char *const own[] = {vtu, states, CLI_LOCK_NAME};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) is_result |= strcmp(name, own[k]) == 0;
  const char *other = is_result ? prc_file_obstacle(folder, name) : NULL;
  if (other && strcmp(other, PRC_FILE_FOLDER) != 0)
    snprintf(all->link, sizeof all->link, "%.250s: is %s", name, other);
  if (!all->file[0] && !is_ignored(folder, name)) snprintf(all->file, sizeof all->file, "%s", name);
}

static prc_status count_files_in(const prc_folder *folder, const char *below, inventory *all,
                                 prc_error *err) {
  DIR *open = NULL;
  const prc_status status = open_directory(folder, below, &open, err);
  for (const struct dirent *entry; open && (entry = readdir(open));) {
    int is_result = 0;
    for (int k = 0; k < KINDS; k++) {
      if (strcmp(kinds[k].folder, below) != 0 || !is_of(&kinds[k], entry->d_name)) continue;
      is_result = 1, all->n[k]++;
    }
    if (!*below) classify_entry(folder, entry->d_name, is_result, all);
  }
  if (open) closedir(open);
  return status;
}

static prc_status count_files(const prc_folder *folder, inventory *all, prc_error *err) {
  const char *const below[] = {"", vtu, states};
  *all = (inventory){0};
  prc_status status = PRC_OK;
  for (size_t k = 0; k < sizeof below / sizeof *below && status == PRC_OK; k++)
    status = count_files_in(folder, below[k], all, err);
  return status;
}

static prc_status clear_below(const prc_folder *folder, const char *below, int checkpoints, prc_error *err) {
  DIR *open = NULL;
  prc_status status = open_directory(folder, below, &open, err);
  for (const struct dirent *entry; open && status == PRC_OK && (entry = readdir(open));)
    for (int k = 0; k < KINDS; k++) {
      if (strcmp(kinds[k].folder, below) != 0 || kinds[k].is_checkpoint != checkpoints || kinds[k].stays
          || !is_of(&kinds[k], entry->d_name) || unlinkat(dirfd(open), entry->d_name, 0) == 0)
        continue;
      if (errno != ENOENT && errno != EISDIR && errno != EPERM) /* a folder is named when it is in the way */
        status = prc_fail(err, PRC_IO, "%s/%s: cannot be removed: %s", prc_folder_path(folder), entry->d_name,
                          strerror(errno));
    }
  if (open) closedir(open);
  return status;
}

prc_status cli_results_remove(const prc_folder *folder, int checkpoints, prc_error *err) {
  prc_status status = clear_below(folder, "", checkpoints, err);
  if (status == PRC_OK && !checkpoints) status = clear_below(folder, vtu, 0, err);
  if (status == PRC_OK && !checkpoints) status = clear_below(folder, states, 0, err);
  if (status != PRC_OK || checkpoints) return status;
  unlinkat(prc_folder_descriptor(folder), vtu, AT_REMOVEDIR); /* stays if there is something else in it */
  unlinkat(prc_folder_descriptor(folder), states, AT_REMOVEDIR);
  return PRC_OK;
}

/* ---- what a run would remove or replace ------------------------------------------------------------------ */

static int is_folder_of(const struct stat *about, const prc_folder *folder, const char *below) {
  struct stat other;
  return fstatat(prc_folder_descriptor(folder), *below ? below : ".", &other, AT_SYMLINK_NOFOLLOW) == 0
         && other.st_ino == about->st_ino && other.st_dev == about->st_dev;
}

/* Tables and pictures of commands that compute many runs, and the lock. */
static int is_of_command(const char *name) {
  static const char *const names[] = {CLI_LOCK_NAME,  first_part,      "sweep.csv",
                                      "sweep.json",   "sweep.html",    "convergence.csv",
                                      "explore.json", "intervals.csv", "samples.csv"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(name, names[k]) == 0) return 1;
  return 0;
}

int cli_results_claim(const prc_folder *folder, const char *path) {
  struct stat about;
  char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
  int claimed = 0;
  if (slash) {
    *slash = '\0'; /* the folder that it stands in */
    const int known = stat(slash == real ? "/" : real, &about) == 0;
    for (int k = 0; known && !claimed && k < KINDS; k++)
      claimed = is_of(&kinds[k], slash + 1) && is_folder_of(&about, folder, kinds[k].folder);
    if (known && !claimed) claimed = is_of_command(slash + 1) && is_folder_of(&about, folder, "");
  }
  prc_delete(&real);
  return claimed;
}

/* "run.json, energy.csv, 41 of vtu/step-*.vtu"; "" if there is nothing */
static void list_removed(const inventory *all, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < KINDS; k++) {
    const results *kind = &kinds[k];
    const char *comma = *text ? ", " : "";
    if (all->n[k] == 0) continue;
    if (kind->end)
      prc_append(text, size, "%s%d of %s%s%s*%s", comma, all->n[k], kind->folder, *kind->folder ? "/" : "",
                 kind->begin, kind->end);
    else
      prc_append(text, size, "%s%s", comma, kind->begin);
  }
}

/* ---- marks --------------------------------------------------------------------------------------------- */

void cli_read_start(const prc_folder *folder, const char *name, char *text, size_t size) {
  struct stat about;
  ssize_t got = 0;
  const int descriptor =
      openat(prc_folder_descriptor(folder), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
    got = read(descriptor, text, size - 1);
  if (descriptor >= 0) close(descriptor);
  text[got > 0 ? got : 0] = '\0';
}

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* "program": "percuss" in the run.json, wherever another program may have put it */
static int has_manifest(const prc_folder *folder, const char *name) {
  static const char key[] = "\"program\"", value[] = "\"percuss\"";
  char text[16384];
  cli_read_start(folder, name, text, sizeof text);
  for (const char *at = text; (at = strstr(at, key));) {
    at = skip_blanks(at + strlen(key));
    if (*at == ':' && strncmp(skip_blanks(at + 1), value, strlen(value)) == 0) return 1;
  }
  return 0;
}

static int has_lock(const prc_folder *folder) {
  char text[64];
  cli_read_start(folder, CLI_LOCK_NAME, text, sizeof text);
  return strncmp(text, CLI_LOCK_MARK, strlen(CLI_LOCK_MARK)) == 0;
}

static int has_mark(const prc_folder *folder) {
  return has_manifest(folder, manifest) || has_manifest(folder, first_part) || has_lock(folder)
         || prc_output_store_is_ours(folder, "checkpoint.h5")
         || prc_output_store_is_ours(folder, "checkpoint-older.h5");
}

/* ---- the judgement ------------------------------------------------------------------------------------- */

static void replace_controls(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) *text = '?';
}

static prc_status check_folder(const prc_folder *folder, int is_ours, int overwrite, prc_error *err) {
  inventory all;
  char text[700];
  const char *path = prc_folder_path(folder);
  const prc_status status = count_files(folder, &all, err);
  if (status != PRC_OK) return status;
  if (all.link[0])
    return prc_fail(err, PRC_INPUT,
                    "%s/%s, expected a file or folder of a run: what a run writes stays in its folder", path,
                    all.link);
  if (!all.file[0] || (is_ours && !overwrite)) return PRC_OK;
  list_removed(&all, text, sizeof text);
  replace_controls(all.file);
  if (!overwrite)
    return prc_fail(
        err, PRC_INPUT,
        "%s: has '%s' and is not the folder of a run of percuss; expected an empty folder, a new one or "
        "that of a run (-o DIR); --overwrite would remove %s",
        path, all.file, *text ? text : "nothing, and write beside what is there");
  if (*text) prc_log_message(&cli_log, PRC_LOG_WARNING, "%s: --overwrite removes %s", path, text);
  return PRC_OK;
}

prc_status cli_ownership_check(const prc_folder *folder, int resumes, int overwrite, prc_error *err) {
  return check_folder(folder, resumes || has_mark(folder), overwrite, err);
}

prc_status cli_ownership_check_explored(const prc_folder *folder, int overwrite, prc_error *err) {
  return check_folder(folder, has_manifest(folder, "explore.json") || has_mark(folder), overwrite, err);
}

prc_status cli_ownership_check_sweep(const prc_folder *folder, int overwrite, prc_error *err) {
  return check_folder(folder, has_manifest(folder, "sweep.json") || has_lock(folder), overwrite, err);
}

/* ---- the folder of a family ---------------------------------------------------------------------------- */

static int is_member(const char *name) {
  return strncmp(name, "size-", 5) == 0 || strncmp(name, "step-", 5) == 0;
}

/* 1: it is one of ours; a link is refused. */
static prc_status check_member(const prc_folder *folder, const char *name, int *is_ours, prc_error *err) {
  prc_folder *member = NULL;
  const prc_status status = prc_folder_open_below(folder, name, 0, &member, err);
  if (status == PRC_OK) *is_ours |= has_mark(member);
  prc_folder_close(&member);
  return status == PRC_IO ? err->status = PRC_INPUT : status;
}

prc_status cli_ownership_check_family(const prc_folder *folder, int overwrite, prc_error *err) {
  static const char head[] = "size,step,nodes,unknowns,seconds,certified";
  prc_status status = PRC_OK;
  char text[sizeof head];
  DIR *open = NULL;
  prc_try(open_directory(folder, "", &open, err));
  cli_read_start(folder, "convergence.csv", text, sizeof text);
  int is_ours = strcmp(text, head) == 0;
  for (const struct dirent *entry; open && status == PRC_OK && (entry = readdir(open));)
    if (is_member(entry->d_name)) status = check_member(folder, entry->d_name, &is_ours, err);
  if (status == PRC_OK) status = check_folder(folder, is_ours, overwrite, err);
done:
  if (open) closedir(open);
  return status;
}
