/* The scenes of space_scene.py, read for the drivers of bench-bodies, and what all drivers print. C and C++. */
#ifndef SPACE_SCENE_H
#define SPACE_SCENE_H

#include "bodies_scene.h"

/* place, unit quaternion (w x y z), velocity, spin; both in fixed axes */
typedef struct {
  double x[3], q[4], v[3], w[3];
} space_state;
typedef struct {
  space_state start;
  double density, radius, edge[3], mass, inertia[3]; /* radius 0: a box */
} space_body;
typedef struct {
  int settle, timed;
  double h, friction, gravity[3];
  int n_bodies, n_planes;
  space_body *body;
  double (*plane)[6]; /* a point of it, and the normal that points to where bodies are */
} space_scene;

static inline int space_numbers(FILE *file, int n, double *x) {
  int k = 0;
  while (k < n && fscanf(file, "%lf", &x[k]) == 1) k++;
  return k == n;
}

static inline void space_mass(space_body *b) {
  const double pi = 3.14159265358979323846, *e = b->edge;
  b->mass = b->density
            * (b->radius > 0.0 ? 4.0 / 3.0 * pi * b->radius * b->radius * b->radius : e[0] * e[1] * e[2]);
  for (int i = 0; i < 3; i++) {
    const double p = e[(i + 1) % 3], q = e[(i + 2) % 3];
    b->inertia[i] = b->mass * (b->radius > 0.0 ? 0.4 * b->radius * b->radius : (p * p + q * q) / 12.0);
  }
}

static inline space_scene *space_read(const char *path) {
  FILE *file = fopen(path, "r");
  space_scene *s = (space_scene *)calloc(1, sizeof *s);
  char word[32];
  int n = 0;
  if (!file || fscanf(file, " steps %d %d %d %lf", &n, &s->settle, &s->timed, &s->h) != 4) {
    fprintf(stderr, "%s: not a scene of space_scene.py\n", path);
    exit(2);
  }
  s->body = (space_body *)calloc((size_t)n, sizeof *s->body);
  s->plane = (double(*)[6])calloc(64, sizeof *s->plane);
  while (fscanf(file, "%31s", word) == 1) {
    int ok = 1;
    if (!strcmp(word, "friction"))
      ok = space_numbers(file, 1, &s->friction);
    else if (!strcmp(word, "gravity"))
      ok = space_numbers(file, 3, s->gravity);
    else if (!strcmp(word, "plane"))
      ok = space_numbers(file, 6, s->plane[s->n_planes++]);
    else {
      space_body *b = &s->body[s->n_bodies++];
      ok = s->n_bodies <= n && space_numbers(file, 13, b->start.x) && space_numbers(file, 1, &b->density)
           && (word[0] == 's' ? space_numbers(file, 1, &b->radius) : space_numbers(file, 3, b->edge));
      if (ok) space_mass(b);
    }
    if (!ok) {
      fprintf(stderr, "%s: cannot be read at '%s'\n", path, word);
      exit(2);
    }
  }
  fclose(file);
  return s;
}

/* b := R a, or R'a, of a unit quaternion */
static inline void space_turn(const double q[4], int back, const double a[3], double b[3]) {
  const double s = back ? -1.0 : 1.0, u[3] = {s * q[1], s * q[2], s * q[3]};
  double t[3];
  for (int k = 0; k < 3; k++)
    t[k] = 2.0 * (u[(k + 1) % 3] * a[(k + 2) % 3] - u[(k + 2) % 3] * a[(k + 1) % 3]);
  for (int k = 0; k < 3; k++)
    b[k] = a[k] + q[0] * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3];
}

/* ---- what a driver leaves in OUT, for space_measure.py ---------------------------------------------------------------
 *
 *   body X Y Z QW QX QY QZ VX VY VZ WX WY WZ  VX' ... WZ'   one of each: before the last step, and its velocities after
 *   contact A B X Y Z NX NY NZ GAP PX PY PZ SHIFT           of the last step: bodies (-1: what is fixed), place, normal from A to
 *                                                           B, percussion on B; the program wants u_N + SHIFT >= 0
 *   end X Y Z QW QX QY QZ                                   one of each: where it is in the end
 *   result {...}                                            a JSON object */
static inline void space_write_numbers(FILE *out, int n, const double *x) {
  for (int k = 0; k < n; k++) fprintf(out, " %.17g", x[k]);
}
static inline void space_write_bodies(FILE *out, int n, const space_state *before, const space_state *after) {
  for (int b = 0; b < n; b++) {
    fputs("body", out), space_write_numbers(out, 13, before[b].x), space_write_numbers(out, 6, after[b].v);
    fputs("\nend", out), space_write_numbers(out, 7, after[b].x), fputs("\n", out);
  }
}
static inline void space_write_contact(FILE *out, int a, int b, const double x[3], const double n[3],
                                       double gap, const double p[3], double shift) {
  fprintf(out, "contact %d %d", a, b);
  space_write_numbers(out, 3, x), space_write_numbers(out, 3, n), space_write_numbers(out, 1, &gap);
  space_write_numbers(out, 3, p), space_write_numbers(out, 1, &shift), fputs("\n", out);
}

/* A scene with the bodies where they are now: what a settling phase leaves. `from` is the scene's file. */
static inline void space_write_settled(const char *from, const char *to, int n, const space_state *state) {
  FILE *in = fopen(from, "r"), *out = fopen(to, "w");
  char *line = NULL, word[32];
  size_t room = 0;
  int b = 0, skip = 0;
  while (in && out && getline(&line, &room, in) > 0) {
    if (sscanf(line, "%31s", word) != 1) continue;
    if (strcmp(word, "box") && strcmp(word, "sphere")) {
      fputs(line, out);
      continue;
    }
    sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s%n", &skip);
    if (b < n) fputs(word, out), space_write_numbers(out, 13, state[b].x), fputs(line + skip, out);
    b++;
  }
  if (!in || !out || b != n || fclose(out)) exit(2);
  fclose(in);
  free(line);
}

#endif
