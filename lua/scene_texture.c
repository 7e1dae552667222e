/* scene_texture.c - qs.encode: a picture as the tiles of a texture format (spec 05 section 4)
 *
 * Luminance is (77 r + 150 g + 29 b) / 256.  CMPR blocks take the lightest and the darkest colour as end points and for each
 * texel the nearest of the block's colours; texels of alpha below 128 make the block one with a transparent entry.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "lua/scene.h"

enum { I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA8, C4 = 8, C8, C14X2, CMPR = 14, FORMATS };

static const struct {
	uint8_t width, height, bytes;
} tile[FORMATS] = {
	[I4] = {8, 8, 32}, [I8] = {8, 4, 32}, [IA4] = {8, 4, 32}, [IA8] = {4, 4, 32}, [RGB565] = {4, 4, 32}, [RGB5A3] = {4, 4, 32},
	[RGBA8] = {4, 4, 64}, [C4] = {8, 8, 32}, [C8] = {8, 4, 32}, [C14X2] = {4, 4, 32}, [CMPR] = {8, 8, 32},
};

struct texel {
	uint8_t c[4];
	uint32_t index;
};

static unsigned check_format(lua_State *L, int arg)
{
	const char *name;
	struct nearest nearest;
	char hint[96];

	if (lua_isinteger(L, arg)) {
		lua_Integer n = lua_tointeger(L, arg);

		if (n < 0 || n >= FORMATS || !tile[n].bytes)
			luaL_error(L, "there is no texture format %I", n);
		return (unsigned)n;
	}
	name = luaL_checkstring(L, arg);
	nearest_begin(&nearest, name);
	for (unsigned i = 0; i < FORMATS; i++) {
		if (!tile[i].bytes)
			continue;
		if (strcmp(name, qs_texture_format_name(i)) == 0)
			return i;
		nearest_offer(&nearest, qs_texture_format_name(i));
	}
	luaL_error(L, "there is no texture format '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
	return 0;
}

/* ---- texels ------------------------------------------------------------------------------------------------------------- */

static uint8_t luminance(const uint8_t c[4])
{
	return (uint8_t)((c[0] * 77 + c[1] * 150 + c[2] * 29) >> 8);
}

static uint16_t rgb565(const uint8_t c[4])
{
	return (uint16_t)(c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3);
}

static uint16_t rgb5a3(const uint8_t c[4])
{
	if (c[3] >= 0xE0)
		return (uint16_t)(0x8000 | c[0] >> 3 << 10 | c[1] >> 3 << 5 | c[2] >> 3);
	return (uint16_t)(c[3] >> 5 << 12 | c[0] >> 4 << 8 | c[1] >> 4 << 4 | c[2] >> 4);
}

static uint16_t ia8(const uint8_t c[4])
{
	return (uint16_t)(c[3] << 8 | luminance(c));
}

