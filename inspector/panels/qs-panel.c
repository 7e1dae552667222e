/* qs-panel.c - base class of the panels, see panels.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "panels.h"
#include <stdlib.h>

typedef struct {
	QsSession *session;
	guint pending; /* changes that were not told yet */
	guint idle;
	GtkWidget *empty;
	char *prefix;
	GActionGroup *actions;
} QsPanelPrivate;

enum { PROP_SESSION = 1, N_PROPS };

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(QsPanel, qs_panel, GTK_TYPE_WIDGET)

#define PRIVATE(self) ((QsPanelPrivate *)qs_panel_get_instance_private(self))

static void flush(QsPanel *self)
{
	QsPanelPrivate *priv = PRIVATE(self);
	const guint changes = priv->pending;

	if (!changes || !gtk_widget_get_mapped(GTK_WIDGET(self)))
		return;
	priv->pending = 0;
	if (QS_PANEL_GET_CLASS(self)->update)
		QS_PANEL_GET_CLASS(self)->update(self, changes);
}

static void changed(QsPanel *self, guint changes)
{
	PRIVATE(self)->pending |= changes;
	flush(self);
}

static gboolean flush_idle(gpointer user)
{
	PRIVATE(user)->idle = 0;
	flush(user);
	return G_SOURCE_REMOVE;
}

void qs_panel_queue_update(QsPanel *self, guint changes)
{
	QsPanelPrivate *priv = PRIVATE(self);

	priv->pending |= changes;
	if (!priv->idle)
		priv->idle = g_idle_add(flush_idle, self);
}

QsSession *qs_panel_get_session(QsPanel *self)
{
	return PRIVATE(self)->session;
}

void qs_panel_set_empty(QsPanel *self, const char *text)
{
	QsPanelPrivate *priv = PRIVATE(self);

	if (!priv->empty && !text)
		return;
	if (!priv->empty) {
		priv->empty = gtk_label_new(NULL);
		gtk_label_set_wrap(GTK_LABEL(priv->empty), TRUE);
		gtk_label_set_justify(GTK_LABEL(priv->empty), GTK_JUSTIFY_CENTER);
		gtk_widget_add_css_class(priv->empty, "dim-label");
		gtk_widget_add_css_class(priv->empty, "qs-empty");
		gtk_widget_set_parent(priv->empty, GTK_WIDGET(self));
	}
	if (text)
		gtk_label_set_text(GTK_LABEL(priv->empty), text);
	for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self)); child; child = gtk_widget_get_next_sibling(child))
		gtk_widget_set_visible(child, (child == priv->empty) == (text != NULL));
}

void qs_panel_focus(QsPanel *self)
{
	if (QS_PANEL_GET_CLASS(self)->focus)
		QS_PANEL_GET_CLASS(self)->focus(self);
	else
		gtk_widget_child_focus(GTK_WIDGET(self), GTK_DIR_TAB_FORWARD);
}

void qs_panel_insert_actions(QsPanel *self, const char *prefix, GActionGroup *group)
{
	QsPanelPrivate *priv = PRIVATE(self);

	g_free(priv->prefix);
	priv->prefix = g_strdup(prefix);
	g_set_object(&priv->actions, group);
}

const char *qs_panel_get_prefix(QsPanel *self, GActionGroup **group)
{
	*group = PRIVATE(self)->actions;
	return PRIVATE(self)->prefix;
}

/* ---- links -------------------------------------------------------------------------------------------------------------- */

char *qs_link_moment(const char *text)
{
	return g_strdup_printf("<a href=\"moment:%s\">%s</a>", text, text);
}

char *qs_link_command(const struct qs_capture *capture, guint32 command)
{
	struct qs_moment moment;
	char text[80];

	if (command == QS_NONE || !qs_moment_of_command(capture, command, &moment))
		return g_strdup("initial");
	qs_moment_format(capture, &moment, text, sizeof text);
	return g_strdup_printf("<a href=\"command:%u\">%s</a>", command, text);
}

