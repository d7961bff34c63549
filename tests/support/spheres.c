#include "config.h"
#include "spheres.h"

#include <math.h>
#include <stdio.h>

static void place(const int n[3], int i, prc_spatial_body *body) {
  const double pitch = 2.4 * 0.015, half = 0.5 * ((i / (n[0] * n[1])) % 2);
  const int j = i % n[0], l = i / n[0] % n[1], k = i / (n[0] * n[1]);
  body->position[0] = (j + half) * pitch;
  body->position[1] = n[1] > 1 ? (l + half) * pitch : 0.0;
  body->position[2] = 0.03 + 1.2 * 0.015 + k * pitch * sqrt(n[1] > 1 ? 0.5 : 0.75);
}

static double share_of(int i) {
  const double golden = 0.6180339887498949 * (i + 1);
  return 0.8 + 0.4 * (golden - floor(golden));
}

prc_status spheres_make(const int n[3], spheres *out, prc_error *err) {
  static const double zero[3] = {0.0}, up[3] = {0.0, 0.0, 1.0};
  prc_status status = PRC_OK;
  const int count = n[0] * n[1] * n[2];
  *out = (spheres){.floor = count};
  prc_try(prc_new(&out->body, count + 1, err));
  prc_try(prc_new(&out->part, count + 1, err));
  prc_try(prc_new(&out->sphere, count, err));
  prc_try(prc_new(&out->name, count + 1, err));
  for (int i = 0; i <= count; i++) {
    prc_spatial_body *body = &out->body[i];
    snprintf(out->name[i], sizeof out->name[i], i < count ? "ball %d" : "floor", i + 1);
    *body = (prc_spatial_body){.name = out->name[i],
                               .orientation = {1.0},
                               .n_parts = 1,
                               .part = &out->part[i],
                               .driven = i == count};
    if (i == count) break;
    out->sphere[i] = i;
    body->mass = pow(share_of(i), 3.0), body->velocity[2] = -1.0;
    place(n, i, body);
    prc_try(prc_solid_make_hull(1, zero, 0.015 * share_of(i), &out->part[i], err));
  }
  prc_try(prc_solid_make_half_space(zero, up, &out->part[count], err));
  out->pairs[0] = (prc_spatial_pairs){.name = "floor", .n = {1, count}, .body = {&out->floor, out->sphere}};
  out->pairs[1] =
      (prc_spatial_pairs){.name = "balls", .n = {count, count}, .body = {out->sphere, out->sphere}};
  out->model =
      (prc_spatial_model){.n_bodies = count + 1, .body = out->body, .n_pairs = 2, .pairs = out->pairs};
done:
  if (status != PRC_OK) spheres_free(out);
  return status;
}

void spheres_free(spheres *s) {
  for (int i = 0; s->part && i <= s->floor; i++) prc_solid_free(&s->part[i]);
  prc_delete(&s->body);
  prc_delete(&s->part);
  prc_delete(&s->sphere);
  prc_delete(&s->name);
}
