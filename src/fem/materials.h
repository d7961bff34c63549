/* materials: the laws of elastic materials and their parameters, one row each. A new law is its file and its row here (and the file's
 * name in local.mk); a parameter that no law has yet is a row too. Members of prc_fem_material, keys of the case reader with their
 * documents, and names in messages come from these rows.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_FEM_MATERIALS_H
#define PRC_FEM_MATERIALS_H

/* symbol: the file exports `const prc_fem_law prc_fem_<symbol>`;   name: as in case files. The first row is the default. */
#define PRC_FEM_LAWS(FIRST, ROW) FIRST(isotropic, "isotropic")

/* member, which is also its name in case files;   symbol, for people;   dimension;   least, most and whether these are left out;   help */
/* clang-format off */
#define PRC_FEM_PARAMETERS(ROW)                                                                                                  \
  ROW(young, "E", "force/length^2", 0.0, INFINITY, 1, 0, "Young's modulus E")                                                         \
  ROW(poisson, "nu", NULL, -1.0, 0.5, 1, 0, "Poisson's ratio nu; below 0.5 except in plane stress")
/* clang-format on */

/* "isotropic|...": what the case reader may take */
#define PRC_FEM_FIRST_LAW(symbol, name) name
#define PRC_FEM_NEXT_LAW(symbol, name)  "|" name
#define PRC_FEM_LAW_NAMES               PRC_FEM_LAWS(PRC_FEM_FIRST_LAW, PRC_FEM_NEXT_LAW)
#define PRC_FEM_ONE_LAW(symbol, name)   name
#define PRC_FEM_NO_LAW(symbol, name)
#define PRC_FEM_DEFAULT_LAW PRC_FEM_LAWS(PRC_FEM_ONE_LAW, PRC_FEM_NO_LAW)

#endif