gboolean qs_session_follow_link(QsSession *session, const char *uri)
{
	struct qs_error error = {0};
	int x, y;

	if (g_str_has_prefix(uri, "moment:")) {
		if (!qs_session_seek_text(session, uri + 7, &error))
			qs_session_message(session, QS_MESSAGE_HINT, "%s", error.text);
		return TRUE;
	}
	if (g_str_has_prefix(uri, "command:")) {
		qs_session_seek_command(session, (guint32)strtoul(uri + 8, NULL, 10));
		return TRUE;
	}
	if (sscanf(uri, "pixel:%d,%d", &x, &y) == 2) {
		qs_session_set_pick(session, x, y);
		return TRUE;
	}
	if (g_str_has_prefix(uri, "copy:")) {
		char *rest = NULL;
		const guint32 command = (guint32)strtoul(uri + 5, &rest, 10);

		qs_session_seek_copy(session, command, *rest == ',' ? (guint32)strtoul(rest + 1, NULL, 16) : QS_NONE);
		return TRUE;
	}
	if (g_str_has_prefix(uri, "quirk:")) {
		g_auto(GStrv) parts = g_strsplit(uri + 6, "=", 2);

		if (parts[0] && parts[1])
			qs_session_set_quirk(session, parts[0], atoi(parts[1]));
		return TRUE;
	}
	return g_str_has_prefix(uri, "register:") && qs_session_go_to(session, uri + 9, &error);
}

static gboolean activate_link(GtkLabel *label, const char *uri, QsPanel *self)
{
	(void)label;
	if (g_str_has_prefix(uri, "copy:"))
		gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "copy");
	return qs_session_follow_link(PRIVATE(self)->session, uri);
}

void qs_panel_watch_links(QsPanel *self, GtkLabel *label)
{
	g_signal_connect_object(label, "activate-link", G_CALLBACK(activate_link), self, 0);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_panel_map(GtkWidget *widget)
{
	GTK_WIDGET_CLASS(qs_panel_parent_class)->map(widget);
	qs_panel_queue_update(QS_PANEL(widget), 0);
}

static void qs_panel_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
	QsPanelPrivate *priv = PRIVATE(QS_PANEL(object));

	if (id != PROP_SESSION) {
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
		return;
	}
	priv->session = g_value_dup_object(value);
	if (priv->session)
		g_signal_connect_object(priv->session, "changed", G_CALLBACK(changed), object, G_CONNECT_SWAPPED);
}

static void qs_panel_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	if (id == PROP_SESSION)
		g_value_set_object(value, PRIVATE(QS_PANEL(object))->session);
	else
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void qs_panel_dispose(GObject *object)
{
	QsPanelPrivate *priv = PRIVATE(QS_PANEL(object));
	GtkWidget *child;

	g_clear_handle_id(&priv->idle, g_source_remove);
	priv->empty = NULL;
	while ((child = gtk_widget_get_first_child(GTK_WIDGET(object))))
		gtk_widget_unparent(child);
	g_clear_object(&priv->session);
	g_clear_object(&priv->actions);
	g_clear_pointer(&priv->prefix, g_free);
	G_OBJECT_CLASS(qs_panel_parent_class)->dispose(object);
}

static void qs_panel_init(QsPanel *self)
{
	PRIVATE(self)->pending = QS_CHANGE_ALL;
	gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
	gtk_widget_set_vexpand(GTK_WIDGET(self), TRUE);
}

static void qs_panel_class_init(QsPanelClass *klass)
{
	GObjectClass *object_class = G_OBJECT_CLASS(klass);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	object_class->set_property = qs_panel_set_property;
	object_class->get_property = qs_panel_get_property;
	object_class->dispose = qs_panel_dispose;
	widget_class->map = qs_panel_map;
	g_object_class_install_property(object_class, PROP_SESSION, g_param_spec_object("session", NULL, NULL, QS_TYPE_SESSION,
		G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
	gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
	gtk_widget_class_set_css_name(widget_class, "qspanel");
}
