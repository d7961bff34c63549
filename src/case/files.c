#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <sys/stat.h>

/* The files that a case is made of. */

typedef struct {
  prc_case_file *say;
  void *to;
  const char *key;
} listener;

static void say_mesh(void *to, const char *path) {
  const listener *l = to;
  l->say(l->to, l->key, path);
}

static void say(const listener *l, const char *key, const char *path) {
  if (path) l->say(l->to, key, path);
}

static void say_state(const listener *l, const char *from) {
  struct stat about;
  char path[8192];
  snprintf(path, sizeof path, "%s/checkpoint.h5", from);
  say(l, "initial.run", stat(from, &about) == 0 && S_ISREG(about.st_mode) ? from : path);
}

prc_status prc_case_files(const prc_case *c, prc_case_file *to_say, void *to, prc_error *err) {
  prc_status status = PRC_OK;
  listener l = {to_say, to, "mesh.file"};
  for (int k = 0; k < c->mesh.n_files; k++) prc_try(prc_mesh_files(c->mesh.files[k], say_mesh, &l, err));
  for (int s = 0; s < c->n_sets; s++) { /* the bodies of a set have one table and one surface */
    const prc_case_body *body = c->set[s].n > 0 ? &c->body[c->set[s].first] : NULL;
    if (body) say(&l, "bodies.<name>.from", body->table);
    if (body) say(&l, "bodies.<name>.shape", body->space.solid.file);
  }
  for (int k = 0; k < c->n_obstacles; k++) say(&l, "obstacles.<name>.shape", c->obstacle[k].space.solid.file);
  for (size_t k = 0; k < c->store->n_histories; k++)
    say(&l, "table()", prc_history_path(c->store->history[k]));
  if (c->initial.from) say_state(&l, c->initial.from);
done:
  return status;
}
