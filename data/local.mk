# data
EXTRA_DIST += data/shaders
EXTRA_DIST += data/captures/README.md \
	data/captures/alpha-function.dff \
	data/captures/alpha-function.swr.png \
	data/captures/animation-six-frames.2.swr.png \
	data/captures/animation-six-frames.3.swr.png \
	data/captures/animation-six-frames.4.swr.png \
	data/captures/animation-six-frames.5.swr.png \
	data/captures/animation-six-frames.6.swr.png \
	data/captures/animation-six-frames.dff \
	data/captures/animation-six-frames.swr.png \
	data/captures/anti-alias.2.swr.png \
	data/captures/anti-alias.3.swr.png \
	data/captures/anti-alias.4.swr.png \
	data/captures/anti-alias.5.swr.png \
	data/captures/anti-alias.dff \
	data/captures/anti-alias.swr.png \
	data/captures/blend-factors.dff \
	data/captures/blend-factors.swr.png \
	data/captures/bp-mask.dff \
	data/captures/bp-mask.swr.png \
	data/captures/channels-and-material.dff \
	data/captures/channels-and-material.swr.png \
	data/captures/clear-masks.2.swr.png \
	data/captures/clear-masks.3.swr.png \
	data/captures/clear-masks.dff \
	data/captures/clear-masks.swr.png \
	data/captures/clear-only.2.swr.png \
	data/captures/clear-only.dff \
	data/captures/clear-only.swr.png \
	data/captures/clipping-lines-points.dff \
	data/captures/clipping-lines-points.swr.png \
	data/captures/clipping.dff \
	data/captures/clipping.ogl.png \
	data/captures/clipping.swr.png \
	data/captures/copy-a8.dff \
	data/captures/copy-a8.swr.png \
	data/captures/copy-b8.dff \
	data/captures/copy-b8.swr.png \
	data/captures/copy-feedback-frames.2.swr.png \
	data/captures/copy-feedback-frames.3.swr.png \
	data/captures/copy-feedback-frames.dff \
	data/captures/copy-feedback-frames.swr.png \
	data/captures/copy-g8.dff \
	data/captures/copy-g8.swr.png \
	data/captures/copy-gb8.dff \
	data/captures/copy-gb8.swr.png \
	data/captures/copy-half-i4.dff \
	data/captures/copy-half-i4.swr.png \
	data/captures/copy-half-rgb565.dff \
	data/captures/copy-half-rgb565.swr.png \
	data/captures/copy-half-rgba8.dff \
	data/captures/copy-half-rgba8.swr.png \
	data/captures/copy-half-z16.dff \
	data/captures/copy-half-z16.swr.png \
	data/captures/copy-i4.dff \
	data/captures/copy-i4.swr.png \
	data/captures/copy-i8.dff \
	data/captures/copy-i8.swr.png \
	data/captures/copy-ia4.dff \
	data/captures/copy-ia4.swr.png \
	data/captures/copy-ia8.dff \
	data/captures/copy-ia8.swr.png \
	data/captures/copy-r4.dff \
	data/captures/copy-r4.swr.png \
	data/captures/copy-r8.dff \
	data/captures/copy-r8.swr.png \
	data/captures/copy-ra4.dff \
	data/captures/copy-ra4.swr.png \
	data/captures/copy-ra8.dff \
	data/captures/copy-ra8.swr.png \
	data/captures/copy-random.2.swr.png \
	data/captures/copy-random.3.swr.png \
	data/captures/copy-random.4.swr.png \
	data/captures/copy-random.5.swr.png \
	data/captures/copy-random.dff \
	data/captures/copy-random.swr.png \
	data/captures/copy-rg8.dff \
	data/captures/copy-rg8.swr.png \
	data/captures/copy-rgb565-z16.dff \
	data/captures/copy-rgb565-z16.swr.png \
	data/captures/copy-rgb565.dff \
	data/captures/copy-rgb565.swr.png \
	data/captures/copy-rgb5a3-opaque.dff \
	data/captures/copy-rgb5a3-opaque.swr.png \
	data/captures/copy-rgb5a3.dff \
	data/captures/copy-rgb5a3.swr.png \
	data/captures/copy-rgba8.dff \
	data/captures/copy-rgba8.swr.png \
	data/captures/copy-z16-low.dff \
	data/captures/copy-z16-low.swr.png \
	data/captures/copy-z16.dff \
	data/captures/copy-z16.swr.png \
	data/captures/copy-z24.dff \
	data/captures/copy-z24.swr.png \
	data/captures/copy-z4.dff \
	data/captures/copy-z4.swr.png \
	data/captures/copy-z8-low.dff \
	data/captures/copy-z8-low.swr.png \
	data/captures/copy-z8-middle.dff \
	data/captures/copy-z8-middle.swr.png \
	data/captures/copy-z8.dff \
	data/captures/copy-z8.swr.png \
	data/captures/culling.dff \
	data/captures/culling.swr.png \
	data/captures/destination-alpha.dff \
	data/captures/destination-alpha.swr.png \
	data/captures/display-copy-clamp.2.swr.png \
	data/captures/display-copy-clamp.3.swr.png \
	data/captures/display-copy-clamp.4.swr.png \
	data/captures/display-copy-clamp.dff \
	data/captures/display-copy-clamp.swr.png \
	data/captures/display-copy-filter.2.swr.png \
	data/captures/display-copy-filter.3.swr.png \
	data/captures/display-copy-filter.4.swr.png \
	data/captures/display-copy-filter.dff \
	data/captures/display-copy-filter.swr.png \
	data/captures/display-copy-gamma.2.swr.png \
	data/captures/display-copy-gamma.3.swr.png \
	data/captures/display-copy-gamma.dff \
	data/captures/display-copy-gamma.swr.png \
	data/captures/display-copy-small.dff \
	data/captures/display-copy-small.ogl.png \
	data/captures/display-copy-small.swr.png \
	data/captures/display-copy-yscale.dff \
	data/captures/display-copy-yscale.ogl.png \
	data/captures/display-copy-yscale.swr.png \
	data/captures/display-list.dff \
	data/captures/display-list.swr.png \
	data/captures/dither-rgba6.dff \
	data/captures/dither-rgba6.swr.png \
	data/captures/fog-exp.dff \
	data/captures/fog-exp.swr.png \
	data/captures/fog-exp2.dff \
	data/captures/fog-exp2.swr.png \
	data/captures/fog-linear.dff \
	data/captures/fog-linear.swr.png \
	data/captures/fog-orthographic.dff \
	data/captures/fog-orthographic.swr.png \
	data/captures/fog-range.dff \
	data/captures/fog-range.swr.png \
	data/captures/fog-revexp.dff \
	data/captures/fog-revexp.swr.png \
	data/captures/fog-revexp2.dff \
	data/captures/fog-revexp2.swr.png \
	data/captures/indirect-add-previous.dff \
	data/captures/indirect-add-previous.swr.png \
	data/captures/indirect-bump-alpha.dff \
	data/captures/indirect-bump-alpha.swr.png \
	data/captures/indirect-bump-formats.dff \
	data/captures/indirect-bump-formats.swr.png \
	data/captures/indirect-coord-scale.dff \
	data/captures/indirect-coord-scale.swr.png \
	data/captures/indirect-formats.dff \
	data/captures/indirect-formats.swr.png \
	data/captures/indirect-warp.dff \
	data/captures/indirect-warp.swr.png \
	data/captures/indirect-wrap.dff \
	data/captures/indirect-wrap.swr.png \
	data/captures/light-alpha.dff \
	data/captures/light-alpha.swr.png \
	data/captures/light-attenuation.dff \
	data/captures/light-attenuation.swr.png \
	data/captures/light-diffuse.dff \
	data/captures/light-diffuse.swr.png \
	data/captures/light-normal-formats.dff \
	data/captures/light-normal-formats.swr.png \
	data/captures/light-two-channels.dff \
	data/captures/light-two-channels.swr.png \
	data/captures/lines-widths.dff \
	data/captures/lines-widths.swr.png \
	data/captures/pe-random.dff \
	data/captures/pe-random.swr.png \
	data/captures/perspective-cube.dff \
	data/captures/perspective-cube.swr.png \
	data/captures/pixel-types.2.swr.png \
	data/captures/pixel-types.3.swr.png \
	data/captures/pixel-types.4.swr.png \
	data/captures/pixel-types.5.swr.png \
	data/captures/pixel-types.6.swr.png \
	data/captures/pixel-types.7.swr.png \
	data/captures/pixel-types.dff \
	data/captures/pixel-types.swr.png \
	data/captures/points-and-lines.dff \
	data/captures/points-and-lines.swr.png \
	data/captures/primitives-all.dff \
	data/captures/primitives-all.swr.png \
	data/captures/scissor-offset.dff \
	data/captures/scissor-offset.swr.png \
	data/captures/scissor-offsets-far.dff \
	data/captures/scissor-offsets-far.swr.png \
	data/captures/soft-frame.dff \
	data/captures/soft-frame.swr.png \
	data/captures/subtract-and-logic.dff \
	data/captures/subtract-and-logic.swr.png \
	data/captures/tev-compare-alpha.dff \
	data/captures/tev-compare-alpha.swr.png \
	data/captures/tev-compare-colour.dff \
	data/captures/tev-compare-colour.swr.png \
	data/captures/tev-konst.dff \
	data/captures/tev-konst.swr.png \
	data/captures/tev-ops.dff \
	data/captures/tev-ops.swr.png \
	data/captures/tev-random.dff \
	data/captures/tev-random.swr.png \
	data/captures/tev-registers.dff \
	data/captures/tev-registers.swr.png \
	data/captures/tev-signed-registers.dff \
	data/captures/tev-signed-registers.swr.png \
	data/captures/tev-sixteen-stages.dff \
	data/captures/tev-sixteen-stages.swr.png \
	data/captures/tev-swap.dff \
	data/captures/tev-swap.swr.png \
	data/captures/tex-c14x2-ia8.dff \
	data/captures/tex-c14x2-ia8.swr.png \
	data/captures/tex-c14x2-rgb565.dff \
	data/captures/tex-c14x2-rgb565.swr.png \
	data/captures/tex-c14x2-rgb5a3.dff \
	data/captures/tex-c14x2-rgb5a3.swr.png \
	data/captures/tex-c4-ia8.dff \
	data/captures/tex-c4-ia8.swr.png \
	data/captures/tex-c4-rgb565.dff \
	data/captures/tex-c4-rgb565.swr.png \
	data/captures/tex-c4-rgb5a3.dff \
	data/captures/tex-c4-rgb5a3.swr.png \
	data/captures/tex-c8-ia8.dff \
	data/captures/tex-c8-ia8.swr.png \
	data/captures/tex-c8-rgb565.dff \
	data/captures/tex-c8-rgb565.swr.png \
	data/captures/tex-c8-rgb5a3.dff \
	data/captures/tex-c8-rgb5a3.swr.png \
	data/captures/tex-cmpr.dff \
	data/captures/tex-cmpr.swr.png \
	data/captures/tex-coordinate-formats.dff \
	data/captures/tex-coordinate-formats.swr.png \
	data/captures/tex-eight-maps.dff \
	data/captures/tex-eight-maps.swr.png \
	data/captures/tex-i4.dff \
	data/captures/tex-i4.swr.png \
	data/captures/tex-i8.dff \
	data/captures/tex-i8.swr.png \
	data/captures/tex-ia4.dff \
	data/captures/tex-ia4.swr.png \
	data/captures/tex-ia8.dff \
	data/captures/tex-ia8.swr.png \
	data/captures/tex-lod-clamp.dff \
	data/captures/tex-lod-clamp.swr.png \
	data/captures/tex-lod-modes.dff \
	data/captures/tex-lod-modes.swr.png \
	data/captures/tex-mipmaps.dff \
	data/captures/tex-mipmaps.ogl.png \
	data/captures/tex-mipmaps.swr.png \
	data/captures/tex-npot.dff \
	data/captures/tex-npot.swr.png \
	data/captures/tex-random.dff \
	data/captures/tex-random.swr.png \
	data/captures/tex-rgb565.dff \
	data/captures/tex-rgb565.swr.png \
	data/captures/tex-rgb5a3.dff \
	data/captures/tex-rgb5a3.swr.png \
	data/captures/tex-rgba8.dff \
	data/captures/tex-rgba8.swr.png \
	data/captures/tex-wrap.dff \
	data/captures/tex-wrap.swr.png \
	data/captures/texgen-colour.dff \
	data/captures/texgen-colour.swr.png \
	data/captures/texgen-dual.dff \
	data/captures/texgen-dual.swr.png \
	data/captures/texgen-emboss-lights.dff \
	data/captures/texgen-emboss-lights.swr.png \
	data/captures/texgen-emboss.dff \
	data/captures/texgen-emboss.swr.png \
	data/captures/texgen-sources.dff \
	data/captures/texgen-sources.swr.png \
	data/captures/tmem-preload-rgba8.dff \
	data/captures/tmem-preload-rgba8.swr.png \
	data/captures/tmem-preload.dff \
	data/captures/tmem-preload.swr.png \
	data/captures/tour.2.swr.png \
	data/captures/tour.dff \
	data/captures/tour.ogl.png \
	data/captures/tour.swr.png \
	data/captures/triangle-gouraud.dff \
	data/captures/triangle-gouraud.swr.png \
	data/captures/update-after-primitive.dff \
	data/captures/update-after-primitive.swr.png \
	data/captures/version-1.2.swr.png \
	data/captures/version-1.dff \
	data/captures/version-1.swr.png \
	data/captures/version-2.2.swr.png \
	data/captures/version-2.dff \
	data/captures/version-2.swr.png \
	data/captures/vertex-colour-formats.dff \
	data/captures/vertex-colour-formats.swr.png \
	data/captures/vertex-indexed.dff \
	data/captures/vertex-indexed.swr.png \
	data/captures/vertex-matrix-indices.dff \
	data/captures/vertex-matrix-indices.swr.png \
	data/captures/vertex-missing.dff \
	data/captures/vertex-missing.swr.png \
	data/captures/vertex-ntb-indices.dff \
	data/captures/vertex-ntb-indices.swr.png \
	data/captures/vertex-position-formats.dff \
	data/captures/vertex-position-formats.swr.png \
	data/captures/write-masks.dff \
	data/captures/write-masks.swr.png \
	data/captures/xf-indexed-loads.dff \
	data/captures/xf-indexed-loads.swr.png \
	data/captures/z-compare.dff \
	data/captures/z-compare.swr.png \
	data/captures/z-early-late.dff \
	data/captures/z-early-late.swr.png \
	data/captures/z-texture.dff \
	data/captures/z-texture.swr.png \
	data/captures/z-viewport-range.dff \
	data/captures/z-viewport-range.swr.png \
	data/captures/z16-rgb565.dff \
	data/captures/z16-rgb565.swr.png \
	data/captures/zfreeze.dff \
	data/captures/zfreeze.swr.png \
	data/scenes/combiners.lua \
	data/scenes/copies.lua \
	data/scenes/features.lua \
	data/scenes/pixels.lua \
	data/scenes/random.lua \
	data/scenes/setup.lua \
	data/scenes/textures.lua \
	data/scenes/transform.lua

