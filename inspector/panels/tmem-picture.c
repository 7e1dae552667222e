/* tmem-picture.c - see the header
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "tmem-picture.h"

#define COLUMNS 256
#define ROWS 64 /* of a half */
#define SIDE 1  /* pixels of a line's square; the widget makes it taller */
#define GAP 2
#define WIDTH (COLUMNS * SIDE)
#define HEIGHT (2 * ROWS * SIDE + GAP)

/* Nobody's lines are grey by what they hold, a map's have its colour, its palette a lighter one; stale ones are red. */
static void colour_of(const struct qs_tmem_line *line, guint8 rgb[3])
{
	static const guint8 grey[] = {[QS_TMEM_EMPTY] = 28, [QS_TMEM_LOADED] = 96, [QS_TMEM_TLUT] = 128, [QS_TMEM_CACHED] = 72};
	static const guint8 map[8][3] = {{0x4e, 0x9a, 0xe8}, {0x5f, 0xc8, 0x6a}, {0xe8, 0xb0, 0x3c}, {0xb0, 0x7c, 0xe0}, {0x3c, 0xc8, 0xc8},
		{0xe0, 0x80, 0xb8}, {0xa8, 0xc8, 0x3c}, {0xd0, 0x98, 0x70}};

	if (line->state == QS_TMEM_STALE) {
		rgb[0] = 0xf0;
		rgb[1] = rgb[2] = 0x30;
		return;
	}
	for (guint i = 0; i < 3; i++)
		rgb[i] = line->map < 8 ? map[line->map][i] : grey[line->state];
	for (guint i = 0; i < 3 && line->map < 8 && line->level == QS_TMEM_PALETTE_LEVEL; i++)
		rgb[i] = (guint8)(rgb[i] + (255 - rgb[i]) / 2);
	for (guint i = 0; i < 3 && line->map < 8 && line->level < 16; i++) /* smaller levels are darker */
		rgb[i] = (guint8)(rgb[i] * (16 - line->level) / 16);
}

GdkTexture *qs_tmem_texture(const struct qs_tmem_line *lines)
{
	guint8 *pixels = g_malloc0(WIDTH * HEIGHT * 3);
	g_autoptr(GBytes) bytes = NULL;

	for (guint i = 0; i < QS_TMEM_LINES; i++) {
		guint column = i % COLUMNS, row = i / COLUMNS, top = row * SIDE + (row >= ROWS ? GAP : 0);
		guint8 rgb[3];

		colour_of(&lines[i], rgb);
		for (guint k = 0; k < SIDE * SIDE; k++)
			memcpy(pixels + ((top + k / SIDE) * WIDTH + column * SIDE + k % SIDE) * 3, rgb, 3);
	}
	bytes = g_bytes_new_take(pixels, WIDTH * HEIGHT * 3);
	return gdk_memory_texture_new(WIDTH, HEIGHT, GDK_MEMORY_R8G8B8, bytes, WIDTH * 3);
}

gboolean qs_tmem_line_at(double x, double y, guint *line)
{
	int px = (int)(x * WIDTH), py = (int)(y * HEIGHT);

	if (x < 0 || y < 0 || px >= WIDTH || py >= HEIGHT || (py >= ROWS * SIDE && py < ROWS * SIDE + GAP))
		return FALSE;
	if (py >= ROWS * SIDE)
		py -= GAP;
	*line = (guint)(py / SIDE * COLUMNS + px / SIDE);
	return TRUE;
}

char *qs_tmem_line_text(const struct qs_tmem_line *lines, guint line)
{
	const struct qs_tmem_line *l = &lines[line];
	GString *s = g_string_new(NULL);

	g_string_printf(s, "line %04x  TMEM 0x%05x\n", line, line * 32);
	switch (l->state) {
	case QS_TMEM_EMPTY:
		g_string_append(s, "never written");
		break;
	case QS_TMEM_LOADED:
		g_string_append(s, "loaded");
		break;
	case QS_TMEM_TLUT:
		g_string_append(s, "loaded as palette");
		break;
	default:
		g_string_append_printf(s, "cached from 0x%08x%s", l->address, l->state == QS_TMEM_STALE ? ", stale: memory has changed" : "");
		break;
	}
	if (l->map < 8 && l->level == QS_TMEM_PALETTE_LEVEL)
		g_string_append_printf(s, "\npalette of map %u", l->map);
	else if (l->map < 8)
		g_string_append_printf(s, "\nmap %u, level %u", l->map, l->level);
	return g_string_free(s, FALSE);
}

char *qs_tmem_summary(const struct qs_tmem_line *lines)
{
	guint state[QS_TMEM_STALE + 1] = {0};

	for (guint i = 0; i < QS_TMEM_LINES; i++)
		state[lines[i].state]++;
	return g_strdup_printf("above even levels, below odd levels and palettes\n%u lines cached, %u of them stale (red)\n%u loaded, %u of palettes", state[QS_TMEM_CACHED] + state[QS_TMEM_STALE],
		state[QS_TMEM_STALE], state[QS_TMEM_LOADED], state[QS_TMEM_TLUT]);
}
