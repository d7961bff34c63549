#include "config.h"
#include "mesh/deal.h"

#include <string.h>

/* A part on its way from rank 0 to another: first how much of everything there is, then, once there is room for it, lists as they are. Both ranks run the same
 * program, so numbers go as they are; elements go by their rows in the table. */

typedef struct {
  int dim, n_cells, n_nodes;
  size_t name_bytes;
} group_head;

/* Head of a parcel: numbers of the mesh and of the part, all pointers NULL. */
typedef struct {
  prc_mesh mesh;
  prc_mesh_part part;
  int n_corners, n_groups, has_beyond, has_twin;
  size_t name_bytes, members;
} facts;

typedef struct {
  facts facts;
  prc_mesh *mesh;
  unsigned char *element; /* n_cells: rows of the table */
  group_head *head;       /* n_groups */
  char *names;            /* name_bytes: of groups, one after the other */
  int *members;           /* likewise their cells and nodes */
} parcel;

/* A list: the address of a pointer to n items of that size. */
typedef struct {
  void *pointer;
  size_t n, size;
} list;
enum { LISTS = 18 };

static void free_parcel(parcel *p) {
  prc_delete(&p->element);
  prc_delete(&p->head);
  prc_delete(&p->names);
  prc_delete(&p->members);
}

#define LIST(pointer, count)                                                                                 \
  (list) {                                                                                                   \
    &(pointer), (size_t)(count), sizeof *(pointer)                                                           \
  }
static int lists_of(parcel *p, list out[LISTS]) {
  const facts *f = &p->facts;
  prc_mesh *m = p->mesh;
  const size_t nodes = (size_t)m->n_nodes, edges = (size_t)m->n_edges;
  int n = 0;
  out[n++] = LIST(m->x, 2 * nodes);
  out[n++] = LIST(m->tag, nodes);
  out[n++] = LIST(m->cell_start, (size_t)m->n_cells + 1);
  out[n++] = LIST(m->cell, f->n_corners);
  out[n++] = LIST(p->element, m->n_cells);
  out[n++] = LIST(m->cell_tag, m->n_cells);
  out[n++] = LIST(m->edge, 2 * edges);
  out[n++] = LIST(m->edge_middle, edges);
  out[n++] = LIST(m->edge_cell, edges);
  if (f->has_beyond) out[n++] = LIST(m->edge_beyond, edges);
  if (f->has_twin) out[n++] = LIST(m->twin, nodes);
  out[n++] = LIST(m->part->cell, m->n_cells);
  out[n++] = LIST(m->part->whole, nodes);
  out[n++] = LIST(m->part->number, nodes);
  out[n++] = LIST(p->head, f->n_groups);
  out[n++] = LIST(p->names, f->name_bytes);
  out[n++] = LIST(p->members, f->members);
  return n;
}
#undef LIST

/* ---- rank 0 ---------------------------------------------------------------------------------------------- */

static void state_facts(parcel *p) {
  facts *f = &p->facts;
  prc_mesh *m = &f->mesh;
  prc_share *share = &f->part.share;
  memcpy(m, p->mesh, sizeof *m);
  memcpy(&f->part, p->mesh->part, sizeof f->part);
  f->n_corners = m->cell_start ? m->cell_start[m->n_cells] : 0, f->n_groups = m->n_groups;
  f->has_beyond = m->edge_beyond != NULL, f->has_twin = m->twin != NULL;
  for (int g = 0; g < m->n_groups; g++) {
    f->name_bytes += strlen(m->group[g].name);
    f->members += (size_t)m->group[g].n_cells + (size_t)m->group[g].n_nodes;
  }
  m->x = NULL, m->tag = m->cell_tag = NULL, m->cell_element = NULL;
  m->cell_start = m->cell = m->edge = m->edge_middle = m->edge_cell = m->edge_beyond = m->twin = NULL;
  m->group = NULL, m->n_groups = 0, m->part = NULL;
  f->part.cell = f->part.whole = f->part.number = NULL;
  share->ranks = NULL, share->whole = share->number = NULL, share->place = NULL;
}

static unsigned char row_of(const prc_element *element) {
  int n, row = 0;
  const prc_element *const *table = prc_elements(&n);
  while (table[row] != element) row++;
  return (unsigned char)row;
}

static prc_status pack(parcel *p, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = p->mesh;
  size_t name_bytes = 0, members = 0;
  state_facts(p);
  prc_try(prc_new(&p->element, mesh->n_cells, err));
  prc_try(prc_new(&p->head, mesh->n_groups, err));
  prc_try(prc_new(&p->names, p->facts.name_bytes, err));
  prc_try(prc_new(&p->members, p->facts.members, err));
  for (int c = 0; c < mesh->n_cells; c++) p->element[c] = row_of(mesh->cell_element[c]);
  for (int g = 0; g < mesh->n_groups; g++) {
    const prc_mesh_group *group = &mesh->group[g];
    const size_t bytes = strlen(group->name), cells = (size_t)group->n_cells, nodes = (size_t)group->n_nodes;
    group_head *head = &p->head[g];
    head->dim = group->dim, head->n_cells = group->n_cells, head->n_nodes = group->n_nodes;
    head->name_bytes = bytes;
    memcpy(p->names + name_bytes, group->name, bytes);
    memcpy(p->members + members, group->cell, cells * sizeof *group->cell);
    memcpy(p->members + members + cells, group->node, nodes * sizeof *group->node);
    name_bytes += bytes, members += cells + nodes;
  }
done:
  return status;
}

/* ---- the other ------------------------------------------------------------------------------------------- */

