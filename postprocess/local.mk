# scripts that draw and show results; started as /usr/bin/python3 FILE, so they are installed as data
dist_pkgdata_DATA += %D%/percuss.py %D%/percuss_simulation.py %D%/percuss_vtk.py %D%/percuss_units.py %D%/percuss_fields.py \
  %D%/percuss_drawing.py %D%/percuss_bodies.py %D%/percuss_space.py %D%/percuss_camera.py %D%/plot.py %D%/plot_energy.py %D%/plot_contacts.py %D%/plot_lines.py %D%/plot_rupture.py %D%/plot_bodies.py %D%/plot_space.py %D%/plot_levels.py %D%/plot_grains.py \
  %D%/plot_tables.py %D%/plot_compare.py %D%/plot_sweep.py %D%/percuss_sequence.py %D%/plot_convergence.py %D%/plot_explore.py %D%/front.py %D%/front_tools.py %D%/snapshot.py %D%/report.py %D%/viewer.py %D%/page_data.js %D%/inflate.min.js %D%/viewer.js %D%/viewer_space.py %D%/viewer_space.js \
  %D%/vtkjs.min.js %D%/vtkjs.licences.txt %D%/paraview_view.py %D%/example.py %D%/example_control.py
# the module for everyone's Python
pymodule_DATA = %D%/percuss.py %D%/percuss_simulation.py %D%/percuss_vtk.py %D%/percuss_units.py %D%/percuss_fields.py
# what vtkjs.min.js is made of; nobody needs npm but who changes it
EXTRA_DIST += %D%/vtkjs/build %D%/vtkjs/package.json %D%/vtkjs/package-lock.json %D%/vtkjs/source.js %D%/vtkjs/inflate.js
EXTRA_DIST += %D%/pyproject.toml %D%/setup.py
