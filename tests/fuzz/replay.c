/* replay.c - runs a fuzz target without libFuzzer: every file named (or in a folder named), then random inputs
 *
 * Usage: replay_TARGET [-n COUNT] [FILE|FOLDER]...   Default 300 random inputs; the seed is QS_SEED.  Without a file or
 * folder the target's corpus, tests/fuzz/corpus/TARGET of the source folder QS_SRCDIR, is run where there is one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(1 << 20);
	if (!file || !data) {
		fprintf(stderr, "%s: cannot be read\n", path);
		free(data);
		if (file)
			fclose(file);
		return false;
	}
	size_t size = fread(data, 1, 1 << 20, file);
	fclose(file);
	printf("%s: %zu bytes\n", path, size);
	fflush(stdout); /* the last line names the culprit */
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return true;
}

static bool run_path(const char *path)
{
	DIR *folder = opendir(path);
	bool ok = true;
	if (!folder)
		return run_file(path);
	for (struct dirent *entry; (entry = readdir(folder));) {
		char name[4096];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		ok = run_file(name) && ok;
	}
	closedir(folder);
	return ok;
}

static bool run_corpus(const char *program)
{
	const char *source = getenv("QS_SRCDIR"), *slash = strrchr(program, '/'), *target = strstr(slash ? slash : program, "replay_");
	char path[4096];
	DIR *folder;

	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source ? source : ".", target ? target + strlen("replay_") : "");
	folder = opendir(path);
	if (!folder)
		return true;
	closedir(folder);
	return run_path(path);
}

int main(int argc, char **argv)
{
	struct oracle_random r = oracle_random_start();
	unsigned long count = 300;
	bool ok = true, named = false;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n") && i + 1 < argc) {
			count = strtoul(argv[++i], NULL, 0);
			continue;
		}
		named = true;
		ok = run_path(argv[i]) && ok;
	}
	if (!named)
		ok = run_corpus(argv[0]) && ok;
	printf("%lu random inputs, seed %llu\n", count, (unsigned long long)r.seed);
	fflush(stdout);
	for (unsigned long i = 0; i < count; i++) {
		static uint8_t data[512];
		size_t size = oracle_random_below(&r, sizeof data + 1);
		for (size_t k = 0; k < size; k++)
			data[k] = (uint8_t)oracle_random_next(&r);
		LLVMFuzzerTestOneInput(data, size);
	}
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
