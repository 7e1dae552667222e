/* engine.c - the life of a script: its Lua state, its limits, running and prompting
 *
 * Two limits hold everywhere, in hooks and under pcall too.  Memory: the allocator refuses.  Time and interruption: a count
 * hook looks every TICK instructions; once the script must end, it looks at every instruction, so that a pcall that catches
 * the error gets it again at once.  Finalizers and error handlers run without count hooks in Lua, which is why sandbox.c keeps
 * scripts from setting either directly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua/script.h"

#define TICK 10000         /* instructions between looks at the clock: about 0.1 ms */
#define FILE_LIMIT (16 << 20)
#define FRAMES 12          /* lines of a traceback */
#define PROGRESS_EVERY 0.05 /* seconds */

/* ---- limits ------------------------------------------------------------------------------------------------------------- */

double script_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Position of the innermost Lua function, "probe.lua:12: " or "". */
static void position(lua_State *L, char *text, size_t size)
{
	lua_Debug info;

	*text = 0;
	for (int level = 0; lua_getstack(L, level, &info); level++) {
		lua_getinfo(L, "Sl", &info);
		if (info.currentline > 0) {
			snprintf(text, size, "%s:%d: ", info.short_src, info.currentline);
			return;
		}
	}
}

static void *allocate(void *user, void *block, size_t old, size_t size)
{
	struct qs_script *s = user;
	void *grown;

	if (!block)
		old = 0; /* Lua gives the kind of the object */
	if (!size) {
		free(block);
		s->used -= old;
		return NULL;
	}
	if (size > old && s->used + s->external + (size - old) > s->limits.bytes) {
		if (s->L && !s->death)
			position(s->L, s->death_text, sizeof s->death_text);
		return NULL;
	}
	grown = realloc(block, size);
	if (grown)
		s->used += size - old;
	return grown || size > old ? grown : block;
}

void script_account(lua_State *L, size_t bytes)
{
	struct qs_script *s = script_of(L);

	/* the collector should work as if the bytes were Lua's, and it alone can run finalizers: out of memory it does not */
	if (s->used + s->external + bytes > s->limits.bytes - s->limits.bytes / 4)
		lua_gc(L, LUA_GCCOLLECT);
	else
		lua_gc(L, LUA_GCSTEP, (int)(bytes >> 10));
	s->external += bytes;
	if (s->used + s->external > s->limits.bytes)
		luaL_error(L, "The script needs more than %d MiB of memory.", (int)(s->limits.bytes >> 20));
}

static void tick(lua_State *L, lua_Debug *info);

void script_die(lua_State *L, enum script_death death, const char *text)
{
	struct qs_script *s = script_of(L);
	char where[128];

	if (!s->death) {
		s->death = death;
		position(L, where, sizeof where);
		snprintf(s->death_text, sizeof s->death_text, "%s%s", where, text);
	}
	lua_sethook(L, tick, LUA_MASKCOUNT, 1);
	lua_pushstring(L, s->death_text);
	lua_error(L);
}

static void interrupted(lua_State *L)
{
	script_die(L, DEATH_INTERRUPT, "The script was interrupted.");
}

static bool out_of_time(struct qs_script *s)
{
	double now;

	if (s->limits.seconds <= 0)
		return false;
	now = script_clock();
	if (!s->clock_valid) {
		s->clock_valid = true;
		s->clock_start = now;
	}
	return now - s->clock_start > s->limits.seconds;
}

void script_poll(lua_State *L)
{
	struct qs_script *s = script_of(L);
	char text[96];

	if (s->death)
		script_die(L, s->death, "");
	if (atomic_load(&s->interrupted) || !script_progress(s))
		interrupted(L);
	if (out_of_time(s)) {
		snprintf(text, sizeof text, "The script ran longer than its limit of %g seconds.", s->limits.seconds);
		script_die(L, DEATH_TIME, text);
	}
}

static void tick(lua_State *L, lua_Debug *info)
{
	(void)info;
	if (!script_of(L)->death && lua_gethookcount(L) != TICK)
		lua_sethook(L, tick, LUA_MASKCOUNT, TICK);
	script_poll(L);
}

