# The GTK inspector.  A panel: its .c and .h here, its .ui in quadscope.gresource.xml and in INSPECTOR_UI.
bin_PROGRAMS += inspector/quadscope

INSPECTOR_UI = \
	inspector/qs-window.ui \
	inspector/qs-shortcuts.ui \
	inspector/style.css \
	inspector/canvas/frame-menu.ui \
	inspector/panels/qs-bindings-panel.ui \
	inspector/panels/qs-breakpoints-panel.ui \
	inspector/panels/qs-depth-panel.ui \
	inspector/panels/qs-compare-panel.ui \
	inspector/panels/qs-console-panel.ui \
	inspector/panels/qs-copy-panel.ui \
	inspector/panels/qs-differences-panel.ui \
	inspector/panels/qs-frame-panel.ui \
	inspector/panels/qs-history-panel.ui \
	inspector/panels/qs-lint-panel.ui \
	inspector/panels/qs-model-panel.ui \
	inspector/panels/qs-plots-panel.ui \
	inspector/panels/qs-program-panel.ui \
	inspector/panels/qs-registers-panel.ui \
	inspector/panels/qs-state-panel.ui \
	inspector/panels/qs-vertices-panel.ui \
	inspector/panels/qs-tev-panel.ui \
	inspector/panels/qs-script-panel.ui \
	inspector/panels/qs-setup-panel.ui \
	inspector/panels/qs-stream-panel.ui \
	inspector/panels/qs-textures-panel.ui \
	inspector/widgets/qs-status-bar.ui \
	inspector/icons/qs-pane-bottom-symbolic.svg \
	inspector/icons/qs-pane-left-symbolic.svg \
	inspector/icons/qs-pane-right-symbolic.svg

# What knows nothing of windows: session, engine thread, snapshots, models (tests link it without GTK).
noinst_LTLIBRARIES += inspector/libqssession.la
inspector_libqssession_la_SOURCES = \
	inspector/qs-compare.c inspector/qs-compare.h \
	inspector/qs-choose.c inspector/qs-goto.c \
	inspector/qs-copy.c inspector/qs-copy.h \
	inspector/qs-scene.c inspector/qs-scene.h \
	inspector/qs-gfx3d.c inspector/qs-gfx3d.h \
	inspector/qs-lua.c inspector/qs-lua.h \
	inspector/qs-machine.c inspector/qs-machine.h \
	inspector/qs-marks.c \
	inspector/qs-navigate.c \
	inspector/qs-request.c inspector/qs-request.h \
	inspector/qs-session.c inspector/qs-session.h inspector/qs-session-private.h \
	inspector/qs-view.c inspector/qs-view.h \
	inspector/qs-worker.c inspector/qs-worker.h \
	inspector/models/qs-figure.c inspector/models/qs-figure.h \
	inspector/models/qs-register-model.c inspector/models/qs-register-model.h \
	inspector/models/qs-stream-index.c inspector/models/qs-stream-index.h \
	inspector/models/qs-stream-model.c inspector/models/qs-stream-model.h
inspector_libqssession_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/inspector
inspector_libqssession_la_CFLAGS = $(AM_CFLAGS) $(GTK_CFLAGS)
inspector_libqssession_la_LIBADD = lua/libqslua.la src/libquadscope.la

