/* pattern.c - find, match, gmatch and gsub that can be stopped
 *
 * The language is that of the Lua 5.4 manual, section 6.4.1.  The library's own matcher cannot be used: a short pattern over a
 * short text can keep it busy for years inside C, where no limit of time reaches.  This one looks at the limits every STEPS
 * characters it compares.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>

#include "lua/builder.h"

#define CAPTURES 32
#define DEPTH 200      /* of nested choices */
#define STEPS 16384    /* comparisons between looks at the clock */

enum { OPEN = -1, PLACE = -2 }; /* lengths of captures: not closed yet; a position */

struct match {
	lua_State *L;
	const char *text, *text_end, *pattern_end;
	unsigned captures, depth, steps;
	struct {
		const char *start;
		ptrdiff_t length;
	} capture[CAPTURES];
};

static void step(struct match *m)
{
	if (++m->steps >= STEPS) {
		m->steps = 0;
		script_poll(m->L);
	}
}

/* ---- single characters -------------------------------------------------------------------------------------------------- */

/* The end of the item at p: a character, %x, or [set]. */
static const char *item_end(const struct match *m, const char *p)
{
	if (*p == '%') {
		if (p + 1 == m->pattern_end)
			luaL_error(m->L, "malformed pattern (ends with '%%')");
		return p + 2;
	}
	if (*p != '[')
		return p + 1;
	p++;
	if (p < m->pattern_end && *p == '^')
		p++;
	do { /* a ']' that comes first stands for itself */
		if (p == m->pattern_end)
			luaL_error(m->L, "malformed pattern (missing ']')");
		if (*p++ == '%') {
			if (p == m->pattern_end)
				luaL_error(m->L, "malformed pattern (missing ']')");
			p++;
		}
	} while (p == m->pattern_end || *p != ']');
	return p + 1;
}

static bool in_class(int c, int class)
{
	bool in;

	switch (tolower(class)) {
	case 'a': in = isalpha(c); break;
	case 'c': in = iscntrl(c); break;
	case 'd': in = isdigit(c); break;
	case 'g': in = isgraph(c); break;
	case 'l': in = islower(c); break;
	case 'p': in = ispunct(c); break;
	case 's': in = isspace(c); break;
	case 'u': in = isupper(c); break;
	case 'w': in = isalnum(c); break;
	case 'x': in = isxdigit(c); break;
	case 'z': in = c == 0; break; /* old, but still there */
	default: return class == c;
	}
	return isupper(class) ? !in : in;
}

/* p is at '[', end behind the ']'. */
static bool in_set(int c, const char *p, const char *end)
{
	const char *last = end - 1;
	bool wanted = true;

	p++;
	if (*p == '^') {
		wanted = false;
		p++;
	}
	while (p < last) {
		unsigned char from = (unsigned char)*p;

		if (from == '%') {
			if (in_class(c, (unsigned char)p[1]))
				return wanted;
			p += 2;
		} else if (p[1] == '-' && p + 2 < last) {
			if (from <= c && c <= (unsigned char)p[2])
				return wanted;
			p += 3;
		} else {
			if (from == c)
				return wanted;
			p++;
		}
	}
	return !wanted;
}

static bool fits(struct match *m, const char *s, const char *p, const char *end)
{
	unsigned char c;

	step(m);
	if (s >= m->text_end)
		return false;
	c = (unsigned char)*s;
	switch (*p) {
	case '.': return true;
	case '%': return in_class(c, (unsigned char)p[1]);
	case '[': return in_set(c, p, end);
	default: return (unsigned char)*p == c;
	}
}

/* ---- items -------------------------------------------------------------------------------------------------------------- */

static const char *match(struct match *m, const char *s, const char *p);

/* As many as possible, then fewer until the rest fits. */
static const char *most(struct match *m, const char *s, const char *p, const char *end)
{
	ptrdiff_t n = 0;

	while (fits(m, s + n, p, end))
		n++;
	for (; n >= 0; n--) {
		const char *e = match(m, s + n, end + 1);
		if (e)
			return e;
	}
	return NULL;
}

static const char *fewest(struct match *m, const char *s, const char *p, const char *end)
{
	for (;; s++) {
		const char *e = match(m, s, end + 1);
		if (e)
			return e;
		if (!fits(m, s, p, end))
			return NULL;
	}
}