static prc_status refuse(const prc_ranks *ranks, prc_error *err) {
  return prc_fail(
      err, PRC_IO,
      "what rank %d got of the mesh is not what was sent, expected all ranks to run the same percuss",
      ranks->rank);
}

static int is_sound(const facts *f) {
  const prc_mesh *m = &f->mesh;
  const prc_mesh_part *part = &f->part;
  const prc_share *share = &part->share;
  return m->n_nodes >= 0 && m->n_cells >= 0 && m->n_edges >= 0 && f->n_corners >= 0 && f->n_groups >= 0
         && part->n_own >= 0 && part->n_own <= m->n_cells && m->n_cells <= part->n_cells && part->n_kept >= 0
         && share->n == m->n_nodes && share->n <= share->n_whole && share->first == part->n_kept
         && share->middle == share->first && share->first <= share->end && share->end <= share->n
         && share->width == 2;
}

static prc_status make_room(const prc_ranks *ranks, parcel *p, prc_error *err) {
  prc_status status = PRC_OK;
  list lists[LISTS];
  if (!is_sound(&p->facts)) return refuse(ranks, err);
  prc_try(prc_new(&p->mesh, 1, err));
  *p->mesh = p->facts.mesh;
  prc_try(prc_new(&p->mesh->part, 1, err));
  *p->mesh->part = p->facts.part;
  for (int k = 0, n = lists_of(p, lists); k < n; k++)
    prc_try(prc_allocate(lists[k].n, lists[k].size, lists[k].pointer, err));
  prc_try(prc_new(&p->mesh->cell_element, p->mesh->n_cells, err));
  prc_try(prc_new(&p->mesh->group, p->facts.n_groups, err));
  p->mesh->part->share.ranks = ranks;
  p->mesh->part->share.whole = p->mesh->part->whole, p->mesh->part->share.number = p->mesh->part->number;
  p->mesh->part->share.place = p->mesh->x;
done:
  return status;
}

static prc_status unpack_groups(parcel *p, prc_error *err) {
  prc_status status = PRC_OK;
  const char *name = p->names;
  const int *member = p->members;
  for (int g = 0; g < p->facts.n_groups; g++) {
    const group_head *head = &p->head[g];
    const size_t cells = (size_t)head->n_cells, nodes = (size_t)head->n_nodes;
    prc_mesh_group *group = &p->mesh->group[p->mesh->n_groups++];
    group->dim = head->dim, group->n_cells = head->n_cells, group->n_nodes = head->n_nodes;
    prc_try(prc_new(&group->name, head->name_bytes + 1, err));
    prc_try(prc_new(&group->cell, cells, err));
    prc_try(prc_new(&group->node, nodes, err));
    memcpy(group->name, name, head->name_bytes);
    memcpy(group->cell, member, cells * sizeof *member);
    memcpy(group->node, member + cells, nodes * sizeof *member);
    name += head->name_bytes, member += cells + nodes;
  }
done:
  return status;
}

static prc_status unpack(const prc_ranks *ranks, parcel *p, prc_error *err) {
  size_t name_bytes = 0, members = 0;
  int n;
  const prc_element *const *table = prc_elements(&n);
  const prc_mesh *mesh = p->mesh;
  for (int g = 0; g < p->facts.n_groups; g++) {
    const group_head *head = &p->head[g];
    if (head->n_cells < 0 || head->n_nodes < 0) return refuse(ranks, err);
    name_bytes += head->name_bytes, members += (size_t)head->n_cells + (size_t)head->n_nodes;
  }
  if (name_bytes != p->facts.name_bytes || members != p->facts.members
      || mesh->cell_start[mesh->n_cells] != p->facts.n_corners)
    return refuse(ranks, err);
  for (int c = 0; c < mesh->n_cells; c++) {
    if (p->element[c] >= n || table[p->element[c]]->n_nodes != mesh->cell_start[c + 1] - mesh->cell_start[c])
      return refuse(ranks, err);
    mesh->cell_element[c] = table[p->element[c]];
  }
  return unpack_groups(p, err);
}

/* ---- both ------------------------------------------------------------------------------------------------ */

static void move(const prc_ranks *ranks, int to, size_t bytes, void *data) {
  if (bytes == 0) return;
  if (ranks->rank == 0)
    ranks->send(ranks->of, to, bytes, data);
  else
    ranks->receive(ranks->of, 0, bytes, data);
}

static void move_lists(const prc_ranks *ranks, int to, parcel *p) {
  list lists[LISTS];
  for (int k = 0, n = lists_of(p, lists); k < n; k++) {
    void *data;
    memcpy(&data, lists[k].pointer, sizeof data); /* as prc_allocate has it */
    move(ranks, to, lists[k].n * lists[k].size, data);
  }
}

prc_status prc_mesh_hand_over(const prc_ranks *ranks, int to, prc_status status, prc_mesh **mesh,
                              prc_error *err) {
  parcel p = {0};
  const int gives = ranks->rank == 0, gets = ranks->rank == to;
  if (gives) p.mesh = *mesh;
  if (gives && status == PRC_OK) status = pack(&p, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  if (gives || gets) move(ranks, to, sizeof p.facts, &p.facts);
  if (gets) status = make_room(ranks, &p, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  if (gives || gets) move_lists(ranks, to, &p);
  if (gets) status = unpack(ranks, &p, err);
  status = prc_ranks_agree(ranks, status, err);
done:
  if (gets && status == PRC_OK)
    *mesh = p.mesh;
  else if (gets)
    prc_mesh_free(&p.mesh);
  free_parcel(&p);
  return status;
}