bool script_progress(struct qs_script *s)
{
	struct timespec t;
	double now;

	if (atomic_load(&s->interrupted))
		return false;
	if (!s->host.progress)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	if (now < s->progress_next)
		return true;
	s->progress_next = now + PROGRESS_EVERY;
	if (!s->host.progress(s->host.user, s->fraction))
		atomic_store(&s->interrupted, true);
	return !atomic_load(&s->interrupted);
}

void script_check(lua_State *L)
{
	struct qs_script *s = script_of(L);

	if (s->death)
		script_die(L, s->death, "");
	if (atomic_load(&s->interrupted))
		interrupted(L);
}

void qs_script_interrupt(struct qs_script *s)
{
	atomic_store(&s->interrupted, true);
	qs_timeline_cancel(s->timeline);
}

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

int script_fail(lua_State *L, const struct qs_error *error)
{
	script_poll(L);
	luaL_error(L, "%s", error->text);
	abort(); /* luaL_error does not return */
}

void script_ground(lua_State *L, const char *what)
{
	script_poll(L); /* few instructions may take long here */
	if (script_of(L)->flying)
		luaL_error(L, "%s cannot be used in a write, primitive, quad, fragment, stage or copy hook, because the replay is under "
			"way there; keep what you need and use it in a draw or frame hook or in qs.on.done", what);
}

void script_still(lua_State *L, const char *what)
{
	if (script_of(L)->replaying)
		luaL_error(L, "%s cannot be used while a replay is under way", what);
}

static void push_message(lua_State *L)
{
	struct qs_script *s = script_of(L);

	if (s->death) {
		lua_pushstring(L, s->death_text); /* and no __tostring of the script */
	} else if (lua_type(L, 1) == LUA_TSTRING) {
		lua_pushvalue(L, 1);
	} else if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
		lua_pop(L, 1);
		luaL_tolstring(L, 1, NULL);
	} else {
		lua_pushfstring(L, "The script raised an error that is no text but a %s.", luaL_typename(L, 1));
	}
}

/* "message\n\tprobe.lua:12: in 'count'" for the callers; the position of the message itself is not repeated. */
int script_traceback(lua_State *L)
{
	char line[160];
	lua_Debug info;
	int frames = 0;

	push_message(L);
	for (int level = 0; frames < FRAMES && lua_getstack(L, level, &info); level++) {
		lua_getinfo(L, "Sln", &info);
		if (info.currentline <= 0)
			continue;
		snprintf(line, sizeof line, "%s:%d:", info.short_src, info.currentline);
		if (!frames && strncmp(lua_tostring(L, -1), line, strlen(line)) == 0)
			continue;
		lua_pushfstring(L, "\n\t%s in ", line);
		if (*info.what == 'm')
			lua_pushliteral(L, "the script");
		else if (info.name)
			lua_pushfstring(L, "'%s'", info.name);
		else
			lua_pushfstring(L, "the function of line %d", info.linedefined);
		lua_concat(L, 3);
		frames++;
	}
	return 1;
}

void script_print(struct qs_script *s, const char *text, bool is_error)
{
	if (s->host.print)
		s->host.print(s->host.user, text, is_error);
}

/* ---- the Lua state ------------------------------------------------------------------------------------------------------ */

static int open_all(lua_State *L)
{
	sandbox_open(L);
	api_open(L);
	return 0;
}

static void close_state(struct qs_script *s)
{
	hooks_clear(s);
	plot_clear(s);
	breaks_clear(s);
	overrides_clear(s);
	accesses_clear(s);
	if (s->L)
		lua_close(s->L);
	s->L = NULL;
}

static bool open_state(struct qs_script *s, struct qs_error *error)
{
	lua_State *L;

	close_state(s);
	L = lua_newstate(allocate, s);
	if (L) {
		*(struct qs_script **)lua_getextraspace(L) = s;
		lua_pushcfunction(L, open_all);
		if (lua_pcall(L, 0, 0, 0) == LUA_OK) {
			s->L = L;
			lua_sethook(L, tick, LUA_MASKCOUNT, TICK);
			return true;
		}
		qs_error_set(error, QS_ERR_SCRIPT, 0, "Lua cannot start: %s.", lua_tostring(L, -1));
		lua_close(L);
		return false;
	}
	qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a script.");
	return false;
}

