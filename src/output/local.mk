libcore_la_SOURCES += %D%/writers.c %D%/writer.h %D%/writers.h %D%/fields.c %D%/xml.c %D%/xml_internal.h %D%/pvd.c %D%/pvtu.c %D%/csv.c %D%/json.c %D%/store.c %D%/store_read.c %D%/store_internal.h %D%/file.c %D%/internal.h
prc_headers += %D%/output.h

# the calls of libvtk: a module of its own, loaded on first use (module.c)
EXTRA_DIST += %D%/module.c %D%/vtk.cc %D%/vtk.h
if VTK
libcore_la_SOURCES += %D%/module.c %D%/vtk.h
module_DATA = percuss-vtk.so
CLEANFILES += percuss-vtk.so
percuss-vtk.so: %D%/vtk.cc %D%/vtk.h %D%/output.h src/base/base.h Makefile config.h
	$(AM_V_GEN)$(CXX) $(DEFS) -I. -I$(top_srcdir)/src $(VTK_CPPFLAGS) $(CPPFLAGS) $(PRC_CXXFLAGS) $(PRC_SANITIZE) $(CXXFLAGS) \
	  -fPIC -fvisibility=hidden -shared $(LDFLAGS) -Wl,--as-needed -o $@ $(srcdir)/%D%/vtk.cc $(VTK_LIBS)
endif
