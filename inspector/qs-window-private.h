/* qs-window-private.h - shared by qs-window.c, qs-window-actions.c and qs-layout.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels/panels.h"
#include "qs-window.h"

struct _QsWindow {
	GtkApplicationWindow parent_instance;
	QsSession *session;
	QsPanel **panels; /* in the order of qs_panels() */
	guint panel_count;
	GtkWidget *time_bar, *status_bar;
	gboolean space_held, filling;
	enum qs_machine machine; /* whose models and panels are offered */
	gint64 loading_since; /* 0: not loading */

	/* template */
	GtkMenuButton *recent_button, *menu_button;
	GtkBox *steps, *welcome, *centre, *status_box;
	GtkDropDown *model, *pipeline;
	GtkSpinner *spinner;
	GtkEntry *moment;
	GtkInfoBar *message_bar;
	GtkLabel *message_label, *loading_label;
	GtkWidget *message_details;
	GtkWidget *loading_bar;
	GtkProgressBar *loading_progress;
	GtkStack *stack;
	GtkPaned *main_split, *left_split, *right_split, *right_inner, *bottom_split, *bottom_inner;
	GtkNotebook *left, *centre_pages, *right_top, *right_bottom, *bottom_left, *bottom_centre, *bottom_right;
};

/* qs-window-actions.c */
void qs_window_add_actions(QsWindow *self);
void qs_window_update_actions(QsWindow *self, guint changes);
void qs_window_fill_welcome(QsWindow *self);
void qs_window_fill_recent(QsWindow *self);
void qs_window_remember_file(QsWindow *self, const char *path);
/* qs-layout.c */
void qs_window_build_layout(QsWindow *self);
void qs_window_save_layout(QsWindow *self);
void qs_window_show_panel(QsWindow *self, const char *id);
void qs_window_reset_layout(QsWindow *self);
/* Panes with nothing to show are hidden, as are those the person hid. */
void qs_window_update_panes(QsWindow *self);
/* qs-keys.c */
void qs_window_add_keys(QsWindow *self);
void qs_keys_set_accelerators(GtkApplication *application);