inspector_quadscope_SOURCES = \
	inspector/main.c \
	inspector/qs-application.c inspector/qs-application.h \
	inspector/qs-keys.c \
	inspector/qs-layout.c \
	inspector/qs-settings.c inspector/qs-settings.h \
	inspector/qs-window.c inspector/qs-window.h inspector/qs-window-private.h \
	inspector/qs-window-actions.c \
	inspector/canvas/frame-paint.c inspector/canvas/frame-view-private.h \
	inspector/canvas/frame-shapes.c \
	inspector/canvas/plot-paint.c inspector/canvas/plot-paint.h \
	inspector/canvas/qs-plot-view.c inspector/canvas/qs-plot-view.h \
	inspector/canvas/qs-frame-view.c inspector/canvas/qs-frame-view.h \
	inspector/canvas/qs-canvas.c inspector/canvas/qs-canvas.h \
	inspector/canvas/depth-stats.c inspector/canvas/depth-stats.h \
	inspector/canvas/qs-depth-histogram.c inspector/canvas/qs-depth-histogram.h \
	inspector/canvas/pick-keys.c inspector/canvas/pick-keys.h \
	inspector/canvas/qs-depth-view.c inspector/canvas/qs-depth-view.h \
	inspector/canvas/qs-setup-view.c inspector/canvas/qs-setup-view.h inspector/canvas/setup-view-private.h \
	inspector/canvas/setup-paint.c \
	inspector/canvas/setup-quad.c inspector/canvas/setup-quad.h \
	inspector/canvas/qs-texture-view.c inspector/canvas/qs-texture-view.h \
	inspector/canvas/qs-time-bar.c inspector/canvas/qs-time-bar.h \
	inspector/panels/panels.c inspector/panels/panels.h \
	inspector/panels/qs-bindings-panel.c inspector/panels/qs-bindings-panel.h \
	inspector/panels/qs-breakpoints-panel.c inspector/panels/qs-breakpoints-panel.h \
	inspector/panels/depth-text.c inspector/panels/depth-text.h \
	inspector/panels/qs-depth-panel.c inspector/panels/qs-depth-panel.h \
	inspector/panels/copy-text.c inspector/panels/copy-text.h \
	inspector/panels/qs-copy-panel.c inspector/panels/qs-copy-panel.h \
	inspector/panels/console-history.c inspector/panels/console-history.h \
	inspector/panels/qs-console-panel.c inspector/panels/qs-console-panel.h \
	inspector/panels/qs-differences-panel.c inspector/panels/qs-differences-panel.h \
	inspector/panels/qs-frame-panel.c inspector/panels/qs-frame-panel.h \
	inspector/panels/qs-history-panel.c inspector/panels/qs-history-panel.h \
	inspector/panels/compare-text.c inspector/panels/compare-text.h \
	inspector/panels/qs-compare-panel.c inspector/panels/qs-compare-panel.h \
	inspector/canvas/qs-compare-view.c inspector/canvas/qs-compare-view.h \
	inspector/panels/qs-lint-panel.c inspector/panels/qs-lint-panel.h \
	inspector/panels/qs-model-panel.c inspector/panels/qs-model-panel.h \
	inspector/panels/qs-plots-panel.c inspector/panels/qs-plots-panel.h \
	inspector/panels/program-sheet.c inspector/panels/program-sheet.h \
	inspector/panels/qs-program-panel.c inspector/panels/qs-program-panel.h \
	inspector/panels/qs-state-panel.c inspector/panels/qs-state-panel.h \
	inspector/panels/qs-vertices-panel.c inspector/panels/qs-vertices-panel.h \
	inspector/panels/qs-registers-panel.c inspector/panels/qs-registers-panel.h \
	inspector/panels/register-text.c inspector/panels/register-text.h \
	inspector/panels/qs-tev-panel.c inspector/panels/qs-tev-panel.h \
	inspector/panels/tev-detail.c inspector/panels/tev-facts.c inspector/panels/tev-facts.h \
	inspector/panels/tev-sheet.c inspector/panels/tev-sheet.h \
	inspector/widgets/qs-cell.c inspector/widgets/qs-cell.h inspector/widgets/qs-sheet.c inspector/widgets/qs-sheet.h \
	inspector/panels/qs-panel.c \
	inspector/panels/qs-textures-panel.c inspector/panels/qs-textures-panel.h \
	inspector/panels/texture-text.c inspector/panels/texture-text.h \
	inspector/panels/tmem-picture.c inspector/panels/tmem-picture.h \
	inspector/panels/qs-script-panel.c inspector/panels/qs-script-panel.h inspector/panels/qs-script-panel-private.h \
	inspector/panels/script-scenes.c \
	inspector/panels/script-probes.c inspector/panels/script-probes.h \
	inspector/panels/qs-setup-panel.c inspector/panels/qs-setup-panel.h \
	inspector/panels/setup-text.c inspector/panels/setup-text.h \
	inspector/panels/qs-stream-panel.c inspector/panels/qs-stream-panel.h \
	inspector/widgets/qs-column.c inspector/widgets/qs-column.h \
	inspector/widgets/qs-completion.c inspector/widgets/qs-completion.h \
	inspector/widgets/qs-console-view.c inspector/widgets/qs-console-view.h \
	inspector/widgets/qs-info-dialog.c inspector/widgets/qs-info-dialog.h \
	inspector/widgets/qs-split.c inspector/widgets/qs-split.h \
	inspector/widgets/qs-status-bar.c inspector/widgets/qs-status-bar.h \
	inspector/widgets/qs-theme.c inspector/widgets/qs-theme.h
nodist_inspector_quadscope_SOURCES = inspector/resources.c
inspector_quadscope_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/inspector \
	-DQS_PROBES='"$(pkgdatadir)/probes"' -DQS_SOURCE_PROBES='"$(abs_top_srcdir)/scripts/probes"'
inspector_quadscope_CFLAGS = $(AM_CFLAGS) $(GTK_CFLAGS)
inspector_quadscope_LDADD = inspector/libqssession.la src/libquadscope.la $(GTK_LIBS) -lm

inspector/resources.c: $(srcdir)/inspector/quadscope.gresource.xml $(INSPECTOR_UI:%=$(srcdir)/%) \
		$(srcdir)/data/icons/org.quadscope.Quadscope.svg
	$(AM_V_GEN)$(MKDIR_P) inspector && $(GLIB_COMPILE_RESOURCES) --generate-source --target=$@ \
		--sourcedir=$(srcdir)/inspector --sourcedir=$(srcdir)/data $(srcdir)/inspector/quadscope.gresource.xml

EXTRA_DIST += inspector/quadscope.gresource.xml $(INSPECTOR_UI)
CLEANFILES += inspector/resources.c
