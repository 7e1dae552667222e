/* complete.c - what TAB offers
 *
 * The text is looked at from its end: inside quotes names of registers, variables of filters or the choices of the function
 * that is called; else the parts of a name, first by what the interface has, then by what the script's own tables hold.
 * Nothing of the script is run: tables are read raw.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lua/script.h"

struct list {
	char **item;
	size_t count, room;
	const char *word;  /* what a candidate must begin with */
	const char *head;  /* what is put in front of an offered part ... */
	size_t head_length;
	const char *part;  /* ... which must begin with this */
	bool ordered;      /* registers and fields keep the order of the hardware */
};

static void add(struct list *l, const char *text, size_t length)
{
	if (l->count + 1 >= l->room) {
		size_t room = l->room ? 2 * l->room : 32;
		char **grown = realloc(l->item, room * sizeof *grown);

		if (!grown)
			return;
		l->item = grown;
		l->room = room;
	}
	l->item[l->count] = strndup(text, length);
	if (l->item[l->count])
		l->count++;
}

/* A part of a name: "GEN_MODE" after "qs.regs.bp." */
static void offer(void *user, const char *part)
{
	struct list *l = user;
	char whole[160];
	size_t length = strlen(part);

	if (strncasecmp(part, l->part, strlen(l->part)) != 0 || l->head_length + length >= sizeof whole)
		return;
	memcpy(whole, l->head, l->head_length);
	memcpy(whole + l->head_length, part, length);
	add(l, whole, l->head_length + length);
}

static void offer_all(struct list *l, const char *const *names)
{
	for (; *names; names++)
		offer(l, *names);
}

/* ---- registers and filters ---------------------------------------------------------------------------------------------- */

static void offer_units(struct list *l)
{
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		offer(l, qs_unit_name((enum qs_unit)u));
}

static void offer_registers(struct list *l, enum qs_unit unit)
{
	for (uint32_t i = 0; i < qs_register_count(unit); i++)
		offer(l, qs_register_at(unit, i)->name);
}

static void offer_fields(struct list *l, const struct qs_register *reg)
{
	for (unsigned i = 0; reg && i < reg->field_count; i++)
		offer(l, reg->fields[i].name);
	if (reg)
		offer(l, "raw");
}

/* The parts of text after its first `dots` dots are a register's: "bp", "bp.GEN_MODE". */
static void offer_register_part(struct list *l, const char *path, size_t length)
{
	char copy[96], *name;
	enum qs_unit unit;

	if (length >= sizeof copy)
		return;
	memcpy(copy, path, length);
	copy[length] = 0;
	name = strchr(copy, '.');
	if (name)
		*name++ = 0;
	if (!qs_unit_parse(copy, &unit))
		return;
	l->ordered = true;
	if (name)
		offer_fields(l, qs_register_by_name(unit, name));
	else
		offer_registers(l, unit);
}

/* ---- what the text says ------------------------------------------------------------------------------------------------- */