struct qs_script *qs_script_create(struct qs_timeline *timeline, const struct qs_script_host *host,
	const struct qs_script_limits *limits, struct qs_error *error)
{
	static const struct qs_script_limits usual = {10, (size_t)256 << 20};
	struct qs_script *s = calloc(1, sizeof *s);

	if (!s) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a script.");
		return NULL;
	}
	s->timeline = timeline;
	s->capture = qs_timeline_capture(timeline);
	s->limits = limits ? *limits : usual;
	if (host)
		s->host = *host;
	if (!open_state(s, error)) {
		qs_script_destroy(s);
		return NULL;
	}
	return s;
}

void qs_script_destroy(struct qs_script *s)
{
	if (!s)
		return;
	s->host = (struct qs_script_host){0};
	close_state(s);
	free(s->hook);
	free(s->shape);
	free(s->breakpoint);
	free(s);
}

int qs_script_status(const struct qs_script *s)
{
	return s->status ? s->status : s->checks_failed ? 1 : 0;
}

/* ---- calls from the host ------------------------------------------------------------------------------------------------ */

struct job {
	const char *text, *name;
	size_t size;
	int argc;
	const char *const *argv;
	bool prompt;
	bool incomplete;
};

static bool enter(struct qs_script *s, struct qs_error *error)
{
	if (s->depth) {
		qs_error_set(error, QS_ERR_SCRIPT, 0, "A script is running already.");
		return false;
	}
	s->depth++;
	atomic_store(&s->interrupted, false);
	s->death = DEATH_NONE;
	*s->death_text = 0;
	s->clock_valid = s->flying = s->replaying = s->in_hook = s->replayed = false;
	s->fraction = s->progress_next = 0;
	return true;
}

/* What the call ended with: the error is on the stack when status is not LUA_OK. */
static bool leave(struct qs_script *s, int status, const struct qs_moment *before, struct qs_error *error)
{
	bool good = status == LUA_OK || s->death == DEATH_EXIT;

	if (!good && s->death)
		qs_error_set(error, s->death == DEATH_INTERRUPT ? QS_ERR_CANCELLED : QS_ERR_SCRIPT, 0, "%s", s->death_text);
	else if (!good && status == LUA_ERRMEM)
		qs_error_set(error, QS_ERR_SCRIPT, 0, "%sThe script needs more than %zu MiB of memory.", s->death_text,
			s->limits.bytes >> 20);
	else if (!good)
		qs_error_set(error, QS_ERR_SCRIPT, 0, "%s", lua_tostring(s->L, -1));
	lua_settop(s->L, 0);
	if (!good)
		lua_gc(s->L, LUA_GCCOLLECT);
	plot_flush(s);
	if (qs_moment_compare(before, qs_timeline_moment(s->timeline)) && s->host.moved)
		s->host.moved(s->host.user, qs_timeline_moment(s->timeline));
	s->depth--;
	return good;
}

