# `make deb`: Debian packages in the build folder, from the tarball
EXTRA_DIST += %D%/changelog %D%/control %D%/copyright %D%/rules %D%/source/format %D%/not-installed %D%/percuss.install %D%/python3-percuss.install \
  %D%/libpercuss0.install %D%/libpercuss-dev.install %D%/libpercuss-dev.examples %D%/percuss.lintian-overrides \
  %D%/libpercuss0.lintian-overrides %D%/libpercuss-dev.lintian-overrides
.PHONY: deb
deb: dist
	rm -rf deb && $(MKDIR_P) deb && cp $(distdir).tar.xz deb/$(PACKAGE)_$(VERSION).orig.tar.xz
	cd deb && tar xf $(PACKAGE)_$(VERSION).orig.tar.xz
	cd deb/$(distdir) && DEB_BUILD_OPTIONS="$${DEB_BUILD_OPTIONS:-nocheck}" dpkg-buildpackage -us -uc
clean-local: clean-deb
.PHONY: clean-deb
clean-deb:
	-rm -rf deb
