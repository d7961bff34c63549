# Installed beside the meshes, so that relative paths in the cases keep working.
casesdir = $(pkgdatadir)/cases
dist_cases_DATA = %D%/sliding-block.yaml %D%/slanted-plane.yaml %D%/dropped-block.yaml %D%/impacting-stick.yaml \
  %D%/rocking-block.yaml %D%/rocking-block-full-inertia.yaml %D%/rotating-ball.yaml %D%/ball-in-corner.yaml \
  %D%/painleve-rod.yaml %D%/rocking-block-bruls.yaml %D%/hertz.yaml %D%/pushed-block.yaml %D%/absorbed-pulse.yaml \
  %D%/rising-floor.yaml %D%/shaken-block.yaml %D%/turning-floor.yaml %D%/hertz-disc.yaml %D%/pmma-plates.yaml \
  %D%/gyroscope.yaml %D%/rolling-disc.yaml %D%/sphere-cluster.yaml %D%/sphere-cluster-space.yaml %D%/newton-cradle.yaml %D%/heavy-on-light.yaml %D%/bounce.yaml %D%/sliding-cube.yaml %D%/held-by-friction.yaml %D%/carried-discs.yaml %D%/carried-spheres.yaml %D%/spinning-disc.yaml %D%/arch.yaml \
  %D%/masonry-small.yaml %D%/masonry-small.csv %D%/masonry-rockfall.yaml %D%/masonry-rockfall.csv \
  %D%/granular-slope.yaml %D%/granular-slope.csv \
  %D%/chaplygin-sleigh.yaml %D%/four-bar.yaml %D%/cart.yaml %D%/spring-pendulum.yaml \
  %D%/guided-hopper.yaml %D%/swinging-cantilever.yaml %D%/bouncing-ball.yaml %D%/bouncing-pendulum.yaml %D%/elastic-bar.yaml %D%/ball-in-cylinder.yaml \
  %D%/wedged-rod.yaml %D%/nonuniqueness.yaml %D%/sticky-particles.yaml %D%/grain-equilibrium.yaml %D%/silo.yaml %D%/column-collapse.yaml %D%/tippe-top.yaml \
  %D%/fault.yaml %D%/fault-small.yaml %D%/fault-opening.yaml %D%/bars.yaml %D%/confined-bar.yaml %D%/bouncing-bar.yaml %D%/two-cylinders.yaml %D%/press-fit.yaml %D%/sliding-wedge.yaml %D%/ironing.yaml \
  %D%/held-by-friction-space.yaml %D%/heavy-on-light-space.yaml %D%/rolling-sphere.yaml %D%/stack-of-boxes.yaml \
  %D%/two-blocks.yaml %D%/slip-weakening.yaml %D%/stick-slip.yaml
meshesdir = $(pkgdatadir)/meshes
dist_meshes_DATA = meshes/block.geo meshes/slanted-block.geo meshes/cylinder.geo meshes/cylinder-quadratic.geo meshes/half-space.geo meshes/bar.geo meshes/fault.geo meshes/fault-small.geo \
  meshes/bars.geo meshes/confined-bar.geo meshes/bouncing-bar.geo meshes/cylinders.geo meshes/shaft-and-hub.geo meshes/wedge.geo meshes/ironing.geo meshes/two-blocks.geo meshes/disc.geo
