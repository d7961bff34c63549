/* Content of a snapshot: the bodies of a scene, joined to one piece of points and cells. */
#ifndef PRC_CLI_PIECES_H
#define PRC_CLI_PIECES_H

#include "output/output.h"
#include "scene/view.h"

/* A state that was copied from a run. */
typedef struct {
  uint32_t surface;
  int body, feature, status; /* body: of those of the scene, as in prc_contact_set */
  double gap, p[2], rubs[PRC_VIEW_RUBS];
} cli_shown_contact;
typedef struct {
  double *q, *v, h;
  int *neighbours; /* of bodies as contacts number them; NULL: nothing is rigid */
  int n_contacts;
  size_t capacity;
  cli_shown_contact *contact;
  double *force, *weight,
      *rubs[PRC_VIEW_RUBS]; /* of all dofs, as prc_view_state has them; NULL: nothing asks for them */
} cli_shown;

/* Selection of what is shown, and its form. */
typedef struct {
  const prc_output_writer *writer;
  prc_output_form form;
  const char *fields;  /* "stress, strain": these arrays; NULL: all that need not be asked for */
  const char *regions; /* likewise, surfaces of the mesh; NULL: all of it */
  int own;             /* of a mesh that ranks share: own cells only */
} cli_pieces_options;
/* First number of the bodies of a mesh, behind all other bodies. */
int cli_first_mesh_body(const prc_scene *scene);

typedef struct cli_pieces cli_pieces;
prc_status cli_pieces_create(const prc_scene *scene, const cli_pieces_options *options, cli_pieces **out,
                             prc_error *err) PRC_MUST_CHECK;
/* Writes the .vtu of a state. */
prc_status cli_pieces_write(cli_pieces *pieces, const cli_shown *shown, const prc_folder *in,
                            const char *name, prc_error *err) PRC_MUST_CHECK;
/* The .pvtu of n pieces like this one, which have been written by so many ranks; name: of each. */
prc_status cli_pieces_list(const cli_pieces *pieces, const prc_folder *in, const char *name, int n,
                           prc_output_piece_name *piece, const void *of, prc_error *err) PRC_MUST_CHECK;
void cli_pieces_free(cli_pieces **pieces);

#endif