static const char *open_capture(struct match *m, const char *s, const char *p, ptrdiff_t length)
{
	const char *e;

	if (m->captures == CAPTURES)
		luaL_error(m->L, "too many captures");
	m->capture[m->captures].start = s;
	m->capture[m->captures++].length = length;
	e = match(m, s, p);
	if (!e)
		m->captures--;
	return e;
}

static const char *close_capture(struct match *m, const char *s, const char *p)
{
	unsigned i = m->captures;
	const char *e;

	while (i > 0 && m->capture[i - 1].length != OPEN)
		i--;
	if (!i)
		luaL_error(m->L, "invalid pattern capture");
	m->capture[i - 1].length = s - m->capture[i - 1].start;
	e = match(m, s, p);
	if (!e)
		m->capture[i - 1].length = OPEN;
	return e;
}

/* %bxy: p is at x. NULL: no balanced stretch. */
static const char *balance(struct match *m, const char *s, const char *p)
{
	unsigned depth = 0;

	if (m->pattern_end - p < 2)
		luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
	if (s >= m->text_end || *s != p[0])
		return NULL;
	for (; s < m->text_end; s++) {
		step(m);
		if (*s == p[1] && depth > 0) {
			if (--depth == 0)
				return s + 1;
		} else if (*s == p[0]) {
			depth++;
		}
	}
	return NULL;
}

/* %1: the text of a capture again. */
static const char *repeat(struct match *m, const char *s, unsigned char digit)
{
	int i = digit - '1';
	size_t length;

	if (i < 0 || (unsigned)i >= m->captures || m->capture[i].length == OPEN)
		luaL_error(m->L, "invalid capture index %%%d", i + 1);
	length = (size_t)m->capture[i].length;
	if (m->capture[i].length == PLACE)
		return NULL;
	if ((size_t)(m->text_end - s) < length || memcmp(s, m->capture[i].start, length) != 0)
		return NULL;
	m->steps += (unsigned)(length / 16);
	return s + length;
}

/* %f[set]: p is at '['. */
static bool frontier(struct match *m, const char *s, const char *p, const char *end)
{
	int before = s == m->text ? 0 : (unsigned char)s[-1], after = s == m->text_end ? 0 : (unsigned char)*s;

	return !in_set(before, p, end) && in_set(after, p, end);
}

/* One item of "%": b, f or a digit moves *s and *p; false: no match. Others are left to the caller. */
static bool special(struct match *m, const char **s, const char **p, bool *handled)
{
	const char *end;

	*handled = true;
	switch (m->pattern_end - *p > 1 ? (*p)[1] : 0) {
	case 'b':
		*s = balance(m, *s, *p + 2);
		*p += 4;
		return *s != NULL;
	case 'f':
		*p += 2;
		if (*p >= m->pattern_end || **p != '[')
			luaL_error(m->L, "missing '[' after '%%f' in pattern");
		end = item_end(m, *p);
		if (!frontier(m, *s, *p, end))
			return false;
		*p = end;
		return true;
	case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
		*s = repeat(m, *s, (unsigned char)(*p)[1]);
		*p += 2;
		return *s != NULL;
	default:
		*handled = false;
		return true;
	}
}

/* The end of the match of the pattern from p at s, or NULL.  Recursion only where there is a choice to take back. */
static const char *try_match(struct match *m, const char *s, const char *p)
{
	while (p < m->pattern_end) {
		const char *end, *e;
		bool handled = false;
		char suffix;

		step(m);
		if (*p == '(')
			return p + 1 < m->pattern_end && p[1] == ')' ? open_capture(m, s, p + 2, PLACE) : open_capture(m, s, p + 1, OPEN);
		if (*p == ')')
			return close_capture(m, s, p + 1);
		if (*p == '$' && p + 1 == m->pattern_end)
			return s == m->text_end ? s : NULL;
		if (*p == '%' && !special(m, &s, &p, &handled))
			return NULL;
		if (handled)
			continue;
		end = item_end(m, p);
		suffix = end < m->pattern_end ? *end : 0;
		if (suffix == '*')
			return most(m, s, p, end);
		if (suffix == '-')
			return fewest(m, s, p, end);
		if (suffix == '?') {
			e = fits(m, s, p, end) ? match(m, s + 1, end + 1) : NULL;
			if (e)
				return e;
			p = end + 1;
			continue;
		}
		if (!fits(m, s, p, end))
			return NULL;
		if (suffix == '+')
			return most(m, s + 1, p, end);
		s++;
		p = end;
	}
	return s;
}

