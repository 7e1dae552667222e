/* qs-settings.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-settings.h"
#include <stdlib.h>

/* Uninstalled programs run as BUILD/inspector/quadscope or BUILD/inspector/.libs/quadscope; the compiled schema is in
 * BUILD/data. */
static GSettingsSchemaSource *build_tree_source(void)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;

	for (guint up = 0; folder && up < 2; up++) {
		g_autofree char *data = g_build_filename(folder, "..", "data", NULL);
		g_autofree char *compiled = g_build_filename(data, "gschemas.compiled", NULL);
		char *parent;

		if (g_file_test(compiled, G_FILE_TEST_EXISTS))
			return g_settings_schema_source_new_from_directory(data, g_settings_schema_source_get_default(), TRUE, NULL);
		parent = g_path_get_dirname(folder);
		g_free(folder);
		folder = parent;
	}
	return NULL;
}

GSettings *qs_settings(void)
{
	static GSettings *settings;
	g_autoptr(GSettingsSchemaSource) own = NULL;
	g_autoptr(GSettingsSchema) schema = NULL;
	GSettingsSchemaSource *source;

	if (settings)
		return settings;
	own = build_tree_source();
	source = own ? own : g_settings_schema_source_get_default();
	schema = source ? g_settings_schema_source_lookup(source, QS_APPLICATION_ID, TRUE) : NULL;
	if (!schema) {
		g_printerr("quadscope: the settings schema " QS_APPLICATION_ID " is not installed: run make install, or "
			"glib-compile-schemas on the folder share/glib-2.0/schemas of the prefix\n");
		exit(2);
	}
	settings = g_settings_new_full(schema, NULL, NULL);
	return settings;
}
