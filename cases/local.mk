# Installed beside the meshes, so that relative paths in the cases keep working.
casesdir = $(pkgdatadir)/cases
dist_cases_DATA = %D%/sliding-block.yaml
meshesdir = $(pkgdatadir)/meshes
dist_meshes_DATA = meshes/block.geo