static const char *match(struct match *m, const char *s, const char *p)
{
	const char *e;

	if (m->depth == DEPTH)
		luaL_error(m->L, "pattern too complex");
	m->depth++;
	e = try_match(m, s, p);
	m->depth--;
	return e;
}

/* ---- captures as values ------------------------------------------------------------------------------------------------- */

static void push_capture(const struct match *m, unsigned i, const char *s, const char *e)
{
	if (i >= m->captures) {
		if (i)
			luaL_error(m->L, "invalid capture index %%%d", (int)i + 1);
		lua_pushlstring(m->L, s, (size_t)(e - s));
	} else if (m->capture[i].length == PLACE) {
		lua_pushinteger(m->L, m->capture[i].start - m->text + 1);
	} else if (m->capture[i].length == OPEN) {
		luaL_error(m->L, "unfinished capture");
	} else {
		lua_pushlstring(m->L, m->capture[i].start, (size_t)m->capture[i].length);
	}
}

/* All captures, or the whole match when there are none and whole is wanted. */
static int push_captures(const struct match *m, const char *s, const char *e, bool whole)
{
	unsigned n = m->captures ? m->captures : whole;

	luaL_checkstack(m->L, (int)n, "too many captures");
	for (unsigned i = 0; i < n; i++)
		push_capture(m, i, s, e);
	return (int)n;
}

static void begin(struct match *m, lua_State *L, const char *text, size_t length, const char *pattern, size_t pattern_length)
{
	m->L = L;
	m->text = text;
	m->text_end = text + length;
	m->pattern_end = pattern + pattern_length;
	m->captures = m->depth = m->steps = 0;
}

static const char *restart(struct match *m, const char *s, const char *p)
{
	m->captures = 0;
	m->depth = 0;
	return match(m, s, p);
}

/* ---- the four functions ------------------------------------------------------------------------------------------------- */

/* Place of the first character, from 0; beyond the end: length + 1. */
static size_t first_place(lua_State *L, int arg, size_t length)
{
	lua_Integer i = luaL_optinteger(L, arg, 1);

	if (i > 0)
		return (lua_Unsigned)i > length + 1 ? length + 1 : (size_t)i - 1;
	if (i == 0 || -(lua_Unsigned)i > length)
		return 0;
	return length - (size_t)-(lua_Unsigned)i;
}

static bool is_plain(const char *pattern, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (pattern[i] && strchr("^$*+?.([%-", pattern[i]))
			return false;
	return true;
}

static int find_plain(lua_State *L, const char *s, size_t length, size_t from, const char *p, size_t p_length)
{
	const char *at = p_length ? memmem(s + from, length - from, p, p_length) : s + from;

	if (!at) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushinteger(L, at - s + 1);
	lua_pushinteger(L, at - s + (lua_Integer)p_length);
	return 2;
}

static int search(lua_State *L, bool find)
{
	size_t length, p_length, from;
	const char *s = luaL_checklstring(L, 1, &length), *p = luaL_checklstring(L, 2, &p_length), *at, *e;
	struct match m;
	bool anchored;

	from = first_place(L, 3, length);
	if (from > length) {
		lua_pushnil(L);
		return 1;
	}
	if (find && (lua_toboolean(L, 4) || is_plain(p, p_length)))
		return find_plain(L, s, length, from, p, p_length);
	begin(&m, L, s, length, p, p_length);
	anchored = p_length && *p == '^';
	p += anchored;
	for (at = s + from; at <= m.text_end; at++) {
		e = restart(&m, at, p);
		if (e && find) {
			lua_pushinteger(L, at - s + 1);
			lua_pushinteger(L, e - s);
			return push_captures(&m, NULL, NULL, false) + 2;
		}
		if (e)
			return push_captures(&m, at, e, true);
		if (anchored)
			break;
	}
	lua_pushnil(L);
	return 1;
}

static int pattern_find(lua_State *L)
{
	return search(L, true);
}

static int pattern_match(lua_State *L)
{
	return search(L, false);
}

