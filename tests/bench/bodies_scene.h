/* The scenes of bodies_scene.py, read for the drivers of bench-bodies, and what all drivers print. C and C++. */
#ifndef BODIES_SCENE_H
#define BODIES_SCENE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  double x[3], v[3]; /* centre of mass and angle; their rates */
  double density, radius, mass, inertia;
  int n; /* corners, from the centre of mass; 0: a disc */
  double *corner;
} bench_body;
typedef struct {
  int n;
  double *corner;
} bench_wall;
typedef struct {
  int settle, timed;
  double h, friction, gravity[2];
  int n_bodies, n_walls, n_planes;
  bench_body *body;
  bench_wall *wall;
  double (*plane)[4]; /* a point of it, and the normal that points to where bodies are */
} bench_scene;

static inline double *bench_corners(FILE *file, int *n) {
  if (fscanf(file, "%d", n) != 1) exit(2);
  double *corner = (double *)malloc(2 * (size_t)*n * sizeof *corner);
  for (int k = 0; k < 2 * *n; k++)
    if (fscanf(file, "%lf", &corner[k]) != 1) exit(2);
  return corner;
}

/* Mass, and moment about the origin, which the table has made the centre of mass. */
static inline void bench_mass(bench_body *b) {
  const double pi = 3.14159265358979323846;
  if (b->n == 0) {
    b->mass = b->density * pi * b->radius * b->radius, b->inertia = 0.5 * b->mass * b->radius * b->radius;
    return;
  }
  b->mass = b->inertia = 0.0;
  for (int k = 0; k < b->n; k++) {
    const double *p = b->corner + 2 * k, *q = b->corner + 2 * ((k + 1) % b->n),
                 cross = p[0] * q[1] - p[1] * q[0];
    b->mass += b->density * cross / 2.0;
    b->inertia += b->density * cross
                  * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0] + p[1] * p[1] + p[1] * q[1] + q[1] * q[1])
                  / 12.0;
  }
}

/* with_gates: as the scene settles */
static inline bench_scene *bench_read(const char *path, int with_gates) {
  FILE *file = fopen(path, "r");
  bench_scene *s = (bench_scene *)calloc(1, sizeof *s);
  char word[32];
  int n = 0;
  if (!file || fscanf(file, " steps %d %d %d %lf", &n, &s->settle, &s->timed, &s->h) != 4) {
    fprintf(stderr, "%s: not a scene of bodies_scene.py\n", path);
    exit(2);
  }
  s->body = (bench_body *)calloc((size_t)n, sizeof *s->body);
  s->wall = (bench_wall *)calloc(64, sizeof *s->wall);
  s->plane = (double(*)[4])calloc(64, sizeof *s->plane);
  while (fscanf(file, "%31s", word) == 1) {
    int ok = 1;
    if (!strcmp(word, "friction"))
      ok = fscanf(file, "%lf", &s->friction) == 1;
    else if (!strcmp(word, "gravity"))
      ok = fscanf(file, "%lf %lf", &s->gravity[0], &s->gravity[1]) == 2;
    else if (!strcmp(word, "plane")) {
      double *p = s->plane[s->n_planes++];
      ok = fscanf(file, "%lf %lf %lf %lf", &p[0], &p[1], &p[2], &p[3]) == 4;
    } else if (!strcmp(word, "wall") || !strcmp(word, "gate")) {
      bench_wall wall;
      wall.corner = bench_corners(file, &wall.n);
      if (word[0] == 'w' || with_gates) s->wall[s->n_walls++] = wall;
    } else {
      bench_body *b = &s->body[s->n_bodies++];
      ok = s->n_bodies <= n
           && fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", &b->x[0], &b->x[1], &b->x[2], &b->v[0], &b->v[1],
                     &b->v[2], &b->density)
                  == 7;
      if (ok && word[0] == 'd')
        ok = fscanf(file, "%lf", &b->radius) == 1;
      else if (ok)
        b->corner = bench_corners(file, &b->n);
      if (ok) bench_mass(b);
    }
    if (!ok) {
      fprintf(stderr, "%s: cannot be read at '%s'\n", path, word);
      exit(2);
    }
  }
  fclose(file);
  return s;
}

/* ---- what is asked of a driver: DRIVER SCENE OUT [word=value ...] -------------------------------------------------- */

static inline double bench_option(int argc, char **argv, const char *name, double otherwise) {
  const size_t length = strlen(name);
  for (int k = 3; k < argc; k++)
    if (!strncmp(argv[k], name, length) && argv[k][length] == '=') return atof(argv[k] + length + 1);
  return otherwise;
}

static inline double bench_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* bytes that are resident now */
static inline double bench_resident(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}
static inline double bench_peak(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

/* ---- what a driver leaves in OUT, for bodies_measure.py -------------------------------------------------------------
 *
 *   body X Y ANGLE VX VY SPIN VX' VY' SPIN'           one of each: before the last step, and its velocities after
 *   contact A B X Y NX NY GAP PN PT SHIFT             of the last step: bodies (-1: what is fixed), place, normal from A to B,
 *                                                     percussions on B along it and along it turned by +90 degrees; the
 *                                                     program wants u_N + SHIFT >= 0
 *   end X Y ANGLE                                     one of each: where it is in the end
 *   result {...}                                      a JSON object */
static inline void bench_write_body(FILE *out, const double x[3], const double v[3], const double after[3]) {
  fprintf(out, "body %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", x[0], x[1], x[2], v[0], v[1],
          v[2], after[0], after[1], after[2]);
}
static inline void bench_write_contact(FILE *out, int a, int b, const double x[2], const double n[2],
                                       double gap, double pn, double pt, double shift) {
  fprintf(out, "contact %d %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", a, b, x[0], x[1], n[0],
          n[1], gap, pn, pt, shift);
}

/* A scene with the bodies where they are now: what a settling phase leaves. `from` is the scene's file; gates are left out. */
static inline void bench_write_settled(const char *from, const char *to, int n, const double (*x)[3],
                                       const double (*v)[3]) {
  FILE *in = fopen(from, "r"), *out = fopen(to, "w");
  char *line = NULL, word[32];
  size_t room = 0;
  int b = 0, skip = 0;
  while (in && out && getline(&line, &room, in) > 0) {
    if (sscanf(line, "%31s", word) != 1 || !strcmp(word, "gate")) continue;
    if (strcmp(word, "disc") && strcmp(word, "polygon")) {
      fputs(line, out);
      continue;
    }
    skip = 0;
    sscanf(line, "%*s %*s %*s %*s %*s %*s %*s%n", &skip);
    if (b < n)
      fprintf(out, "%s %.17g %.17g %.17g %.17g %.17g %.17g%s", word, x[b][0], x[b][1], x[b][2], v[b][0],
              v[b][1], v[b][2], line + skip);
    b++;
  }
  if (!in || !out || b != n || fclose(out)) exit(2);
  fclose(in);
  free(line);
}

#endif
