/* check_lua_prompt.c - the prompt, what TAB offers, patterns against the library that they replace, the interface table
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <lauxlib.h>
#include <lualib.h>

#include "script_host.h"

static struct session session;
static struct script_host host;
static struct qs_script *script;

static void setup(void)
{
	char path[700];

	open_session(&session, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&host, session.t, NULL);
}

static void teardown(void)
{
	qs_script_destroy(script);
	free(host.out);
	close_session(&session);
}

/* ---- lines -------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *line, *output;
	bool incomplete;
	const char *error;
} lines[] = {
	{"1 + 1", "2\n", false, NULL},
	{"x = 5", "", false, NULL},
	{"x", "5\n", false, NULL},
	{"x, x * 2, nil", "5\t10\tnil\n", false, NULL},
	{"", "", false, NULL},
	{"-- nothing", "", false, NULL},
	{"print('a') print('b')", "a\nb\n", false, NULL},
	{"for i = 1, 2 do", "", true, NULL},
	{"for i = 1, 2 do\nprint(i)\nend", "1\n2\n", false, NULL},
	{"f(", "", true, NULL},
	{"[[text", "", true, NULL},
	{"x = = 1", "", false, "console:1: unexpected symbol near '='"},
	{"y.z", "", false, "console:1: attempt to index a nil value (global 'y')"},
	{"{1, 'a', {b = 2}}", "{1, \"a\", {b = 2}}\n", false, NULL},
	{"{[3] = 1, ['a b'] = 2}", "{[3] = 1, [\"a b\"] = 2}\n", false, NULL},
	{"{{{{{1}}}}}", "{{{{... 1 more}}}}\n", false, NULL},
	{"'text'", "text\n", false, NULL},
	{"{r = 1, g = 2, b = 3, a = 4}", "#01020304\n", false, NULL},
	{"qs.moment", "0\n", false, NULL},
	{"qs.seek('1/0') qs.regs.bp.GEN_MODE", "", false, "console:1: syntax error near <eof>"},
	{"qs.regs.cp.VCD_LO", "cp.VCD_LO = 0x00002200  position 1 (direct)  colour0 1 (direct)\n", false, NULL},
	{"qs.exit(1)", "", false, NULL},
	{"setmetatable({}, {__tostring = function() return 'mine' end})", "mine\n", false, NULL},
};

START_TEST(prompt)
{
	struct qs_error error;
	bool incomplete;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		bool good;

		if (strstr(lines[i].line, "VCD_LO"))
			ck_assert(qs_script_eval(script, "qs.seek('1/0')", NULL, &error));
		clear_notes(&host);
		good = qs_script_eval(script, lines[i].line, &incomplete, &error);
		ck_assert_msg(good == (!lines[i].incomplete && !lines[i].error), "%s: %s", lines[i].line, good ? "done" : error.text);
		ck_assert_msg(!strcmp(noted(&host), lines[i].output), "%s: %s", lines[i].line, noted(&host));
		ck_assert_msg(lines[i].error || incomplete == lines[i].incomplete, "%s: incomplete %d", lines[i].line, incomplete);
		if (lines[i].error && !strstr(lines[i].error, "syntax error"))
			ck_assert_msg(!strcmp(error.text, lines[i].error), "%s: %s", lines[i].line, error.text);
	}
}
END_TEST

/* ---- completion --------------------------------------------------------------------------------------------------------- */

