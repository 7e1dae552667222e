/* complete.c - what TAB offers
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "lua/script.h"

char **qs_script_complete(struct qs_script *s, const char *text, size_t *start)
{
	(void)s;
	*start = strlen(text);
	return calloc(1, sizeof(char *));
}

void qs_script_free_list(char **list)
{
	for (char **l = list; l && *l; l++)
		free(*l);
	free(list);
}
