/* qs-application.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"
#include "qs-application.h"
#include "qs-settings.h"
#include "qs-window-private.h"

struct _QsApplication {
	GtkApplication parent_instance;
};

G_DEFINE_FINAL_TYPE(QsApplication, qs_application, GTK_TYPE_APPLICATION)

static void about(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	(void)action;
	(void)parameter;
	gtk_show_about_dialog(gtk_application_get_active_window(user), "program-name", "Quadscope", "version", PACKAGE_VERSION,
		"logo-icon-name", QS_APPLICATION_ID, "license-type", GTK_LICENSE_GPL_2_0, "comments",
		"A hardware debugger for graphics pipelines that run in software", NULL);
}

static void quit(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	(void)action;
	(void)parameter;
	for (GList *list = g_list_copy(gtk_application_get_windows(user)), *link = list; link; link = link->next) {
		gtk_window_close(link->data);
		if (!link->next)
			g_list_free(list);
	}
}

static void qs_application_startup(GApplication *application)
{
	static const GActionEntry actions[] = {{.name = "about", .activate = about}, {.name = "quit", .activate = quit}};
	g_autoptr(GtkCssProvider) css = NULL;

	G_APPLICATION_CLASS(qs_application_parent_class)->startup(application);
	g_action_map_add_action_entries(G_ACTION_MAP(application), actions, G_N_ELEMENTS(actions), application);
	css = gtk_css_provider_new();
	gtk_css_provider_load_from_resource(css, QS_RESOURCE "style.css");
	gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(css),
		GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
	qs_keys_set_accelerators(GTK_APPLICATION(application));
}

static QsWindow *free_window(GApplication *application)
{
	for (GList *link = gtk_application_get_windows(GTK_APPLICATION(application)); link; link = link->next)
		if (QS_IS_WINDOW(link->data) && !qs_session_get_capture(qs_window_get_session(link->data)))
			return link->data;
	return qs_window_new(GTK_APPLICATION(application));
}

static void qs_application_activate(GApplication *application)
{
	gtk_window_present(GTK_WINDOW(free_window(application)));
}

static int qs_application_command_line(GApplication *application, GApplicationCommandLine *line)
{
	GVariantDict *options = g_application_command_line_get_options_dict(line);
	g_autofree const char **files = NULL; /* the names belong to the dict */
	const char *at = NULL;

	g_variant_dict_lookup(options, "at", "&s", &at);
	g_variant_dict_lookup(options, G_OPTION_REMAINING, "^a&ay", &files);
	if (files && files[0] && files[1]) {
		g_application_command_line_printerr(line, "quadscope: one capture at a time, please\n");
		return 2;
	}
	if (files && files[0]) {
		g_autoptr(GFile) file = g_application_command_line_create_file_for_arg(line, files[0]);
		g_autofree char *path = g_file_get_path(file);
		QsWindow *window = free_window(application);

		gtk_window_present(GTK_WINDOW(window));
		if (path)
			qs_window_open(window, path, at);
		return 0;
	}
	if (at) {
		g_application_command_line_printerr(line, "quadscope: --at MOMENT needs a capture\n");
		return 2;
	}
	g_application_activate(application);
	return 0;
}

static void qs_application_init(QsApplication *self)
{
	static const GOptionEntry options[] = {
		{"at", 'a', 0, G_OPTION_ARG_STRING, NULL, "Go to this moment, as in 2/57/0/13", "MOMENT"},
		{"version", 0, 0, G_OPTION_ARG_NONE, NULL, "Print the version and leave", NULL},
		{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, "[CAPTURE]"},
		{0},
	};

	g_application_add_main_option_entries(G_APPLICATION(self), options);
	g_application_set_option_context_summary(G_APPLICATION(self),
		"Looks into a recorded frame: every draw, primitive, quad, TEV stage and register.");
}

static int qs_application_local_options(GApplication *application, GVariantDict *options)
{
	(void)application;
	if (!g_variant_dict_contains(options, "version"))
		return -1;
	g_print("quadscope %s\n", PACKAGE_VERSION);
	return 0;
}

static void qs_application_class_init(QsApplicationClass *klass)
{
	GApplicationClass *application_class = G_APPLICATION_CLASS(klass);

	application_class->startup = qs_application_startup;
	application_class->activate = qs_application_activate;
	application_class->command_line = qs_application_command_line;
	application_class->handle_local_options = qs_application_local_options;
}

QsApplication *qs_application_new(void)
{
	return g_object_new(QS_TYPE_APPLICATION, "application-id", QS_APPLICATION_ID, "flags",
		G_APPLICATION_HANDLES_COMMAND_LINE, NULL);
}