/* All candidates with | between them; "*" stands for any more of them. */
static const struct {
	const char *text;
	size_t start;
	const char *candidates;
} words[] = {
	{"qs.se", 0, "qs.seek|qs.seek_pixel|qs.seek_write|qs.setup"},
	{"print(qs.see", 6, "qs.seek|qs.seek_pixel|qs.seek_write"},
	{"qs.on.f", 0, "qs.on.fragment|qs.on.frame"},
	{"qs.on.", 0, "qs.on.command|qs.on.copy|qs.on.done|qs.on.draw|*"},
	{"qs.plot.", 0, "qs.plot.heat|qs.plot.hist|qs.plot.line|qs.plot.scatter"},
	{"qs.overlay:", 0, "qs.overlay:clear|qs.overlay:line|qs.overlay:point|qs.overlay:rect|qs.overlay:text"},
	{"qs.regs.", 0, "qs.regs.bp|qs.regs.cp|qs.regs.pe|qs.regs.xf"},
	{"qs.regs.bp.GEN_MO", 0, "qs.regs.bp.GEN_MODE"},
	{"qs.regs.bp.gen_mo", 0, "qs.regs.bp.GEN_MODE"},
	{"x = qs.regs.bp.GEN_MODE.n", 4, "qs.regs.bp.GEN_MODE.ntex|qs.regs.bp.GEN_MODE.ncol|qs.regs.bp.GEN_MODE.ntev|*"},
	{"qs.regs.bp.GEN_MODE:", 0, "qs.regs.bp.GEN_MODE:fields|qs.regs.bp.GEN_MODE:info|qs.regs.bp.GEN_MODE:text|*"},
	{"qs.regs.bp.NONE.", 0, ""},
	{"wh", 0, "while"},
	{"pri", 0, "print"},
	{"q", 0, "qs"},
	{"string.g", 0, "string.gmatch|string.gsub"},
	{"mine.al", 0, "mine.alpha"},
	{"mine.alpha.be", 0, "mine.alpha.beta"},
	{"local t = mine.", 10, "mine.alpha|mine.other"},
	{"picture:", 0, "picture:get|picture:rgba|picture:row"},
	{"word:re", 0, "word:rep|word:reverse"},
	{"unknown:hist", 0, "unknown:history"},
	{"qs.on.write(\"bp.GEN_MO", 13, "bp.GEN_MODE"},
	{"qs.regs('bp.GEN_MODE.nt", 9, "bp.GEN_MODE.ntex|bp.GEN_MODE.ntev"},
	{"qs.on.fragment(\"verdict == la", 27, "late_z"},
	{"qs.on.fragment('z_o", 16, "z_old"},
	{"qs.image(\"d", 10, "depth"},
	{"qs.image 'co", 10, "color|copy|coverage"},
	{"qs.step('q", 9, "quad"},
	{"qs.model('", 10, "dolphin|hardware|pureikyubu"},
	{"qs.help('qs.pl", 9, "qs.plot.heat|qs.plot.hist|qs.plot.line|qs.plot.scatter"},
	{"qs.memory.array('po", 17, "position"},
	{"qs.on.fragment(function(f, x) print(f.z_", 36, "f.z_func|f.z_interpolated|f.z_new|f.z_old|f.z_passed|f.z_tested|f.z_texture|f.z_texture_bias|f.z_texture_type|f.z_texture_value|f.z_written"},
	{"qs.on.write('bp.*', function(event) event.o", 36, "event.old"},
	{"-- don't\nqs.se", 9, "qs.seek|qs.seek_pixel|qs.seek_write|qs.setup"},
	{"", 0, "*"},
	{"1 + ", 4, "*"},
	{"qs.nothing", 0, ""},
};

START_TEST(completion)
{
	struct qs_error error;

	ck_assert(qs_script_eval(script, "mine = {alpha = {beta = 1}, other = 2} picture = qs.image() word = 'w'", NULL, &error));
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t start, used = 0, length = strlen(words[i].candidates);
		char **list = qs_script_complete(script, words[i].text, &start), all[4000] = "";

		ck_assert_msg(start == words[i].start, "%s: starts at %zu", words[i].text, start);
		for (char **l = list; *l && used < 3000; l++)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", l > list ? "|" : "", *l);
		if (length && words[i].candidates[length - 1] == '*')
			ck_assert_msg(!strncmp(all, words[i].candidates, length - 1), "%s: %s", words[i].text, all);
		else
			ck_assert_msg(!strcmp(all, words[i].candidates), "%s: %s", words[i].text, all);
		qs_script_free_list(list);
	}
}
END_TEST

