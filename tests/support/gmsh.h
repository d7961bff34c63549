/* Meshes that Gmsh itself makes and writes, in the process of the test. */
#ifndef PRC_TESTS_GMSH_H
#define PRC_TESTS_GMSH_H

/* Starts Gmsh, which meshes the block (meshes/block.geo) at that size. */
void support_gmsh_block(double size);
/* Writes what Gmsh has, in that version of its format, and ends it. */
void support_gmsh_write(const char *path, double version, int binary);

#endif
