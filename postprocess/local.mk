# scripts that draw and show results; started as /usr/bin/python3 FILE, so they are installed as data
dist_pkgdata_DATA += %D%/percuss_files.py %D%/plot_energy.py %D%/plot_bodies.py %D%/snapshot.py %D%/report.py \
  %D%/paraview_view.py