/* ---- patterns against the library --------------------------------------------------------------------------------------- */

static const char *const patterns[] = {
	"", "a", ".", "a*", "a+", "a-", "a?", "a-b", "^a", "a$", "^$", "^a*$", "()", "()a()", "(a*)b", "(a(b*))c", "%a+", "%d+", "[abc]+", "[^a]*",
	"[a-c]", "[]]", "[^]]", "[%a_]", "[a%-z]", "[a-]", "%bab", "%b()", "%f[%a]", "%f[%w]%w+", "(.)%1", "(a*)(b)%2%1", "%.", "%%", "[%]]", ".-b",
	"(a?)(a?)(a?)b", "^(.-)%s*$", "%S+", "[%d%s]", "(()b)", "a$b", "x$", "[.]", "%1", "(", ")", "(a", "a)", "[a", "[a%", "%", "%f", "%fa", "%b",
	"%ba", "((((((((((((((((((((((((((((((((()", "%9", "[a-", "a**", "^*", "$", "%z", "[[:alpha:]]", "(a)(b)(c)", "[%z]", "()()()"};
static const char *const templates[] = {"", "x", "<%0>", "%1", "%1%1", "%%", "%2", "%", "%a", "a%0b%1", "%9"};

/* find, match, gsub with texts and functions, gmatch: everything they return, or the message. */
static const char probe[] =
	"local s, p, r, init = ...\n"
	"local out = {}\n"
	"local function add(...) for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))):gsub('^.-:%d+: ', '') end end\n"
	"add(pcall(string.find, s, p)) add(pcall(string.find, s, p, init)) add(pcall(string.find, s, p, init, true))\n"
	"add(pcall(string.match, s, p)) add(pcall(string.match, s, p, init))\n"
	"add(pcall(string.gsub, s, p, r)) add(pcall(string.gsub, s, p, r, 2)) add(pcall(string.gsub, s, p, {a = 1, b = 'B', [''] = 'e'}))\n"
	"add(pcall(string.gsub, s, p, function(...) local n = select('#', ...) if n > 1 then return n end return ... == 'a' and 'A' end))\n"
	"add(pcall(function() for a, b in s:gmatch(p) do add(a, b) if #out > 200 then error('many', 0) end end end))\n"
	"add(pcall(function() for a, b in s:gmatch(p, init) do add(a, b) if #out > 200 then error('many', 0) end end end))\n"
	"return table.concat(out, '|')";

static char *ask_library(lua_State *L, const char *s, const char *p, const char *r, int init)
{
	ck_assert(luaL_loadstring(L, probe) == LUA_OK);
	lua_pushstring(L, s);
	lua_pushstring(L, p);
	lua_pushstring(L, r);
	lua_pushinteger(L, init);
	ck_assert_msg(lua_pcall(L, 4, 1, 0) == LUA_OK, "%s", lua_tostring(L, -1));
	char *result = strdup(lua_tostring(L, -1));
	lua_pop(L, 1);
	return result;
}

static void quote(char *out, size_t size, const char *text)
{
	size_t n = 0;

	out[n++] = '"';
	for (; *text && n + 5 < size; text++)
		n += (size_t)snprintf(out + n, size - n, "\\%03d", (unsigned char)*text);
	snprintf(out + n, size - n, "\"");
}

static void compare_patterns(lua_State *L, const char *s, const char *p, const char *r, int init)
{
	char call[4000], a[400], b[400], c[400];
	struct qs_error error;
	char *expected = ask_library(L, s, p, r, init);

	quote(a, sizeof a, s);
	quote(b, sizeof b, p);
	quote(c, sizeof c, r);
	snprintf(call, sizeof call, "print((function(...) %s end)(%s, %s, %s, %d))", probe, a, b, c, init);
	clear_notes(&host);
	if (!qs_script_eval(script, call, NULL, &error))
		ck_abort_msg("'%s' in '%s': %s", p, s, error.text);
	size_t length = strlen(expected);
	if (strncmp(noted(&host), expected, length) || strcmp(noted(&host) + length, "\n"))
		ck_abort_msg("pattern '%s' in '%s', '%s', from %d (seed %" PRIu64 "):\n%s\n%s", p, s, r, init, session.random.seed, noted(&host),
			expected);
	free(expected);
}

