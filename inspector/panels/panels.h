/* panels.h - what a panel is, and how to add one
 *
 * A panel is one .c, one .h and one .ui in panels/.  It is a subclass of QsPanel:
 *
 *   struct _QsDepthPanel { QsPanel parent_instance; GtkLabel *value; ... };
 *   G_DEFINE_FINAL_TYPE(QsDepthPanel, qs_depth_panel, QS_TYPE_PANEL)
 *
 *   static void qs_depth_panel_update(QsPanel *panel, guint changes)
 *   {
 *           QsView *view = qs_session_get_view(qs_panel_get_session(panel));   // NULL: no capture
 *           ...
 *   }
 *   class_init: QS_PANEL_CLASS(klass)->update = qs_depth_panel_update;
 *               gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-depth-panel.ui"); ...
 *
 * update() is called on the main loop while the panel is mapped, with all QsChange flags since the last call (on mapping with
 * everything that was missed; the first time QS_CHANGE_ALL).  It must not block: what is not in the view is asked for with
 * qs_request_* (qs-request.h).  The template's top is <template class="QsDepthPanel" parent="QsPanel"> and holds one child
 * that fills it.
 *
 * Conventions: numbers have the CSS class "monospace"; an empty panel says what would fill it (a GtkLabel of class
 * "dim-label", or qs_panel_set_empty); red is .qs-fail, green .qs-pass, the current moment .qs-now, a changed value
 * .qs-changed (style.css); every control has a tooltip and an accessible name; names of moments, registers and commands
 * are links (qs_panel_link).  A panel remembers its options in its own keys of the GSettings schema (qs-settings.h).
 *
 * A panel of one machine only is hidden while a capture of the other is open; two with the same title take each other's place.
 *
 * To add one: a line in panels.c, the files in local.mk, the .ui in quadscope.gresource.xml.  Window-wide actions that a
 * panel answers ("script.run" for Ctrl+Enter) are a GActionGroup that the panel inserts with qs_panel_insert_actions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-session.h"

G_BEGIN_DECLS

#define QS_RESOURCE "/org/quadscope/Quadscope/"

typedef enum {
	QS_PANE_LEFT,
	QS_PANE_CENTRE, /* exactly one panel: the frame */
	QS_PANE_RIGHT_TOP,
	QS_PANE_RIGHT_BOTTOM,
	QS_PANE_BOTTOM_LEFT,
	QS_PANE_BOTTOM_CENTRE,
	QS_PANE_BOTTOM_RIGHT,
	QS_PANE_COUNT
} QsPane;

#define QS_ON_FLIPPER (1u << QS_MACHINE_FLIPPER)
#define QS_ON_GFX3D (1u << QS_MACHINE_GFX3D)
#define QS_ON_BOTH (QS_ON_FLIPPER | QS_ON_GFX3D)

typedef struct {
	const char *id;    /* "stream": for settings and actions (win.show-panel::stream) */
	const char *title;
	QsPane pane;       /* where it is until somebody drags it elsewhere */
	GType (*type)(void);
	guint machines;    /* 1 << enum qs_machine of the captures that it is for */
} QsPanelInfo;

const QsPanelInfo *qs_panels(guint *count);

#define QS_TYPE_PANEL (qs_panel_get_type())
G_DECLARE_DERIVABLE_TYPE(QsPanel, qs_panel, QS, PANEL, GtkWidget)

struct _QsPanelClass {
	GtkWidgetClass parent_class;
	void (*update)(QsPanel *self, guint changes);
	void (*focus)(QsPanel *self); /* optional: where the keyboard goes when the panel is called up */
	gpointer padding[6];
};

QsSession *qs_panel_get_session(QsPanel *self); /* not NULL after construction */
/* text: shown instead of the content; NULL: the content */
void qs_panel_set_empty(QsPanel *self, const char *text);
/* Calls update() soon with the flags (a panel's own options changed). */
void qs_panel_queue_update(QsPanel *self, guint changes);
void qs_panel_focus(QsPanel *self);
/* The window offers the actions as prefix.name while the panel exists. */
void qs_panel_insert_actions(QsPanel *self, const char *prefix, GActionGroup *group);
const char *qs_panel_get_prefix(QsPanel *self, GActionGroup **group); /* NULL: none */

/* ---- links: a label whose click goes somewhere ---- */
/* Pango markup "<a href='moment:2/57/0'>2/57/0</a>"; also command:N (command index), copy:N,ADDRESS (the same of a copy, with its panel), pixel:X,Y, register:bp.GEN_MODE.
 * Give it to a GtkLabel and call qs_panel_watch_links on the label once. */
char *qs_link_moment(const char *text);
char *qs_link_command(const struct qs_capture *capture, guint32 command); /* shows its moment; "initial" for QS_NONE */
void qs_panel_watch_links(QsPanel *self, GtkLabel *label);
/* The window's handling of such a link. */
gboolean qs_session_follow_link(QsSession *session, const char *uri);

G_END_DECLS
