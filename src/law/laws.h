/* The laws of friction, one row each: a new one is its file and its row here (and the file's name in local.mk). The file
 * exports `const prc_friction prc_friction_<symbol>`. The first row is the default. */
#ifndef PRC_LAW_LAWS_H
#define PRC_LAW_LAWS_H

#define PRC_LAW_FRICTIONS(ROW) ROW(coulomb)

#endif