static void random_text(char *text, size_t most, const char *letters)
{
	size_t n = below(&session, (uint32_t)most);

	for (size_t i = 0; i < n; i++)
		text[i] = letters[below(&session, (uint32_t)strlen(letters))];
	text[n] = 0;
}

START_TEST(patterns_as_library)
{
	static const char *const texts[] = {"", "a", "abc", "aabbab cab", "hello world", "(a(b)c)", "x = 12, y=3", "a]b-c%d.", "\n\t a_B9"};
	lua_State *L = luaL_newstate();

	luaL_openlibs(L);
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			compare_patterns(L, texts[k], patterns[i], templates[(i + k) % (sizeof templates / sizeof *templates)],
				(int)((i * 7 + k) % 9) - 4);
	for (int i = 0; i < 4000; i++) {
		char s[24], p[12], r[8];

		random_text(s, sizeof s - 1, "aabbc(]%1 .");
		random_text(p, sizeof p - 1, "ab.%%()[]^$*+-?1afbdw");
		random_text(r, sizeof r - 1, "x%012");
		compare_patterns(L, s, p, r, (int)below(&session, 20) - 10);
	}
	lua_close(L);
}
END_TEST

/* ---- the interface ------------------------------------------------------------------------------------------------------- */

/* Everything has help, an example that compiles, and is really there. */
START_TEST(interface)
{
	struct qs_error error;

	ck_assert_uint_gt(qs_api_count(), 60);
	ck_assert_ptr_null(qs_api_at(qs_api_count()));
	for (size_t i = 0; i < qs_api_count(); i++) {
		const struct qs_api *api = qs_api_at(i);
		char line[600];

		ck_assert_msg(*api->text && api->text[strlen(api->text) - 1] == '.', "%s: no sentence", api->name);
		ck_assert_msg(!strncmp(api->signature, api->name, strlen(api->name)) || !strncmp(api->name, "qs.regs", 7), "%s: %s", api->name,
			api->signature);
		snprintf(line, sizeof line, "assert(load(%s))", "...");
		ck_assert_msg(strlen(api->example) < 300, "%s", api->name);
		snprintf(line, sizeof line, "qs.help('%s')", api->name);
		clear_notes(&host);
		ck_assert_msg(qs_script_eval(script, line, NULL, &error), "%s: %s", line, error.text);
		ck_assert(strstr(noted(&host), api->example) != NULL);
		if (!strncmp(api->name, "qs.", 3) && !strchr(api->name, ':')) {
			snprintf(line, sizeof line, "assert(%s ~= nil)", api->name);
			ck_assert_msg(qs_script_eval(script, line, NULL, &error), "%s: %s", line, error.text);
		}
	}
	clear_notes(&host);
	ck_assert(qs_script_eval(script, "qs.help()", NULL, &error));
	ck_assert(strstr(noted(&host), "qs.on.quad") != NULL);
}
END_TEST

/* The examples run: on a moment where there is something to see. */
START_TEST(examples)
{
	for (size_t i = 0; i < qs_api_count(); i++) {
		const struct qs_api *api = qs_api_at(i);
		struct qs_error error;
		char *whole = malloc(strlen(api->example) + 100);

		sprintf(whole, "qs.seek('1/0/0/3') %s", api->example);
		ck_assert_msg(qs_script_run_text(script, whole, "=example", &error), "%s: %s", api->example, error.text);
		free(whole);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lua prompt");
	TCase *tcase = tcase_create("lua prompt");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, prompt);
	tcase_add_test(tcase, completion);
	tcase_add_test(tcase, patterns_as_library);
	tcase_add_test(tcase, interface);
	tcase_add_test(tcase, examples);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
