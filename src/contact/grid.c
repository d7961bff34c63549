#include "config.h"
#include "contact/grid.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A grid of levels. A box belongs to the level whose cells have the least power of two that is more than its size, and there to the cell
 * of its low corner; so a box that overlaps another has its cell among the few around that one, and is looked for at the level of the
 * larger one only. Cells that hold a box are kept in a hash table, so it does not matter where they are.
 *
 * With a period every box is first brought to where it begins in the cell [0, 1) along the period; what it overlaps beyond is found from
 * its images there. What is found this way counts only if the boxes themselves overlap. */

typedef struct {
  int64_t at[3];
  int level, first, n; /* boxes first .. first + n - 1 of `sorted` */
} cell;
typedef struct {
  double box[6], begin,
      length; /* in the plane from 0 to 0 along z; begin and length along the period, in periods */
  int index, shift, level, cell, still;
} item;
typedef struct {
  int exponent;  /* cells are of 2^exponent */
  double scale;  /* 2^-exponent */
  double length; /* the largest of its boxes along the period */
} level;

struct prc_grid {
  item *item, *sorted;
  cell *found, *cell; /* as they come; and sorted */
  int *slot;          /* hash table: number of a cell plus one, or zero */
  level *level;
  prc_grid_pair *pair;
  size_t room_item, room_sorted, room_found, room_cell, room_slot, room_level, room_pair;
  size_t n_slots; /* a power of two */
  int n_cells, n_levels, n_pairs, periodic;
  double slack;      /* what rounding may have moved a box by that was brought into the cell of the period */
  double inverse[3]; /* period / period^2 */
  const prc_grid_boxes *boxes;
};

prc_status prc_grid_create(prc_grid **out, prc_error *err) {
  return prc_new(out, 1, err);
}