static void set16(uint8_t *p, unsigned value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

/* ---- CMPR --------------------------------------------------------------------------------------------------------------- */

static void expand565(unsigned value, int c[3])
{
	c[0] = (int)(value >> 11) * 255 / 31;
	c[1] = (int)(value >> 5 & 63) * 255 / 63;
	c[2] = (int)(value & 31) * 255 / 31;
}

/* The colours that the end points give; returns how many. */
static int palette(unsigned c0, unsigned c1, int colour[4][3])
{
	expand565(c0, colour[0]);
	expand565(c1, colour[1]);
	for (int i = 0; i < 3; i++) {
		int a = colour[0][i], b = colour[1][i];

		colour[2][i] = c0 > c1 ? (5 * a + 3 * b) / 8 : (a + b) / 2;
		colour[3][i] = (3 * a + 5 * b) / 8;
	}
	return c0 > c1 ? 4 : 3;
}

static unsigned nearest_colour(const int colour[4][3], int count, const uint8_t c[4])
{
	int best = -1;
	unsigned found = 0;

	for (int k = 0; k < count; k++) {
		int d = 0;

		for (int i = 0; i < 3; i++)
			d += (colour[k][i] - c[i]) * (colour[k][i] - c[i]);
		if (best < 0 || d < best) {
			best = d;
			found = (unsigned)k;
		}
	}
	return found;
}

static void encode_block(const struct texel *const t[16], uint8_t *out)
{
	static const uint8_t black[4] = {0, 0, 0, 255};
	const uint8_t *light = NULL, *dark = NULL;
	bool hole = false;
	unsigned c0, c1, swap;
	uint32_t bits = 0;
	int colour[4][3], count;

	for (unsigned i = 0; i < 16; i++) {
		const uint8_t *c = t[i]->c;

		if (c[3] < 128) {
			hole = true;
			continue;
		}
		if (!light || luminance(c) > luminance(light))
			light = c;
		if (!dark || luminance(c) < luminance(dark))
			dark = c;
	}
	c0 = rgb565(light ? light : black);
	c1 = rgb565(dark ? dark : black);
	if (hole == (c0 > c1)) {
		swap = c0;
		c0 = c1;
		c1 = swap;
	}
	if (!hole && c0 == c1)
		c1 = c0 ? c0 - 1 : 0;
	count = palette(c0, c1, colour);
	for (unsigned i = 0; i < 16; i++)
		bits = bits << 2 | (hole && t[i]->c[3] < 128 ? 3 : nearest_colour(colour, count, t[i]->c));
	set16(out, c0);
	set16(out + 2, c1);
	set16(out + 4, bits >> 16);
	set16(out + 6, bits & 0xFFFF);
}

static void encode_cmpr(const struct texel *t, uint8_t *out)
{
	for (unsigned block = 0; block < 4; block++) {
		const struct texel *of[16];

		for (unsigned i = 0; i < 16; i++)
			of[i] = &t[(block / 2 * 4 + i / 4) * 8 + block % 2 * 4 + i % 4];
		encode_block(of, out + 8 * block);
	}
}

/* ---- tiles -------------------------------------------------------------------------------------------------------------- */

static void encode_tile(unsigned format, const struct texel *t, uint8_t *out)
{
	unsigned n = tile[format].width * tile[format].height;

	memset(out, 0, tile[format].bytes);
	for (unsigned i = 0; i < n && format != CMPR; i++) {
		const uint8_t *c = t[i].c;

		switch (format) {
		case I4: out[i / 2] |= (uint8_t)(luminance(c) >> 4 << (i & 1 ? 0 : 4)); break;
		case C4: out[i / 2] |= (uint8_t)((t[i].index & 15) << (i & 1 ? 0 : 4)); break;
		case I8: out[i] = luminance(c); break;
		case C8: out[i] = (uint8_t)t[i].index; break;
		case IA4: out[i] = (uint8_t)((c[3] & 0xF0) | luminance(c) >> 4); break;
		case IA8: set16(out + 2 * i, ia8(c)); break;
		case RGB565: set16(out + 2 * i, rgb565(c)); break;
		case RGB5A3: set16(out + 2 * i, rgb5a3(c)); break;
		case C14X2: set16(out + 2 * i, t[i].index & 0x3FFF); break;
		default:
			out[2 * i] = c[3];
			out[2 * i + 1] = c[0];
			out[32 + 2 * i] = c[1];
			out[32 + 2 * i + 1] = c[2];
			break;
		}
	}
	if (format == CMPR)
		encode_cmpr(t, out);
}

static uint8_t check_channel(lua_State *L, int at, int x, int y)
{
	lua_Number n = lua_tonumber(L, at);

	if (!lua_isnumber(L, at) || !(n >= 0 && n < 256))
		luaL_error(L, "texel %d, %d: channels are numbers from 0 to 255", x, y);
	return (uint8_t)n;
}

/* The function or picture at index 4 gives a texel: r, g, b[, a], or the number of a palette entry. */
static struct texel ask(lua_State *L, unsigned format, int x, int y)
{
	struct texel t = {{0, 0, 0, 255}, 0};
	int top = lua_gettop(L);

	if (lua_isfunction(L, 4)) {
		lua_pushvalue(L, 4);
	} else {
		lua_getfield(L, 4, "rgba");
		lua_pushvalue(L, 4);
	}
	lua_pushinteger(L, x);
	lua_pushinteger(L, y);
	lua_call(L, lua_isfunction(L, 4) ? 2 : 3, 4);
	if (format == C4 || format == C8 || format == C14X2) {
		if (!lua_isinteger(L, top + 1))
			luaL_error(L, "texel %d, %d: an index is a whole number", x, y);
		t.index = (uint32_t)lua_tointeger(L, top + 1);
	} else {
		for (int i = 0; i < 4; i++)
			if (i < 3 || !lua_isnil(L, top + 4))
				t.c[i] = check_channel(L, top + 1 + i, x, y);
	}
	lua_settop(L, top);
	return t;
}

/* format, width, height, image -> bytes */
int texture_encode(lua_State *L)
{
	unsigned format = check_format(L, 1);
	lua_Integer width = luaL_checkinteger(L, 2), height = luaL_checkinteger(L, 3);
	int tw = tile[format].width, th = tile[format].height, columns, rows;
	struct texel texel[64];
	uint8_t *out;

	luaL_argcheck(L, width >= 1 && width <= 1024, 2, "a texture is 1 to 1024 texels wide");
	luaL_argcheck(L, height >= 1 && height <= 1024, 3, "a texture is 1 to 1024 texels high");
	luaL_argexpected(L, lua_isfunction(L, 4) || lua_isuserdata(L, 4), 4, "function or image");
	lua_settop(L, 4);
	columns = ((int)width + tw - 1) / tw;
	rows = ((int)height + th - 1) / th;
	out = lua_newuserdatauv(L, (size_t)columns * (size_t)rows * tile[format].bytes, 0);
	for (int i = 0; i < rows * columns; i++) {
		for (int k = 0; k < tw * th; k++) {
			int x = i % columns * tw + k % tw, y = i / columns * th + k / tw;

			/* tiles that reach beyond the edge repeat it */
			texel[k] = ask(L, format, x < width ? x : (int)width - 1, y < height ? y : (int)height - 1);
		}
		encode_tile(format, texel, out + (size_t)i * tile[format].bytes);
	}
	lua_pushlstring(L, (const char *)out, (size_t)columns * (size_t)rows * tile[format].bytes);
	return 1;
}

/* format, {colour, ...} -> bytes of a palette */
int texture_palette(lua_State *L)
{
	static const char *const names[] = {"IA8", "RGB565", "RGB5A3", NULL};
	unsigned format = (unsigned)luaL_checkoption(L, 1, NULL, names);
	lua_Integer n;
	uint8_t *out;

	luaL_checktype(L, 2, LUA_TTABLE);
	n = luaL_len(L, 2);
	luaL_argcheck(L, n >= 1 && n <= 16384, 2, "a palette has 1 to 16384 entries");
	out = lua_newuserdatauv(L, 2 * (size_t)n, 0);
	for (lua_Integer i = 1; i <= n; i++) {
		uint8_t c[4] = {0, 0, 0, 255};

		if (lua_geti(L, 2, i) != LUA_TTABLE)
			return luaL_error(L, "entry %I of the palette is no colour {r, g, b, a}", i);
		for (int k = 0; k < 4; k++)
			if (lua_geti(L, 4, k + 1) != LUA_TNIL || k < 3)
				c[k] = check_channel(L, -1, (int)i, 0);
		lua_settop(L, 3);
		set16(out + 2 * (i - 1), format == 0 ? ia8(c) : format == 1 ? rgb565(c) : rgb5a3(c));
	}
	lua_pushlstring(L, (const char *)out, 2 * (size_t)n);
	return 1;
}
