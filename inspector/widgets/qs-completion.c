/* qs-completion.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-completion.h"
#include <string.h>
#include "lua/engine.h"

#define PAGE 8

struct _QsCompletion {
	GtkPopover parent_instance;
	GtkStringList *strings;
	GtkSingleSelection *selection;
	GtkWidget *list, *detail;
};

G_DEFINE_FINAL_TYPE(QsCompletion, qs_completion, GTK_TYPE_POPOVER)

enum { SIGNAL_CHOSEN, SIGNAL_COUNT };
static guint signals[SIGNAL_COUNT];

gboolean qs_completion_find_api(const char *name, const char **signature, const char **text)
{
	for (size_t i = 0; i < qs_api_count(); i++) {
		const struct qs_api *api = qs_api_at(i);
		const char *method = strrchr(api->name, ':'), *asked = strrchr(name, ':');

		/* "x:off" is found as "handle:off" */
		if (strcmp(api->name, name) != 0 && !(method && asked && strncmp(name, "qs.", 3) != 0 && strcmp(method, asked) == 0))
			continue;
		*signature = api->signature;
		*text = api->text;
		return TRUE;
	}
	return FALSE;
}

static const char *selected_text(QsCompletion *self)
{
	GtkStringObject *object = gtk_single_selection_get_selected_item(self->selection);

	return object ? gtk_string_object_get_string(object) : NULL;
}

static void selected(QsCompletion *self)
{
	const char *name = selected_text(self), *signature, *text;
	g_autofree char *detail = NULL;

	if (name && qs_completion_find_api(name, &signature, &text))
		detail = g_strdup_printf("%s\n%s", signature, text);
	gtk_label_set_text(GTK_LABEL(self->detail), detail ? detail : "");
	gtk_widget_set_visible(self->detail, detail != NULL);
}

static void choose(QsCompletion *self)
{
	g_autofree char *name = g_strdup(selected_text(self));

	gtk_popover_popdown(GTK_POPOVER(self));
	if (name)
		g_signal_emit(self, signals[SIGNAL_CHOSEN], 0, name);
}

static void activated(QsCompletion *self, guint position)
{
	gtk_single_selection_set_selected(self->selection, position);
	choose(self);
}

static void go(QsCompletion *self, int step)
{
	const int count = (int)g_list_model_get_n_items(G_LIST_MODEL(self->strings));
	const int now = (int)gtk_single_selection_get_selected(self->selection);
	int next = now + step;

	if (count == 0)
		return;
	if (step == 1 || step == -1) /* round and round; pages stop at the ends */
		next = (next + count) % count;
	next = CLAMP(next, 0, count - 1);
	gtk_single_selection_set_selected(self->selection, (guint)next);
	gtk_widget_activate_action(self->list, "list.scroll-to-item", "u", (guint)next);
}

gboolean qs_completion_key(QsCompletion *self, guint key)
{
	if (!gtk_widget_get_visible(GTK_WIDGET(self)))
		return FALSE;
	switch (key) {
	case GDK_KEY_Up: go(self, -1); return TRUE;
	case GDK_KEY_Down: go(self, 1); return TRUE;
	case GDK_KEY_Page_Up: go(self, -PAGE); return TRUE;
	case GDK_KEY_Page_Down: go(self, PAGE); return TRUE;
	case GDK_KEY_Tab:
	case GDK_KEY_Return:
	case GDK_KEY_KP_Enter: choose(self); return TRUE;
	case GDK_KEY_Escape: gtk_popover_popdown(GTK_POPOVER(self)); return TRUE;
	default: return FALSE;
	}
}

void qs_completion_show(QsCompletion *self, char **list, const GdkRectangle *where)
{
	gtk_string_list_splice(self->strings, 0, g_list_model_get_n_items(G_LIST_MODEL(self->strings)), (const char *const *)list);
	gtk_single_selection_set_selected(self->selection, 0);
	selected(self);
	gtk_popover_set_pointing_to(GTK_POPOVER(self), where);
	gtk_popover_popup(GTK_POPOVER(self));
}

static void setup(GtkListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *label = gtk_label_new(NULL);

	(void)factory;
	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_widget_add_css_class(label, "monospace");
	gtk_list_item_set_child(item, label);
}

static void bind(GtkListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), gtk_string_object_get_string(gtk_list_item_get_item(item)));
}

static void qs_completion_init(QsCompletion *self)
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2), *scroll = gtk_scrolled_window_new();

	g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
	g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
	self->strings = gtk_string_list_new(NULL);
	self->selection = gtk_single_selection_new(G_LIST_MODEL(self->strings)); /* takes the list over */
	self->list = gtk_list_view_new(GTK_SELECTION_MODEL(self->selection), factory);
	gtk_list_view_set_single_click_activate(GTK_LIST_VIEW(self->list), TRUE);
	gtk_widget_set_focusable(self->list, FALSE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Completions", -1);
	g_signal_connect_object(self->list, "activate", G_CALLBACK(activated), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->selection, "notify::selected", G_CALLBACK(selected), self, G_CONNECT_SWAPPED);
	self->detail = gtk_label_new(NULL);
	gtk_label_set_xalign(GTK_LABEL(self->detail), 0);
	gtk_label_set_wrap(GTK_LABEL(self->detail), TRUE);
	gtk_label_set_max_width_chars(GTK_LABEL(self->detail), 50);
	gtk_widget_add_css_class(self->detail, "qs-completion-detail");
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroll), TRUE);
	gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scroll), 200);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), self->list);
	gtk_box_append(GTK_BOX(box), scroll);
	gtk_box_append(GTK_BOX(box), self->detail);
	gtk_popover_set_child(GTK_POPOVER(self), box);
	gtk_popover_set_autohide(GTK_POPOVER(self), FALSE);
	gtk_popover_set_has_arrow(GTK_POPOVER(self), FALSE);
	gtk_popover_set_position(GTK_POPOVER(self), GTK_POS_TOP);
	gtk_widget_set_halign(GTK_WIDGET(self), GTK_ALIGN_START);
	gtk_widget_add_css_class(GTK_WIDGET(self), "qs-completion");
}

static void qs_completion_class_init(QsCompletionClass *klass)
{
	signals[SIGNAL_CHOSEN] = g_signal_new("chosen", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
		1, G_TYPE_STRING);
}

GtkWidget *qs_completion_new(void)
{
	return g_object_new(QS_TYPE_COMPLETION, NULL);
}
