#include "config.h"
#include "support/gmsh.h"
#include "support/support.h"

#include <gmshc.h>

void support_gmsh_block(double size) {
  int ierr = 0;
  gmshInitialize(0, NULL, 0, &ierr);
  gmshOptionSetNumber("General.Terminal", 0, &ierr);
  gmshOnelabSetNumber("size", &size, 1, &ierr);
  gmshOpen(support_source("meshes/block.geo"), &ierr);
  gmshModelMeshGenerate(2, &ierr);
  ck_assert_int_eq(ierr, 0);
}

void support_gmsh_write(const char *path, double version, int binary) {
  int ierr = 0;
  gmshOptionSetNumber("Mesh.MshFileVersion", version, &ierr);
  gmshOptionSetNumber("Mesh.Binary", binary, &ierr);
  gmshWrite(path, &ierr);
  ck_assert_int_eq(ierr, 0);
  gmshFinalize(&ierr);
}
