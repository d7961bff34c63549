#include "config.h"
#include "scene/internal.h"

#include <stdio.h>

/* Prescribed motions of all bodies, one after the other. */

static prc_status velocity(void *owner, double t, double h, double *v, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *s = scene->of[b];
    double *own = v + scene->body[b].first_prescribed;
    if (s->drive.n > 0 && s->drive.velocity)
      prc_try(s->drive.velocity(s->owner, t, h, own, err));
    else
      for (int i = 0; i < s->drive.n; i++) own[i] = 0.0;
  }
done:
  return status;
}

static prc_status displacement(void *owner, double t, double *d, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *s = scene->of[b];
    if (s->drive.n > 0) prc_try(s->drive.displacement(s->owner, t, d + scene->body[b].first_prescribed, err));
  }
done:
  return status;
}

static prc_status acceleration(void *owner, double t, double *a, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *s = scene->of[b];
    double *own = a + scene->body[b].first_prescribed;
    if (s->drive.n > 0 && s->drive.acceleration)
      prc_try(s->drive.acceleration(s->owner, t, own, err));
    else
      for (int i = 0; i < s->drive.n; i++) own[i] = 0.0;
  }
done:
  return status;
}

/* The body that row i belongs to. */
static int body_of(const prc_scene *scene, int i) {
  int b = 0;
  while (i >= scene->body[b].first_prescribed + scene->of[b]->drive.n) b++;
  return b;
}

static prc_status displacement_at(void *owner, int i, double t, double *d, prc_error *err) {
  const prc_scene *scene = owner;
  const int b = body_of(scene, i);
  const prc_system *s = scene->of[b];
  return s->drive.displacement_at(s->owner, i - scene->body[b].first_prescribed, t, d, err);
}

static void name(void *owner, int i, char *text, size_t size) {
  const prc_scene *scene = owner;
  const int b = body_of(scene, i);
  const prc_system *s = scene->of[b];
  if (s->drive.name)
    s->drive.name(s->owner, i - scene->body[b].first_prescribed, text, size);
  else
    snprintf(text, size, "%s '%s': prescribed dof %d", scene->body[b].kind->name, scene->body[b].name,
             s->drive.dof[i - scene->body[b].first_prescribed]);
}

static prc_status list_rows(prc_scene *scene, int n, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&scene->prescribed, n, err));
  prc_try(prc_new(&scene->work, n, err));
  prc_try(prc_new(&scene->turn, n, err));
  prc_try(prc_new(&scene->like, n, err));
  for (int b = 0, k = 0; b < scene->n_bodies; b++) {
    const prc_drive *own = &scene->of[b]->drive;
    const int first = k;
    for (int i = 0; i < own->n; i++, k++) {
      const int like = own->rest ? -1 : own->like ? own->like[i] : i;
      scene->like[k] = like < 0 ? -1 : first + like;
      scene->prescribed[k] = scene->body[b].first_dof + own->dof[i];
      scene->work[k] = own->work ? own->work[i] : 0;
      scene->turn[k] = own->turn ? own->turn[i] : 0;
    }
  }
done:
  return status;
}

/* Displacements are there where all bodies have them; each row alone too. Accelerations where all that move have them. */
prc_status prc_scene_make_drive(prc_scene *scene, prc_error *err) {
  prc_drive *drive = &scene->system.drive;
  int displaced = 1, alone = 1, accelerated = 1;
  *drive = (prc_drive){.rest = 1, .name = name, .velocity = velocity};
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_drive *own = &scene->of[b]->drive;
    scene->body[b].first_prescribed = drive->n;
    drive->n += own->n;
    if (own->n == 0) continue;
    drive->rest &= own->rest;
    displaced &= own->displacement != NULL;
    alone &= own->displacement_at != NULL;
    accelerated &= own->rest || own->acceleration != NULL;
  }
  if (displaced) drive->displacement = displacement;
  if (accelerated) drive->acceleration = acceleration;
  if (displaced && alone) drive->displacement_at = displacement_at;
  const prc_status status = list_rows(scene, drive->n, err);
  drive->dof = scene->prescribed, drive->work = scene->work, drive->turn = scene->turn,
  drive->like = scene->like;
  return status;
}