void prc_grid_free(prc_grid **grid) {
  if (!*grid) return;
  prc_delete(&(*grid)->item);
  prc_delete(&(*grid)->sorted);
  prc_delete(&(*grid)->found);
  prc_delete(&(*grid)->cell);
  prc_delete(&(*grid)->slot);
  prc_delete(&(*grid)->level);
  prc_delete(&(*grid)->pair);
  prc_delete(grid);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

enum { LEAST_LEVEL = -1000, CELL_BITS = 50, MOST_PERIODS = 1 << 30 };

/* The least power of two above its size and slack; more where cells so small could not be counted. */
static int level_of(const double box[6], int dim, double slack) {
  double half = 0.0, far = 0.0;
  int by_size = LEAST_LEVEL, by_place = LEAST_LEVEL;
  for (int k = 0; k < dim; k++) {
    half = fmax(half, (0.5 * box[3 + k] - 0.5 * box[k]) + slack);
    far = fmax(far, fmax(fabs(box[k]), fabs(box[3 + k])));
  }
  if (half > 0.0) (void)frexp(half, &by_size), by_size++;
  if (far > 0.0) (void)frexp(far, &by_place), by_place -= CELL_BITS;
  const int most = by_size > by_place ? by_size : by_place;
  return most > LEAST_LEVEL ? most : LEAST_LEVEL;
}

/* Index of the level of that exponent, which is new or among those there are. */
static prc_status find_level(prc_grid *grid, int exponent, int *out, prc_error *err) {
  for (*out = 0; *out < grid->n_levels; ++*out)
    if (grid->level[*out].exponent == exponent) return PRC_OK;
  const prc_status status =
      prc_grow((void *)&grid->level, &grid->room_level, (size_t)grid->n_levels + 1, sizeof *grid->level, err);
  if (status == PRC_OK)
    grid->level[grid->n_levels++] = (level){.exponent = exponent, .scale = ldexp(1.0, -exponent)};
  return status;
}

/* Begin and length along the period, and the box brought to where it begins in [0, 1). */
static prc_status bring_into_cell(prc_grid *grid, item *it, prc_error *err) {
  const double *p = grid->boxes->period;
  it->begin = it->length = 0.0;
  for (int k = 0; k < 3; k++) {
    const double a = grid->inverse[k] * it->box[k], b = grid->inverse[k] * it->box[3 + k];
    it->begin += fmin(a, b);
    it->length += fabs(b - a);
  }
  if (!(fabs(it->begin) < MOST_PERIODS && it->length < MOST_PERIODS))
    return prc_fail(err, PRC_DIVERGED,
                    "box %d, from (%g, %g) to (%g, %g), is more than %d periods long or away, expected less",
                    it->index + 1, it->box[0], it->box[1], it->box[3], it->box[4], MOST_PERIODS);
  it->shift = (int)floor(it->begin);
  it->begin -= it->shift;
  for (int k = 0; k < 3 && it->shift != 0; k++) {
    it->box[k] -= it->shift * p[k];
    it->box[3 + k] -= it->shift * p[k];
  }
  return PRC_OK;
}

static const double *box_of(const prc_grid_boxes *boxes, int i) {
  return boxes->box + (boxes->in_space ? 6 : 4) * (size_t)i;
}

static prc_status refuse_box(const prc_grid_boxes *boxes, int i, prc_error *err) {
  const double *box = box_of(boxes, i);
  if (boxes->in_space)
    return prc_fail(err, PRC_DIVERGED, "box %d is from (%g, %g, %g) to (%g, %g, %g), expected finite numbers",
                    i + 1, box[0], box[1], box[2], box[3], box[4], box[5]);
  return prc_fail(err, PRC_DIVERGED, "box %d is from (%g, %g) to (%g, %g), expected finite numbers", i + 1,
                  box[0], box[1], box[2], box[3]);
}

/* The largest coordinate. */
static prc_status measure_boxes(const prc_grid_boxes *boxes, double *far, prc_error *err) {
  *far = 0.0;
  for (int k = 0; k < 3; k++) *far = fmax(*far, fabs(boxes->period[k]));
  for (int i = 0; i < boxes->n; i++) {
    const double *box = box_of(boxes, i);
    for (int k = 0; k < (boxes->in_space ? 6 : 4); k++) {
      *far = fmax(*far, fabs(box[k]));
      if (!isfinite(box[k])) return refuse_box(boxes, i, err);
    }
  }
  return PRC_OK;
}

/* low and high corner, in the plane with z = 0 */
static void read_box(const prc_grid_boxes *boxes, int i, double box[6]) {
  const double *from = box_of(boxes, i);
  if (boxes->in_space) {
    memcpy(box, from, 6 * sizeof *box);
    return;
  }
  for (int k = 0; k < 2; k++) box[k] = from[k], box[3 + k] = from[2 + k];
}

static prc_status read_boxes(prc_grid *grid, prc_error *err) {
  const prc_grid_boxes *boxes = grid->boxes;
  const size_t n = (size_t)boxes->n;
  prc_status status = PRC_OK;
  double far = 0.0;
  prc_try(prc_grow((void *)&grid->item, &grid->room_item, n, sizeof *grid->item, err));
  prc_try(prc_grow((void *)&grid->sorted, &grid->room_sorted, n, sizeof *grid->sorted, err));
  prc_try(prc_grow((void *)&grid->found, &grid->room_found, n, sizeof *grid->found, err));
  prc_try(prc_grow((void *)&grid->cell, &grid->room_cell, n, sizeof *grid->cell, err));
  for (grid->n_slots = 16; grid->n_slots < 4 * n;) grid->n_slots *= 2;
  prc_try(prc_grow((void *)&grid->slot, &grid->room_slot, grid->n_slots, sizeof *grid->slot, err));
  prc_try(measure_boxes(boxes, &far, err));
  grid->slack = grid->periodic ? 0x1p-48 * far : 0.0;
  grid->n_levels = 0;
  for (int i = 0; i < boxes->n; i++) {
    item *it = &grid->item[i];
    *it = (item){.index = i, .still = boxes->still && boxes->still[i]};
    read_box(boxes, i, it->box);
    if (grid->periodic) prc_try(bring_into_cell(grid, it, err));
    prc_try(find_level(grid, level_of(it->box, boxes->in_space ? 3 : 2, grid->slack), &it->level, err));
    level *of = &grid->level[it->level];
    of->length = fmax(of->length, it->length);
  }
done:
  return status;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

static int64_t cell_number(double x, double scale) {
  return (int64_t)fmax(fmin(floor(x * scale), 0x1p60), -0x1p60);
}

/* Where a cell is in the table: blocks of four by four cells side by side stay together, so that neighbours are near in memory too. */
static size_t hash(int of, const int64_t at[3]) {
  const uint64_t within = (((uint64_t)at[1] & 3) << 2) | ((uint64_t)at[0] & 3);
  uint64_t z = (uint64_t)(at[0] >> 2) * UINT64_C(0x9e3779b97f4a7c15)
               + (uint64_t)(at[1] >> 2) * UINT64_C(0xc2b2ae3d27d4eb4f)
               + (uint64_t)at[2] * UINT64_C(0xd6e8feb86659fd93) + (uint64_t)of * UINT64_C(0x165667b19e3779f9);
  z = (z ^ (z >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
  return (size_t)(((z ^ (z >> 32)) << 4) | within);
}

/* The slot of a cell: its own, or the free one where it would stand. */
static size_t slot_of(const prc_grid *grid, const cell *cells, int of, const int64_t at[3]) {
  size_t slot = hash(of, at) & (grid->n_slots - 1);
  for (; grid->slot[slot]; slot = (slot + 1) & (grid->n_slots - 1)) {
    const cell *c = &cells[grid->slot[slot] - 1];
    if (c->at[0] == at[0] && c->at[1] == at[1] && c->at[2] == at[2] && c->level == of) break;
  }
  return slot;
}

/* The cells that boxes are in, in the order in which boxes come. */
static void find_cells(prc_grid *grid) {
  memset(grid->slot, 0, grid->n_slots * sizeof *grid->slot);
  grid->n_cells = 0;
  for (int i = 0; i < grid->boxes->n; i++) {
    item *it = &grid->item[i];
    const double scale = grid->level[it->level].scale;
    int64_t at[3] = {cell_number(it->box[0], scale), cell_number(it->box[1], scale), 0};
    if (grid->boxes->in_space) at[2] = cell_number(it->box[2], scale);
    const size_t slot = slot_of(grid, grid->found, it->level, at);
    if (!grid->slot[slot]) {
      grid->found[grid->n_cells] = (cell){.at = {at[0], at[1], at[2]}, .level = it->level};
      grid->slot[slot] = ++grid->n_cells;
    }
    it->cell = grid->slot[slot] - 1;
    grid->found[it->cell].n++;
  }
}

/* Cells in the order of the table, and boxes in that of their cells: what is near is near in memory. */
static void sort_cells(prc_grid *grid) {
  int n = 0, first = 0;
  for (size_t at = 0; at < grid->n_slots; at++) {
    if (!grid->slot[at]) continue;
    cell *old = &grid->found[grid->slot[at] - 1];
    grid->cell[n] = *old;
    grid->cell[n].first = first, grid->cell[n].n = 0;
    first += old->n;
    old->first = n++;
    grid->slot[at] = n;
  }
  for (int i = 0; i < grid->boxes->n; i++) {
    cell *c = &grid->cell[grid->found[grid->item[i].cell].first];
    grid->sorted[c->first + c->n++] = grid->item[i];
  }
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

/* The boxes themselves: box j, moved by image x period, and box i. */
static int boxes_overlap(const prc_grid_boxes *boxes, int i, int j, int image) {
  const double *a = box_of(boxes, i), *b = box_of(boxes, j);
  for (int k = 0, dim = boxes->in_space ? 3 : 2; k < dim; k++) {
    const double shift = image * boxes->period[k];
    if (!(b[k] + shift <= a[dim + k] && a[k] <= b[dim + k] + shift)) return 0;
  }
  return 1;
}

static prc_status add_pair(prc_grid *grid, const item *a, const item *b, int image, prc_error *err) {
  const int first = a->index <= b->index ? a->index : b->index, second = a->index + b->index - first;
  const int of_second = a->index <= b->index ? image : -image;
  if (grid->periodic && !boxes_overlap(grid->boxes, first, second, of_second)) return PRC_OK;
  const size_t n = (size_t)grid->n_pairs;
  if (n == INT_MAX) return prc_fail(err, PRC_NOMEM, "out of memory: more than %d boxes overlap", INT_MAX);
  const prc_status status =
      n < grid->room_pair ? PRC_OK
                          : prc_grow((void *)&grid->pair, &grid->room_pair, n + 1, sizeof *grid->pair, err);
  if (status == PRC_OK) grid->pair[grid->n_pairs++] = (prc_grid_pair){first, second, of_second};
  return status;
}

static inline int overlap(const double a[6], const double b[6]) {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

/* Of boxes first .. end - 1 those that overlap `box`, which is that of `it` less `image` periods. */
static prc_status try_boxes(prc_grid *grid, const item *it, const double box[6], int image, const item *first,
                            const item *end, prc_error *err) {
  prc_status status = PRC_OK;
  for (const item *o = first; o < end && status == PRC_OK; o++)
    if (overlap(o->box, box) && !(o->still && it->still))
      status = add_pair(grid, it, o, image + it->shift - o->shift, err);
  return status;
}

/* The box with room for what rounding has moved it and others by. */
static void widen(const prc_grid *grid, const item *it, double box[6]) {
  for (int k = 0; k < 3; k++) {
    box[k] = it->box[k] - grid->slack;
    box[3 + k] = it->box[3 + k] + grid->slack;
  }
}

/* Within a cell, and with half of those around it: the others have this one among theirs. */
static prc_status try_neighbours(prc_grid *grid, const cell *c, prc_error *err) {
  static const int around[13][3] = {/* of the plane */
                                    {1, 0, 0},
                                    {-1, 1, 0},
                                    {0, 1, 0},
                                    {1, 1, 0},
                                    /* above it */
                                    {-1, -1, 1},
                                    {0, -1, 1},
                                    {1, -1, 1},
                                    {-1, 0, 1},
                                    {0, 0, 1},
                                    {1, 0, 1},
                                    {-1, 1, 1},
                                    {0, 1, 1},
                                    {1, 1, 1}};
  const item *first = grid->sorted + c->first, *end = first + c->n;
  prc_status status = PRC_OK;
  double box[6];
  for (const item *it = first; it < end; it++) {
    widen(grid, it, box);
    prc_try(try_boxes(grid, it, box, 0, it + 1, end, err));
  }
  for (int k = 0, n = grid->boxes->in_space ? 13 : 4; k < n; k++) {
    const int64_t at[3] = {c->at[0] + around[k][0], c->at[1] + around[k][1], c->at[2] + around[k][2]};
    const int other = grid->slot[slot_of(grid, grid->cell, c->level, at)];
    if (!other) continue;
    const cell *o = &grid->cell[other - 1];
    const item *from = grid->sorted + o->first, *to = from + o->n;
    for (const item *it = first; it < end; it++) {
      widen(grid, it, box);
      prc_try(try_boxes(grid, it, box, 0, from, to, err));
    }
  }
done:
  return status;
}

static prc_status search_level(prc_grid *grid, const item *it, int of, int image, prc_error *err) {
  const double scale = grid->level[of].scale, *p = grid->boxes->period;
  double box[6];
  int64_t from[3], to[3], at[3];
  prc_status status = PRC_OK;
  widen(grid, it, box);
  for (int k = 0; k < 6; k++) box[k] -= image * p[k % 3];
  for (int k = 0; k < 3; k++)
    from[k] = cell_number(box[k], scale) - 1, to[k] = cell_number(box[3 + k], scale);
  if (!grid->boxes->in_space) from[2] = to[2] = 0;
  for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
      for (at[0] = from[0]; at[0] <= to[0] && status == PRC_OK; at[0]++) {
        const int c = grid->slot[slot_of(grid, grid->cell, of, at)];
        if (!c) continue;
        const item *first = grid->sorted + grid->cell[c - 1].first;
        status = try_boxes(grid, it, box, image, first, first + grid->cell[c - 1].n, err);
      }
  return status;
}

/* At the levels above its own; at its own only images, and of two the images of the one: those of the other are the same pairs. */
static prc_status search_above(prc_grid *grid, const item *it, prc_error *err) {
  if (grid->n_levels == 1 && !grid->periodic) return PRC_OK;
  const double rounding =
      1e-9 + grid->slack * (fabs(grid->inverse[0]) + fabs(grid->inverse[1]) + fabs(grid->inverse[2]));
  prc_status status = PRC_OK;
  for (int of = 0; of < grid->n_levels; of++) {
    const level *l = &grid->level[of];
    if (l->exponent < grid->level[it->level].exponent) continue;
    int first = 0, last = of == it->level ? -1 : 0;
    if (grid->periodic) {
      first = of == it->level ? 1 : (int)ceil(it->begin - 1.0 - l->length - rounding);
      last = (int)floor(it->begin + it->length + rounding);
    }
    for (int image = first; image <= last && status == PRC_OK; image++)
      status = search_level(grid, it, of, image, err);
  }
  return status;
}

prc_status prc_grid_find(prc_grid *grid, const prc_grid_boxes *boxes, const prc_grid_pair **pair,
                         int *n_pairs, prc_error *err) {
  const double *p = boxes->period, square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  prc_status status = PRC_OK;
  grid->boxes = boxes;
  grid->n_pairs = 0;
  grid->periodic = square > 0.0;
  for (int k = 0; k < 3; k++) grid->inverse[k] = grid->periodic ? p[k] / square : 0.0;
  prc_try(read_boxes(grid, err));
  find_cells(grid);
  sort_cells(grid);
  for (int c = 0; c < grid->n_cells; c++) prc_try(try_neighbours(grid, &grid->cell[c], err));
  for (int i = 0; i < boxes->n; i++) prc_try(search_above(grid, &grid->sorted[i], err));
  *pair = grid->pair;
  *n_pairs = grid->n_pairs;
done:
  grid->boxes = NULL;
  return status;
}
