/* corpus.h - the captures that tests run on: those shipped in data/captures, and QS_CORPUS (a folder with real/ and synthetic/)
 * when it is there.  A name that occurs twice is taken once.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CORPUS_H
#define TESTS_CORPUS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct corpus_file {
	char folder[512];
	char name[128]; /* without .dff */
	bool shipped;
	bool recorded; /* from a program on the console or an emulator, not made for one feature */
};

struct corpus {
	struct corpus_file *file;
	int count;
	bool outside; /* something beyond the shipped ones was found */
};

static inline bool corpus_has(const struct corpus *c, const char *name)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->file[i].name, name))
			return true;
	return false;
}

static inline int corpus_order(const void *a, const void *b)
{
	return strcmp(((const struct corpus_file *)a)->name, ((const struct corpus_file *)b)->name);
}

static inline void corpus_add(struct corpus *c, const char *folder, bool shipped, bool recorded)
{
	DIR *dir = opendir(folder);
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		size_t n = strlen(d->d_name);
		struct corpus_file f = {.shipped = shipped, .recorded = recorded};
		if (n < 5 || n - 4 >= sizeof f.name || strcmp(d->d_name + n - 4, ".dff"))
			continue;
		memcpy(f.name, d->d_name, n - 4);
		snprintf(f.folder, sizeof f.folder, "%s", folder);
		if (corpus_has(c, f.name))
			continue;
		c->file = realloc(c->file, (size_t)(c->count + 1) * sizeof *c->file);
		c->file[c->count++] = f;
		c->outside |= !shipped;
	}
	if (dir)
		closedir(dir);
}

static inline struct corpus corpus_find(bool shipped_only)
{
	const char *data = getenv("QS_DATA"), *outside = getenv("QS_CORPUS"), *source = getenv("QS_SRCDIR");
	struct corpus c = {0};
	char folder[512];

	snprintf(folder, sizeof folder, "%s/captures", data ? data : "data");
	corpus_add(&c, folder, true, false);
	if (!shipped_only) {
		char base[500];
		if (outside)
			snprintf(base, sizeof base, "%s", outside);
		else
			snprintf(base, sizeof base, "%s/../shared/captures", source ? source : ".");
		snprintf(folder, sizeof folder, "%.480s/real", base);
		corpus_add(&c, folder, false, true);
		snprintf(folder, sizeof folder, "%.480s/synthetic", base);
		corpus_add(&c, folder, false, false);
	}
	if (c.count)
		qsort(c.file, (size_t)c.count, sizeof *c.file, corpus_order);
	return c;
}

static inline char *corpus_path(const struct corpus_file *f, const char *suffix, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s/%s%s", f->folder, f->name, suffix);
	return buffer;
}

#endif
