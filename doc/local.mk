dist_man_MANS += %D%/percuss.1
# documents lie as in the source, so that their links lead somewhere
dist_doc_DATA = README.md CHANGELOG.md CONTRIBUTING.md VERIFICATION.md CITATION.cff LICENSE
pagesdir = $(docdir)/doc
notesdir = $(docdir)/doc/notes
dist_notes_DATA = %D%/notes/schemes.md %D%/notes/linear.md %D%/notes/elements.md %D%/notes/bodies.md %D%/notes/interfaces.md %D%/notes/contact-problem.md \
  %D%/notes/ledger.md %D%/notes/decisions.md %D%/notes/cohesion.md
dist_pages_DATA = %D%/design.md %D%/case.md %D%/output.md %D%/ranks.md %D%/figures.md %D%/picture.png %D%/silo.png %D%/masonry.png %D%/fault.png %D%/column-collapse.png
chapters = %D%/manual/0-words.md %D%/manual/1-start.md %D%/manual/2-tutorials.md %D%/manual/3-results.md %D%/manual/4-theory.md %D%/manual/5-own-system.md
chaptersdir = $(docdir)/doc/manual
dist_chapters_DATA = $(chapters)
verificationdir = $(docdir)/doc/verification
dist_verification_DATA = %D%/verification/bar.png %D%/verification/bouncing-bar.png %D%/verification/elastic-floor.png %D%/verification/elements.png \
  %D%/verification/manufactured.png %D%/verification/partial-slip.png %D%/verification/sliding-block.png %D%/verification/waves.png
steeringdir = $(docdir)/postprocess
dist_steering_DATA = postprocess/example.py postprocess/example_control.py
manual_chapters = $(chapters) %D%/case.md
EXTRA_DIST += %D%/manual/manual.css %D%/manual/picture.md %D%/run_blocks.py %D%/man_page.py %D%/math_pictures.py %D%/picture.png %D%/silo.png %D%/masonry.png %D%/fault.png \
  %D%/column_collapse.py %D%/column-collapse.png

# bash knows the commands, their options and the keys of a case
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/completion/percuss

# ---- the manual: `make manual` runs every command in it, which draws its figures, and needs pandoc and weasyprint
manual_run = cd doc/manual-run && PATH="$$PWD/bin:$$PATH" PERCUSS_DATADIR=$(abs_top_srcdir)/postprocess
doc/manual-run/done: percuss$(EXEEXT) $(manual_chapters)
	rm -rf doc/manual-run && $(MKDIR_P) doc/manual-run/bin
	$(LN_S) $(abs_top_builddir)/percuss doc/manual-run/bin/percuss
	for d in cases meshes postprocess; do $(LN_S) $(abs_top_srcdir)/$$d doc/manual-run/$$d; done
	$(manual_run) /usr/bin/python3 $(abs_top_srcdir)/doc/run_blocks.py \
	  $(manual_chapters:%=$(abs_top_srcdir)/%) >log
	touch $@

manual_page = cd doc/manual-run && pandoc --standalone --self-contained --toc --toc-depth=2 --metadata title="percuss $(VERSION)" \
  --metadata lang=en --css $(abs_top_srcdir)/doc/manual/manual.css --resource-path=. --from markdown+implicit_figures
doc/manual.html: doc/manual-run/done $(top_srcdir)/doc/manual/manual.css
	$(manual_page) --mathml $(manual_chapters:%=$(abs_top_srcdir)/%) -o ../manual.html
doc/manual.pdf: doc/manual-run/done $(top_srcdir)/doc/manual/manual.css $(top_srcdir)/doc/math_pictures.py
	$(manual_page) --to html --filter $(abs_top_srcdir)/doc/math_pictures.py $(manual_chapters:%=$(abs_top_srcdir)/%) -o print.html
	weasyprint --quiet doc/manual-run/print.html $@
.PHONY: figures manual picture clean-manual
figures: doc/manual-run/done
manual: doc/manual.html doc/manual.pdf

# the pictures of README.md, into the source
picture: percuss$(EXEEXT)
	rm -rf doc/picture && $(MKDIR_P) doc/picture/bin
	$(LN_S) $(abs_top_builddir)/percuss doc/picture/bin/percuss
	for d in cases meshes; do $(LN_S) $(abs_top_srcdir)/$$d doc/picture/$$d; done
	cd doc/picture && PATH="$$PWD/bin:$$PATH" PERCUSS_DATADIR=$(abs_top_srcdir)/postprocess \
	  /usr/bin/python3 $(abs_top_srcdir)/doc/run_blocks.py $(abs_top_srcdir)/doc/manual/picture.md
	cp doc/picture/picture.png doc/picture/silo.png doc/picture/masonry.png doc/picture/fault.png $(srcdir)/doc
clean-local: clean-manual
clean-manual:
	-rm -rf doc/manual-run doc/picture doc/manual.html doc/manual.pdf
