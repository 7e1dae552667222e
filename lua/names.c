/* names.c - the nearest name to a misspelt one
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lua/script.h"

#define LONGEST 40

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, without regard to case. */
static unsigned distance(const char *a, const char *b)
{
	unsigned table[3][LONGEST + 1];
	size_t m = strlen(a), n = strlen(b);

	if (m > LONGEST || n > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= n; j++)
		table[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned *row = table[i % 3], *up = table[(i + 2) % 3], *up2 = table[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);

			row[j] = least(up[j] + 1, row[j - 1] + 1, up[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]))
				row[j] = least(row[j], up2[j - 2] + 1, LONGEST);
		}
	}
	return table[m % 3][n];
}

void nearest_begin(struct nearest *n, const char *word)
{
	*n = (struct nearest){.word = word, .distance = (unsigned)(strlen(word) / 3 + 2)};
}

void nearest_offer(struct nearest *n, const char *name)
{
	unsigned d = strlen(name) < sizeof n->best ? distance(n->word, name) : LONGEST;

	if (d < n->distance) {
		n->distance = d;
		strcpy(n->best, name);
	}
}

void nearest_offer_to(void *user, const char *name)
{
	nearest_offer(user, name);
}

const char *nearest_hint(const struct nearest *n, char *buffer, size_t size)
{
	if (*n->best)
		snprintf(buffer, size, "; did you mean '%s'?", n->best);
	else
		snprintf(buffer, size, "%s", "");
	return buffer;
}