/* The quote that is open at the end, or NULL. */
static const char *open_quote(const char *text)
{
	const char *open = NULL;

	for (; *text; text++) {
		if (open) {
			if (*text == '\\' && text[1])
				text++;
			else if (*text == *open)
				open = NULL;
		} else if (*text == '"' || *text == '\'') {
			open = text;
		} else if (text[0] == '-' && text[1] == '-') {
			text += strcspn(text, "\n");
			if (!*text)
				break;
		}
	}
	return open;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Start of the chain of names that ends at end: "qs.regs.bp:te". */
static const char *chain_start(const char *text, const char *end)
{
	while (end > text && (is_name(end[-1]) || end[-1] == '.' || end[-1] == ':'))
		end--;
	return end;
}

/* The function whose argument begins at the quote: "qs.image(" or "qs.image". */
static size_t called_function(const char *text, const char *quote, const char **name)
{
	const char *end = quote;

	while (end > text && (end[-1] == ' ' || end[-1] == '('))
		end--;
	*name = chain_start(text, end);
	return (size_t)(end - *name);
}

static bool is_called(const char *name, size_t length, const char *function)
{
	return strlen(function) == length && memcmp(name, function, length) == 0;
}

static void complete_quote(struct list *l, const char *text, const char *quote)
{
	static const char *const levels[] = {"frame", "command", "draw", "primitive", "quad", "fragment", "stage", NULL};
	static const char *const spaces[] = {"main", "tmem", NULL};
	static const char *const attributes[] = {"position", "normal", "colour0", "colour1", "tex0", "tex1", "tex2", "tex3", "tex4",
		"tex5", "tex6", "tex7", NULL};
	const char *dot = strrchr(l->word, '.'), *name;
	size_t length = called_function(text, quote, &name);

	if (is_called(name, length, "qs.image")) {
		for (unsigned i = 0; i < QS_BUFFER_COUNT; i++)
			offer(l, qs_buffer_name((enum qs_buffer)i));
	} else if (is_called(name, length, "qs.model")) {
		for (unsigned i = 0; i < QS_MODEL_COUNT; i++)
			offer(l, qs_model_name((enum qs_model)i));
	} else if (is_called(name, length, "qs.pipeline") || is_called(name, length, "qs.gxpipeline")) {
		for (unsigned i = 0; i < QS_PIPELINE_COUNT; i++)
			offer(l, qs_pipeline_name((enum qs_pipeline)i));
	} else if (is_called(name, length, "qs.quirk")) {
		for (uint32_t i = 0; i < qs_quirk_count(); i++)
			offer(l, qs_quirk_at(i)->name);
	} else if (is_called(name, length, "qs.help")) {
		for (size_t i = 0; i < qs_api_count(); i++)
			offer(l, qs_api_at(i)->name);
	} else if (is_called(name, length, "qs.step")) {
		offer_all(l, levels);
	} else if (is_called(name, length, "qs.memory.read")) {
		offer_all(l, spaces);
	} else if (is_called(name, length, "qs.memory.array")) {
		offer_all(l, attributes);
	} else if (dot) {
		l->head = l->word;
		l->head_length = (size_t)(dot + 1 - l->word);
		l->part = dot + 1;
		offer_register_part(l, l->word, (size_t)(dot - l->word));
	} else {
		offer_units(l);
		for (unsigned i = 0; *l->word && i < QS_VAR_COUNT; i++)
			offer(l, qs_expr_variable_name((enum qs_expr_variable)i));
		for (unsigned i = 0; *l->word && i <= QS_VERDICT_PENDING; i++)
			offer(l, record_verdict(i));
	}
}

/* ---- names of the interface --------------------------------------------------------------------------------------------- */

/* Parts of names that begin with base and the separator, up to the next separator. */
static void offer_api(struct list *l, const char *base, size_t length, char separator)
{
	for (size_t i = 0; i < qs_api_count(); i++) {
		const char *name = qs_api_at(i)->name, *rest = name + length + 1;
		char part[64];
		size_t n;

		if (strncmp(name, base, length) != 0 || name[length] != separator)
			continue;
		n = strcspn(rest, ".:");
		if (n < sizeof part) {
			memcpy(part, rest, n);
			part[n] = 0;
			offer(l, part);
		}
	}
}

/* Methods of all classes. */
static void offer_methods(struct list *l)
{
	for (size_t i = 0; i < qs_api_count(); i++) {
		const char *name = qs_api_at(i)->name, *colon = strchr(name, ':');

		if (colon && strncmp(name, "qs.", 3) != 0)
			offer(l, colon + 1);
	}
}

/* "qs.on.fragment(function(f, x, y) ... f." : the fields of what the hook gets */
static bool offer_hook_fields(struct list *l, const char *text, const char *base, size_t length)
{
	const char *best = NULL;

	for (const char *p = text; (p = strstr(p, "function(")); p++)
		if (p < base && strncmp(p + 9, base, length) == 0 && !is_name(p[9 + length]))
			best = p;
	for (const char *p = best; p && p >= text; p--) {
		if (strncmp(p, "qs.on.", 6) != 0)
			continue;
		for (unsigned kind = 0; kind < HOOK_KINDS; kind++) {
			const char *name = record_kind_name((enum hook_kind)kind);

			if (strncmp(p + 6, name, strlen(name)) == 0 && !is_name(p[6 + strlen(name)])) {
				record_names((enum hook_kind)kind, offer, l);
				return true;
			}
		}
		return false;
	}
	return false;
}

/* ---- the script's own values -------------------------------------------------------------------------------------------- */

struct walk {
	struct list *list;
	const char *base;
	size_t length;
	bool method;
};

/* The string keys of the table on top. */
static void offer_keys(lua_State *L, struct list *l)
{
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
		if (lua_type(L, -2) == LUA_TSTRING)
			offer(l, lua_tostring(L, -2));
}

/* Protected: globals, the fields of a chain of tables, or the methods of what it ends with. */
static int walk_tables(lua_State *L)
{
	struct walk *w = lua_touserdata(L, 1);

	lua_pushglobaltable(L);
	for (const char *p = w->base, *end = w->base + w->length; p < end;) {
		const char *stop = p;

		while (stop < end && is_name(*stop))
			stop++;
		lua_pushlstring(L, p, (size_t)(stop - p));
		if (lua_rawget(L, -2) != LUA_TTABLE && stop != end)
			return 0;
		p = stop + 1;
	}
	if (!w->method && lua_istable(L, -1))
		offer_keys(L, w->list);
	else if (lua_type(L, -1) == LUA_TSTRING) {
		lua_getglobal(L, "string");
		if (lua_istable(L, -1))
			offer_keys(L, w->list);
	} else if (lua_getmetatable(L, -1)) {
		lua_pushliteral(L, "methods");
		if (lua_rawget(L, -2) == LUA_TTABLE)
			offer_keys(L, w->list);
	}
	return 0;
}

static void offer_values(struct list *l, struct qs_script *s, const char *base, size_t length, bool method)
{
	struct walk w = {l, base, length, method};

	if (!s->L || s->depth || !lua_checkstack(s->L, 4))
		return;
	lua_pushcfunction(s->L, walk_tables);
	lua_pushlightuserdata(s->L, &w);
	lua_pcall(s->L, 1, 0, 0);
	lua_settop(s->L, 0);
}

static void complete_name(struct list *l, struct qs_script *s, const char *text)
{
	static const char *const keywords[] = {"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
		"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", NULL};
	const char *base = l->word, *last = base + strlen(base);
	size_t length;

	while (last > base && is_name(last[-1]))
		last--;
	if (last == base) {
		if (*base) /* nothing typed: only what is one's own */
			offer_all(l, keywords);
		offer_values(l, s, base, 0, false);
		return;
	}
	length = (size_t)(last - 1 - base);
	l->head = base;
	l->head_length = (size_t)(last - base);
	l->part = last;
	if (length >= 8 && strncmp(base, "qs.regs.", 8) == 0 && last[-1] == '.') {
		offer_register_part(l, base + 8, length - 8);
		return;
	}
	if (length > 8 && strncmp(base, "qs.regs.", 8) == 0) {
		offer_api(l, "register", 8, ':');
		return;
	}
	if (length == 7 && strncmp(base, "qs.regs", 7) == 0) {
		offer_units(l);
		return;
	}
	offer_api(l, base, length, last[-1]);
	if (!l->count)
		offer_values(l, s, base, length, last[-1] == ':');
	if (!l->count && last[-1] == '.')
		offer_hook_fields(l, text, base, length);
	if (!l->count && last[-1] == ':')
		offer_methods(l);
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In order, each once. */
static void tidy(struct list *l)
{
	size_t n = l->ordered ? l->count : 0;

	if (!l->ordered && l->count)
		qsort(l->item, l->count, sizeof *l->item, compare);
	for (size_t i = 0; !l->ordered && i < l->count; i++) {
		if (n && strcmp(l->item[n - 1], l->item[i]) == 0)
			free(l->item[i]);
		else
			l->item[n++] = l->item[i];
	}
	l->count = n;
	if (l->item)
		l->item[n] = NULL;
}

char **qs_script_complete(struct qs_script *s, const char *text, size_t *start)
{
	const char *end = text + strlen(text), *quote = open_quote(text);
	const char *word = chain_start(quote ? quote + 1 : text, end);
	struct list l = {.word = word, .head = word, .part = word};

	*start = (size_t)(word - text);
	if (quote)
		complete_quote(&l, text, quote);
	else
		complete_name(&l, s, text);
	tidy(&l);
	return l.item ? l.item : calloc(1, sizeof(char *));
}

void qs_script_free_list(char **list)
{
	for (char **l = list; l && *l; l++)
		free(*l);
	free(list);
}