dist_man_MANS += data/man/qscope.1
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = data/completions/qscope

# The inspector on the desktop.  The compiled settings schema lets it run from the build tree.
if INSPECTOR
dist_man_MANS += data/man/quadscope.1
applicationsdir = $(datadir)/applications
dist_applications_DATA = data/org.quadscope.Quadscope.desktop
metainfodir = $(datadir)/metainfo
dist_metainfo_DATA = data/org.quadscope.Quadscope.metainfo.xml
mimedir = $(datadir)/mime/packages
dist_mime_DATA = data/org.quadscope.Quadscope.mime.xml
scalableiconsdir = $(datadir)/icons/hicolor/scalable/apps
dist_scalableicons_DATA = data/icons/org.quadscope.Quadscope.svg
symboliciconsdir = $(datadir)/icons/hicolor/symbolic/apps
dist_symbolicicons_DATA = data/icons/org.quadscope.Quadscope-symbolic.svg
gschemadir = $(datadir)/glib-2.0/schemas
dist_gschema_DATA = data/org.quadscope.Quadscope.gschema.xml
noinst_DATA = data/gschemas.compiled
data/gschemas.compiled: $(srcdir)/data/org.quadscope.Quadscope.gschema.xml
	$(AM_V_GEN)$(MKDIR_P) data && $(GLIB_COMPILE_SCHEMAS) --strict --targetdir=data $(srcdir)/data
CLEANFILES += data/gschemas.compiled

# Caches are the package manager's when the files go to DESTDIR.
install-data-hook: inspector-caches
uninstall-hook: inspector-caches
inspector-caches:
	@if test -z "$(DESTDIR)"; then \
		$(GLIB_COMPILE_SCHEMAS) "$(gschemadir)" || :; \
		update-mime-database "$(datadir)/mime" 2>/dev/null || :; \
		update-desktop-database -q "$(applicationsdir)" 2>/dev/null || :; \
		gtk4-update-icon-cache -qtf "$(datadir)/icons/hicolor" 2>/dev/null || \
			gtk-update-icon-cache -qtf "$(datadir)/icons/hicolor" 2>/dev/null || :; \
	fi
endif
