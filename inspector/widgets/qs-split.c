/* qs-split.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-split.h"

typedef struct {
	GtkPaned *paned; /* owns this */
	guint idle, tick, frames;
	int percent;
} Split;

/* In the frame after the turn: the first layout of the other orientation scales the position as if the paned had grown. */
static gboolean place(GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
	Split *split = user;
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);

	(void)clock;
	if (split->frames++ < 2)
		return G_SOURCE_CONTINUE;
	gtk_paned_set_position(split->paned, width > height ? width * split->percent / 100 : height / 2);
	split->tick = 0;
	return G_SOURCE_REMOVE;
}

/* Not while sizes are being given out. */
static gboolean turn(gpointer user)
{
	Split *split = user;
	const int width = gtk_widget_get_width(GTK_WIDGET(split->paned)), height = gtk_widget_get_height(GTK_WIDGET(split->paned));
	const GtkOrientation orientation = width > height ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;

	split->idle = 0;
	if (width <= 0 || height <= 0 || gtk_orientable_get_orientation(GTK_ORIENTABLE(split->paned)) == orientation)
		return G_SOURCE_REMOVE;
	gtk_orientable_set_orientation(GTK_ORIENTABLE(split->paned), orientation);
	split->frames = 0;
	if (!split->tick)
		split->tick = gtk_widget_add_tick_callback(GTK_WIDGET(split->paned), place, split, NULL);
	return G_SOURCE_REMOVE;
}

static void resized(Split *split)
{
	if (!split->idle)
		split->idle = g_idle_add(turn, split);
}

static void split_free(gpointer data)
{
	Split *split = data;

	g_clear_handle_id(&split->idle, g_source_remove);
	g_free(split);
}

void qs_split_turn(GtkPaned *paned, GtkWidget *child, int percent)
{
	Split *split = g_new0(Split, 1);

	split->paned = paned;
	split->percent = percent;
	/* until the size is known */
	split->tick = gtk_widget_add_tick_callback(GTK_WIDGET(paned), place, split, NULL);
	g_object_set_data_full(G_OBJECT(paned), "qs-split", split, split_free);
	gtk_orientable_set_orientation(GTK_ORIENTABLE(paned), GTK_ORIENTATION_VERTICAL);
	g_signal_connect_swapped(child, "zoom-changed", G_CALLBACK(resized), split);
}
