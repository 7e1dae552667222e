/* script-probes.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "script-probes.h"
#include <string.h>

/* A program of the build tree shows the probes of its source tree, whatever is installed. */
static const char *probes_folder(void)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;

	for (guint up = 0; folder && up < 2; up++) {
		g_autofree char *built = g_build_filename(folder, "..", "data", "gschemas.compiled", NULL);
		char *parent = g_path_get_dirname(folder);

		if (g_file_test(built, G_FILE_TEST_EXISTS)) {
			g_free(parent);
			return QS_SOURCE_PROBES;
		}
		g_free(folder);
		folder = parent;
	}
	return QS_PROBES;
}

char *script_probes_find(const char *name)
{
	g_autofree char *path = g_build_filename(probes_folder(), name, NULL);

	return strchr(name, '/') || !g_file_test(path, G_FILE_TEST_IS_REGULAR) ? NULL : g_steal_pointer(&path);
}

/* "-- late-z.lua - how many quads fail": what follows the second dash. */
static char *summary(const char *path)
{
	g_autofree char *text = NULL;
	const char *dash;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	dash = strstr(text, " - ");
	return dash && g_utf8_validate(dash, -1, NULL) ? g_strdup(dash + 3) : NULL;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GMenuModel *script_probes_menu(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) folder = g_dir_open(probes_folder(), 0, NULL);
	GMenu *menu = g_menu_new();
	const char *name;

	while (folder && (name = g_dir_read_name(folder)))
		if (g_str_has_suffix(name, ".lua"))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, by_name);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = script_probes_find(g_ptr_array_index(names, i));
		g_autofree char *text = path ? summary(path) : NULL;
		g_autofree char *label = g_strdup_printf("%s: %s", (char *)g_ptr_array_index(names, i), text ? text : "");
		g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);

		g_menu_item_set_action_and_target(item, "script.probe", "s", path ? path : "");
		g_menu_append_item(menu, item);
	}
	if (!names->len)
		g_menu_append(menu, "No probes are installed", "script.nothing");
	return G_MENU_MODEL(menu);
}