static void push_arguments(lua_State *L, const struct job *job)
{
	lua_createtable(L, job->argc, 1);
	lua_pushstring(L, *job->name == '@' || *job->name == '=' ? job->name + 1 : job->name);
	lua_rawseti(L, -2, 0);
	for (int i = 0; i < job->argc; i++) {
		lua_pushstring(L, job->argv[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setglobal(L, "arg");
}

static int run_job(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);

	push_arguments(L, job);
	if (luaL_loadbufferx(L, job->text, job->size, job->name, "t") != LUA_OK)
		return lua_error(L);
	for (int i = 0; i < job->argc; i++)
		lua_pushstring(L, job->argv[i]);
	lua_call(L, job->argc, 0);
	if (!script_of(L)->replayed && hooks_any(script_of(L)))
		hooks_replay_all(L);
	return 0;
}

/* The text as an expression, else as statements. */
static int load_line(lua_State *L, struct job *job)
{
	const char *message;
	size_t length;

	lua_pushfstring(L, "return %s", job->text);
	if (luaL_loadbufferx(L, lua_tostring(L, -1), strlen(lua_tostring(L, -1)), job->name, "t") == LUA_OK)
		return LUA_OK;
	lua_settop(L, 1);
	if (luaL_loadbufferx(L, job->text, job->size, job->name, "t") == LUA_OK)
		return LUA_OK;
	message = lua_tolstring(L, -1, &length);
	job->incomplete = length >= 5 && strcmp(message + length - 5, "<eof>") == 0;
	return LUA_ERRSYNTAX;
}

static int eval_job(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	int first, last;

	if (load_line(L, job) != LUA_OK)
		return lua_error(L);
	first = lua_gettop(L);
	lua_call(L, 0, LUA_MULTRET);
	last = lua_gettop(L);
	if (last < first)
		return 0;
	luaL_checkstack(L, 8, NULL);
	lua_pushliteral(L, "");
	for (int i = first; i <= last; i++) {
		if (i > first)
			lua_pushliteral(L, "\t");
		plot_describe(L, i);
		lua_concat(L, i > first ? 3 : 2);
	}
	lua_pushliteral(L, "\n");
	lua_concat(L, 2);
	script_print(script_of(L), lua_tostring(L, -1), false);
	return 0;
}

static bool call(struct qs_script *s, lua_CFunction function, struct job *job, struct qs_error *error)
{
	struct qs_moment before = *qs_timeline_moment(s->timeline);
	int status;

	lua_settop(s->L, 0);
	lua_pushcfunction(s->L, script_traceback);
	lua_pushcfunction(s->L, function);
	lua_pushlightuserdata(s->L, job);
	status = lua_pcall(s->L, 1, 0, 1);
	return leave(s, status, &before, error);
}

static bool run_job_fresh(struct qs_script *s, struct job *job, struct qs_error *error)
{
	bool good;

	if (!enter(s, error))
		return false;
	s->status = s->checks_failed = 0;
	if (!open_state(s, error)) {
		s->depth--;
		return false;
	}
	good = call(s, run_job, job, error);
	if (!good) {
		hooks_off(s);
		if (s->death == DEATH_NONE || s->death == DEATH_TIME)
			s->status = 2;
	}
	return good;
}

bool qs_script_run_text(struct qs_script *s, const char *text, const char *name, struct qs_error *error)
{
	struct job job = {.text = text, .size = strlen(text), .name = name};

	return run_job_fresh(s, &job, error);
}

static char *read_file(const char *path, size_t *size, struct qs_error *error)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long length = -1;

	if (file && fseek(file, 0, SEEK_END) == 0)
		length = ftell(file);
	if (length < 0) {
		qs_error_set(error, QS_ERR_IO, 0, "Cannot read the script %s: %s.", path, strerror(errno));
	} else if (length > FILE_LIMIT) {
		qs_error_set(error, QS_ERR_SCRIPT, 0, "%s has more than %d MiB and is hardly a script.", path, FILE_LIMIT >> 20);
	} else if (!(text = malloc((size_t)length + 1))) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the script %s.", path);
	} else {
		rewind(file);
		*size = fread(text, 1, (size_t)length, file);
		text[*size] = 0;
	}
	if (file)
		fclose(file);
	return text;
}

bool qs_script_run_file(struct qs_script *s, const char *path, int argc, const char *const *argv, struct qs_error *error)
{
	struct job job = {.argc = argc, .argv = argv};
	char *text = read_file(path, &job.size, error), *name;
	bool good = false;

	name = text ? malloc(strlen(path) + 2) : NULL;
	if (name) {
		sprintf(name, "@%s", path);
		if (job.size > 1 && text[0] == '#' && text[1] == '!')
			memcpy(text, "--", 2);
		job.text = text;
		job.name = name;
		good = run_job_fresh(s, &job, error);
	}
	free(name);
	free(text);
	return good;
}

bool qs_script_eval(struct qs_script *s, const char *text, bool *incomplete, struct qs_error *error)
{
	struct job job = {.text = text, .size = strlen(text), .name = "=console"};
	bool good;

	if (incomplete)
		*incomplete = false;
	if (!s->L && !open_state(s, error)) /* the last run found no memory */
		return false;
	if (!enter(s, error))
		return false;
	good = call(s, eval_job, &job, error);
	if (incomplete)
		*incomplete = !good && job.incomplete;
	return good;
}
