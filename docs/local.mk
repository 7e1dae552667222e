# docs
nobase_dist_doc_DATA = README.md NEWS \
	docs/architecture.md \
	docs/chrisos.md \
	docs/csir.md \
	docs/deviations.md \
	docs/dff-format.md \
	docs/facts.md \
	docs/features.md \
	docs/gfx3d.md \
	docs/guide.md \
	docs/hardware.md \
	docs/performance.md \
	docs/lua.md \
	docs/qsc-format.md \
	docs/registers.md \
	docs/scripting.md \
	docs/terminal.md

# Written into the source tree, as they are committed; tests/check_generated fails when they are out of date.
.PHONY: docs
docs: src/gx/mkregs lua/mkapi src/gfx3d/mkcsir
	$(AM_V_GEN)src/gx/mkregs docs > $(srcdir)/docs/registers.md.tmp && mv $(srcdir)/docs/registers.md.tmp $(srcdir)/docs/registers.md
	$(AM_V_GEN)src/gx/mkregs index > $(srcdir)/src/gx/registers_index.h.tmp && \
		mv $(srcdir)/src/gx/registers_index.h.tmp $(srcdir)/src/gx/registers_index.h
	$(AM_V_GEN)lua/mkapi > $(srcdir)/docs/lua.md.tmp && mv $(srcdir)/docs/lua.md.tmp $(srcdir)/docs/lua.md
	$(AM_V_GEN)src/gfx3d/mkcsir $(srcdir)/docs/csir.in.md > $(srcdir)/docs/csir.md.tmp && mv $(srcdir)/docs/csir.md.tmp $(srcdir)/docs/csir.md
EXTRA_DIST += docs/csir.in.md
EXTRA_DIST += docs/images/inspector.png docs/images/textures.png docs/images/fragment.png docs/images/compare.png docs/images/copy.png docs/images/virgl.png
