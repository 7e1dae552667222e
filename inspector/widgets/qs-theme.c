/* qs-theme.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-theme.h"

typedef void (*Changed)(GtkWidget *widget);

gboolean qs_theme_is_dark(GtkWidget *widget)
{
	GdkRGBA colour;

	gtk_style_context_get_color(gtk_widget_get_style_context(widget), &colour);
	return 0.3f * colour.red + 0.6f * colour.green + 0.1f * colour.blue > 0.5f;
}

static gboolean tell(gpointer user)
{
	GtkWidget *widget = user;
	Changed changed = (Changed)g_object_get_data(G_OBJECT(widget), "qs-theme");

	changed(widget);
	return G_SOURCE_REMOVE;
}

/* The settings tell before the widgets have their new style. */
static void tell_later(GtkWidget *widget)
{
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, tell, g_object_ref(widget), g_object_unref);
}

void qs_theme_watch(GtkWidget *widget, Changed changed)
{
	GtkSettings *settings = gtk_settings_get_default();

	g_object_set_data(G_OBJECT(widget), "qs-theme", (gpointer)changed);
	g_signal_connect_object(settings, "notify::gtk-theme-name", G_CALLBACK(tell_later), widget, G_CONNECT_SWAPPED);
	g_signal_connect_object(settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK(tell_later), widget,
		G_CONNECT_SWAPPED);
	g_signal_connect(widget, "map", G_CALLBACK(changed), NULL);
	changed(widget);
}

char *qs_state_file(const char *name)
{
	g_autofree char *folder = g_build_filename(g_get_user_state_dir(), "quadscope", NULL);

	g_mkdir_with_parents(folder, 0700);
	return g_build_filename(folder, name, NULL);
}
