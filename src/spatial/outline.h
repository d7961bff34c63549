/* Surfaces for pictures: made with the bodies, freed with them. */
#ifndef PRC_SPATIAL_OUTLINE_H
#define PRC_SPATIAL_OUTLINE_H

#include "solid/internal.h"
#include "spatial/spatial.h"

prc_status prc_spatial_make_outline(const prc_spatial_model *model, prc_spatial_outline *out,
                                    prc_error *err) PRC_MUST_CHECK;
void prc_spatial_free_outline(prc_spatial_outline *outline);

#endif
