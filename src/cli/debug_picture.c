/* debug_picture.c - a buffer as PNG, or drawn in the terminal with half blocks
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/debug.h"

bool debug_buffer(const char *name, enum qs_buffer *buffer, struct qs_error *error)
{
	struct cli_nearest nearest;
	size_t length = strlen(name);
	unsigned found = 0;
	char hint[64];

	if (qs_buffer_parse(name, buffer))
		return true;
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < QS_BUFFER_COUNT; i++) {
		const char *other = qs_buffer_name((enum qs_buffer)i);

		cli_nearest_offer(&nearest, other);
		if (strncmp(other, name, length) == 0) {
			*buffer = (enum qs_buffer)i;
			found++;
		}
	}
	if (found == 1)
		return true;
	return debug_fail(error, "There is no buffer '%s' (color, alpha, depth, coverage, copy, xfb)%s", name,
		found ? "." : cli_nearest_hint(&nearest, hint, sizeof hint));
}

DEBUG_RUN(debug_image)
{
	struct qs_image image = {0};
	enum qs_buffer buffer;
	bool good;

	(void)rest;
	if (!word[0] || !word[1])
		return debug_fail(error, "'image' needs a buffer and a file, for example 'image depth z.png'.");
	if (!debug_buffer(word[0], &buffer, error))
		return false;
	good = qs_timeline_image(dbg->session.timeline, buffer, &image, error) && qs_image_write_png(&image, word[1], error);
	if (good)
		printf("%s: %ux%u\n", word[1], image.width, image.height);
	qs_image_finish(&image);
	return good;
}

/* ---- terminal ----------------------------------------------------------------------------------------------------------- */

enum depth { DEPTH_ASCII, DEPTH_256, DEPTH_TRUE };

static enum depth terminal_depth(void)
{
	const char *term = getenv("TERM"), *colorterm = getenv("COLORTERM");

	if (!cli_stdout_is_terminal() || !term || strcmp(term, "dumb") == 0)
		return DEPTH_ASCII;
	if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return DEPTH_TRUE;
	if (strstr(term, "direct"))
		return DEPTH_TRUE;
	return strstr(term, "256color") ? DEPTH_256 : DEPTH_ASCII;
}

static void terminal_size(unsigned *columns, unsigned *rows)
{
	struct winsize size;
	const char *text = getenv("COLUMNS");

	*columns = 80;
	*rows = 0; /* no limit */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		*columns = size.ws_col;
		*rows = size.ws_row;
	} else if (text && atoi(text) > 0) {
		*columns = (unsigned)atoi(text);
	}
}

/* Mean of the source pixels that fall into one cell: thin lines stay visible as a tint. */
static void cell_colour(const struct qs_image *image, unsigned width, unsigned height, unsigned x, unsigned y, uint8_t rgb[3])
{
	uint32_t x0 = (uint32_t)((uint64_t)x * image->width / width), x1 = (uint32_t)((uint64_t)(x + 1) * image->width / width);
	uint32_t y0 = (uint32_t)((uint64_t)y * image->height / height), y1 = (uint32_t)((uint64_t)(y + 1) * image->height / height);
	uint64_t sum[3] = {0}, count;

	x1 = MAX(x1, x0 + 1);
	y1 = MAX(y1, y0 + 1);
	count = (uint64_t)(x1 - x0) * (y1 - y0);
	for (uint32_t j = y0; j < y1; j++)
		for (uint32_t i = x0; i < x1; i++)
			for (unsigned c = 0; c < 3; c++)
				sum[c] += image->rgba[((size_t)j * image->width + i) * 4 + c];
	for (unsigned c = 0; c < 3; c++)
		rgb[c] = (uint8_t)((sum[c] + count / 2) / count);
}

/* The 6x6x6 cube of 256-colour terminals has its levels at 0 95 135 175 215 255. */
static unsigned cube_level(unsigned value)
{
	return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

static void set_colour(enum depth depth, unsigned ground, const uint8_t rgb[3], uint8_t last[3], bool *known)
{
	if (*known && memcmp(rgb, last, 3) == 0)
		return;
	*known = true;
	memcpy(last, rgb, 3);
	if (depth == DEPTH_TRUE)
		printf("\033[%u;2;%u;%u;%um", ground, rgb[0], rgb[1], rgb[2]);
	else
		printf("\033[%u;5;%um", ground, 16 + 36 * cube_level(rgb[0]) + 6 * cube_level(rgb[1]) + cube_level(rgb[2]));
}

static void draw_blocks(const struct qs_image *image, unsigned width, unsigned height, enum depth depth)
{
	for (unsigned y = 0; y + 1 < height; y += 2) {
		uint8_t last[2][3] = {{0}};
		bool known[2] = {false, false};

		for (unsigned x = 0; x < width; x++) {
			uint8_t upper[3], lower[3];

			cell_colour(image, width, height, x, y, upper);
			cell_colour(image, width, height, x, y + 1, lower);
			set_colour(depth, 38, upper, last[0], &known[0]);
			set_colour(depth, 48, lower, last[1], &known[1]);
			fputs("\xE2\x96\x80", stdout); /* upper half block */
		}
		fputs("\033[0m\n", stdout);
	}
}

static void draw_ascii(const struct qs_image *image, unsigned width, unsigned height)
{
	static const char ramp[] = " .:-=+*#%@";

	for (unsigned y = 0; y < height; y++) {
		char *line = g_malloc0((gsize)width + 1);

		for (unsigned x = 0; x < width; x++) {
			uint8_t rgb[3];

			cell_colour(image, width, height, x, y, rgb);
			line[x] = ramp[(2u * rgb[0] + 5u * rgb[1] + rgb[2]) * (sizeof ramp - 1) / (8 * 255 + 1)];
		}
		puts(g_strchomp(line));
		g_free(line);
	}
}

DEBUG_RUN(debug_picture)
{
	enum qs_buffer buffer = QS_BUFFER_COLOR;
	enum depth depth = terminal_depth();
	struct qs_image image = {0};
	unsigned columns, rows, width, height;

	(void)rest;
	if (word[0] && !debug_buffer(word[0], &buffer, error))
		return false;
	if (!qs_timeline_image(dbg->session.timeline, buffer, &image, error))
		return false;
	terminal_size(&columns, &rows);
	/* one line stays for the prompt; a cell is about twice as high as wide, so two pixels of a half block are square */
	width = MIN(columns, image.width);
	height = MAX(1, (unsigned)((uint64_t)width * image.height / image.width));
	if (rows > 4 && height > 2 * (rows - 2)) {
		height = 2 * (rows - 2);
		width = MAX(1, (unsigned)((uint64_t)height * image.width / image.height));
	}
	if (depth == DEPTH_ASCII)
		draw_ascii(&image, width, MAX(1, height / 2));
	else
		draw_blocks(&image, width, height + (height & 1), depth);
	qs_image_finish(&image);
	return true;
}