/* Upvalues: text, pattern, where to go on, where the last match ended (both from 0; -1: none). */
static int next_match(lua_State *L)
{
	size_t length, p_length;
	const char *s = lua_tolstring(L, lua_upvalueindex(1), &length), *p = lua_tolstring(L, lua_upvalueindex(2), &p_length);
	lua_Integer from = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
	struct match m;

	begin(&m, L, s, length, p, p_length);
	for (; from <= (lua_Integer)length; from++) {
		const char *e = restart(&m, s + from, p);

		if (!e || e - s == last)
			continue;
		lua_pushinteger(L, e - s);
		lua_copy(L, -1, lua_upvalueindex(3));
		lua_replace(L, lua_upvalueindex(4));
		return push_captures(&m, s + from, e, true);
	}
	return 0;
}

static int pattern_gmatch(lua_State *L)
{
	size_t length;

	luaL_checklstring(L, 1, &length);
	luaL_checkstring(L, 2);
	size_t from = first_place(L, 3, length);
	lua_settop(L, 2);
	lua_pushinteger(L, (lua_Integer)from);
	lua_pushinteger(L, -1);
	lua_pushcclosure(L, next_match, 4);
	return 1;
}

static void add_template(struct match *m, struct builder *b, const char *s, const char *e)
{
	size_t length;
	const char *r = lua_tolstring(m->L, 3, &length), *end = r + length;

	while (r < end) {
		const char *percent = memchr(r, '%', (size_t)(end - r));

		builder_add(m->L, b, r, (size_t)((percent ? percent : end) - r));
		if (!percent)
			return;
		r = percent + 1;
		if (r < end && *r == '%') {
			builder_add(m->L, b, r, 1);
		} else if (r < end && isdigit((unsigned char)*r)) {
			if (*r == '0')
				lua_pushlstring(m->L, s, (size_t)(e - s));
			else
				push_capture(m, (unsigned)(*r - '1'), s, e);
			builder_adds_value(m->L, b);
		} else {
			luaL_error(m->L, "invalid use of '%%' in replacement string");
		}
		r++;
	}
}

/* The replacement of one match; false: nothing is replaced. */
static bool add_replacement(struct match *m, struct builder *b, const char *s, const char *e)
{
	lua_State *L = m->L;

	switch (lua_type(L, 3)) {
	case LUA_TFUNCTION:
		lua_pushvalue(L, 3);
		lua_call(L, push_captures(m, s, e, true), 1);
		break;
	case LUA_TTABLE:
		push_capture(m, 0, s, e);
		lua_gettable(L, 3);
		break;
	default:
		add_template(m, b, s, e);
		return true;
	}
	if (!lua_toboolean(L, -1)) {
		lua_pop(L, 1);
		builder_add(L, b, s, (size_t)(e - s));
		return false;
	}
	if (!lua_isstring(L, -1))
		luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
	builder_adds_value(L, b);
	return true;
}

static int pattern_gsub(lua_State *L)
{
	size_t length, p_length;
	const char *s = luaL_checklstring(L, 1, &length), *p = luaL_checklstring(L, 2, &p_length), *at, *last = NULL;
	bool anchored = p_length && *p == '^', changed = false;
	lua_Integer n = 0, most_times = luaL_optinteger(L, 4, (lua_Integer)length + 1);
	int type = lua_type(L, 3);
	struct builder *b;
	struct match m;

	luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
		"string/function/table");
	lua_settop(L, 4);
	b = builder_push(L);
	begin(&m, L, s, length, p, p_length);
	p += anchored;
	for (at = s; n < most_times;) {
		const char *e = restart(&m, at, p);

		if (e && e != last) {
			n++;
			changed |= add_replacement(&m, b, at, e);
			at = last = e;
		} else if (at < m.text_end) {
			builder_add(L, b, at++, 1);
		} else {
			break;
		}
		if (anchored)
			break;
	}
	if (!changed) {
		lua_pushvalue(L, 1);
	} else {
		builder_add(L, b, at, (size_t)(m.text_end - at));
		builder_push_text(L, b);
	}
	lua_pushinteger(L, n);
	return 2;
}

void pattern_open(lua_State *L)
{
	static const luaL_Reg functions[] = {{"find", pattern_find}, {"match", pattern_match}, {"gmatch", pattern_gmatch},
		{"gsub", pattern_gsub}, {NULL, NULL}};

	luaL_setfuncs(L, functions, 0);
}
