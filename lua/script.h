/* script.h - inside of struct qs_script
 *
 *   engine.c       life, memory and time limits, run and eval       bind_regs.c    qs.regs
 *   sandbox.c      the standard library that scripts may use        bind_time.c    moments, seek, step, commands, models
 *   pattern.c      string patterns with a step limit                bind_state.c   snapshots, differences, lint, breakpoints
 *   api.c          registration from api.def, help                  bind_pixel.c   pixels, images, textures, memory
 *   record.c       records of the engine as Lua values              bind_memory.c  memory, vertex arrays
 *   event.c        the objects that hooks get                       bind_plot.c    plots, overlays, tables, checks
 *   hooks.c        qs.on                                            builder.c      growing texts, sorted keys, JSON
 *   replay.c       qs.replay: hooks while the capture runs          explain.c      one sentence about a pixel
 *   complete.c     what TAB offers                                  names.c        the nearest name
 *   scene*.c       qs.scene: captures that scripts build (scene.h)
 *
 * Of the engine only the public header is used.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LUA_SCRIPT_H
#define QS_LUA_SCRIPT_H

#include <lauxlib.h>
#include <lua.h>
#include <stdatomic.h>

#include "lua/engine.h"

/* ---- hooks ----------------------------------------------------------------------------------------------------------- */

enum hook_kind {
	HOOK_FRAME, HOOK_DRAW, HOOK_COMMAND,                                            /* the timeline stands at the event */
	HOOK_WRITE, HOOK_PRIMITIVE, HOOK_QUAD, HOOK_FRAGMENT, HOOK_STAGE, HOOK_COPY,    /* the replay is under way */
	HOOK_DONE,
	HOOK_KINDS
};

/* Which registers a write hook wants, with the bits that must change (0: every write). */
struct hook_write {
	uint16_t address;
	uint8_t unit;
	uint32_t mask;
};

struct hook {
	enum hook_kind kind;
	bool on;
	bool detail;             /* stages and edge values are wanted */
	int function;            /* reference in the registry */
	struct qs_expr *filter;  /* or NULL */
	struct hook_write *write; /* sorted by unit and address; NULL: all registers */
	size_t write_count;
};

/* What a hook is told: pointers to the records of the event, NULL when it is over. */
enum record_source {
	SOURCE_EVENT, SOURCE_MOMENT, SOURCE_COMMAND, SOURCE_SETUP, SOURCE_QUAD, SOURCE_FRAGMENT, SOURCE_STAGE, SOURCE_COPY,
	SOURCE_COUNT
};

struct event {
	enum hook_kind kind;
	bool alive;
	bool detail; /* quads come with stages and edge values */
	const void *source[SOURCE_COUNT];
	/* writes */
	enum qs_unit unit;
	uint32_t address, old, value;
};

/* ---- the script ------------------------------------------------------------------------------------------------------ */

enum script_death { DEATH_NONE, DEATH_TIME, DEATH_INTERRUPT, DEATH_EXIT };

struct shape {
	struct qs_overlay overlay;
	char *text;
};

struct qs_script {
	lua_State *L;
	struct qs_timeline *timeline;
	struct qs_capture *capture;
	struct qs_script_host host;
	struct qs_script_limits limits;

	size_t used;     /* bytes of the Lua state ... */
	size_t external; /* ... and of pictures it holds */

	/* one run, eval or hook */
	unsigned depth;    /* of calls from the host */
	atomic_bool interrupted;
	enum script_death death; /* the script is on its way out and cannot catch the error */
	char death_text[256];
	bool clock_valid;
	double clock_start;  /* processor time when the call in progress began */
	double progress_next;
	double fraction;     /* of the replay in progress, for the host */
	int status, checks_failed;

	/* hooks */
	struct hook **hook;
	size_t hook_count, hook_room;
	struct event event[HOOK_KINDS];
	int event_object[HOOK_KINDS]; /* references of the userdata that scripts see */
	bool replaying;  /* a replay is in progress */
	bool flying;     /* ... inside the engine: only state can be read */
	bool in_hook;
	bool replayed;   /* the script has replayed by itself */

	struct shape *shape;
	size_t shape_count, shape_room;
	bool overlay_changed;
	uint32_t *breakpoint; /* numbers of those that the script has made */
	size_t breakpoint_count, breakpoint_room;
	uint32_t access[64]; /* numbers of the accesses of the processor that it added */
	size_t access_count;
	uint32_t override[16]; /* numbers of the registers that it forces */
	size_t override_count;
};

static inline struct qs_script *script_of(lua_State *L)
{
	return *(struct qs_script **)lua_getextraspace(L);
}

static inline struct qs_timeline *timeline_of(lua_State *L)
{
	return script_of(L)->timeline;
}

/* Fields of the table on top. */
static inline void set_integer(lua_State *L, const char *name, lua_Integer value)
{
	lua_pushinteger(L, value);
	lua_setfield(L, -2, name);
}

static inline void set_number(lua_State *L, const char *name, double value)
{
	lua_pushnumber(L, value);
	lua_setfield(L, -2, name);
}

static inline void set_string(lua_State *L, const char *name, const char *value)
{
	lua_pushstring(L, value);
	lua_setfield(L, -2, name);
}

static inline void set_boolean(lua_State *L, const char *name, bool value)
{
	lua_pushboolean(L, value);
	lua_setfield(L, -2, name);
}

/* ---- engine.c -------------------------------------------------------------------------------------------------------- */

double script_clock(void); /* processor time of this thread in seconds */
/* Raises the error of the script's end when it must end. To be called after the engine was at work. */
void script_check(lua_State *L);
/* The same with a look at the clock: to be called now and then by what runs long. */
void script_poll(lua_State *L);
/* Raises an error from an engine's message. */
int script_fail(lua_State *L, const struct qs_error *error) __attribute__((noreturn));
/* Raises an error unless the timeline can move and be asked. */
void script_ground(lua_State *L, const char *what);
/* Raises an error inside of any replay. */
void script_still(lua_State *L, const char *what);
/* Adds to the memory in use outside of Lua, which must be freed by a finalizer; raises an error beyond the limit. */
void script_account(lua_State *L, size_t bytes);
void script_die(lua_State *L, enum script_death death, const char *text);
int script_traceback(lua_State *L); /* message handler */
void script_print(struct qs_script *s, const char *text, bool is_error);
/* Reports progress of a replay now and then; false: stop. */
bool script_progress(struct qs_script *s);

/* ---- sandbox.c, pattern.c -------------------------------------------------------------------------------------------- */

void sandbox_open(lua_State *L);
void pattern_open(lua_State *L); /* replaces functions of the table on top */

/* ---- api.c ----------------------------------------------------------------------------------------------------------- */

/* Makes the table qs and the classes. */
void api_open(lua_State *L);
/* A metatable with the methods of a class; on the stack. */
void api_class(lua_State *L, const char *name);
void api_set_class(lua_State *L, const char *name); /* of the value on top */

#define API(name, function, signature, text, example) int function(lua_State *L);
#define API_VALUE(name, signature, text, example)
#include "lua/api.def"
#undef API
#undef API_VALUE

/* ---- record.c, event.c ----------------------------------------------------------------------------------------------- */

void record_open(lua_State *L);
const char *record_kind_name(enum hook_kind kind);
/* Pushes the object that hooks of the kind get. */
void record_push_event(lua_State *L, enum hook_kind kind);
/* Fields of a class as a new table, or added to the one on top. */
void record_push_setup(lua_State *L, const struct qs_setup *setup);
void record_push_quad(lua_State *L, const struct qs_quad *quad, bool detail);
void record_push_vertex(lua_State *L, const struct qs_vertex *vertex);
void record_push_rgba(lua_State *L, const uint8_t rgba[4]);
void record_push_rect(lua_State *L, const struct qs_rect *rect);
void record_push_moment(lua_State *L, const struct qs_moment *moment); /* as text */
const char *record_verdict(unsigned verdict);
const char *record_compare(unsigned func);
/* Offers the field names of a hook object. */
void record_names(enum hook_kind kind, void (*offer)(void *user, const char *name), void *user);

/* ---- hooks.c, replay.c ----------------------------------------------------------------------------------------------- */

void hooks_clear(struct qs_script *s); /* the Lua state may be closed */
void hooks_off(struct qs_script *s);
bool hooks_any(const struct qs_script *s);
/* Replays with all hooks; a protected call's function: no arguments, pushes nothing. */
int hooks_replay_all(lua_State *L);

/* ---- bind_*.c -------------------------------------------------------------------------------------------------------- */

void regs_open(lua_State *L);   /* pushes qs.regs */
void time_open(lua_State *L);   /* pushes qs.capture */
void pixel_open(lua_State *L);
void pixel_push_image(lua_State *L, struct qs_image *image); /* takes the picture over */
void state_open(lua_State *L);
void builder_open(lua_State *L);
void time_push_command(lua_State *L, uint32_t command);
/* A moment from a text, or from numbers: frame, draw, primitive ... at arg and after. */
struct qs_moment time_check_moment(lua_State *L, int arg);
const char *time_kind_name(unsigned kind);
const char *time_primitive_name(unsigned opcode);
/* "bp.GEN_MODE", or "bp.0x77" for an address without a name. */
char *regs_name(enum qs_unit unit, uint32_t address, char *buffer, size_t size);
/* Raise an error with the nearest name. */
const struct qs_register *regs_check_name(lua_State *L, enum qs_unit unit, const char *name);
const struct qs_field *regs_check_field(lua_State *L, const struct qs_register *reg, const char *name);
void regs_push_field(lua_State *L, const struct qs_field *field, uint32_t value);
uint32_t regs_field_mask(const struct qs_field *field);
/* The bits of a field for an argument: a number (the nearest that the field can hold), a value's name or a boolean. */
uint32_t regs_check_near(lua_State *L, const struct qs_field *field, int arg);
/* Registers that match a pattern, added to the list; returns false after pushing a message. */
bool regs_match(lua_State *L, const char *pattern, struct hook_write **list, size_t *count);
void plot_flush(struct qs_script *s); /* gives changed overlays to the host */
void plot_clear(struct qs_script *s);
void breaks_clear(struct qs_script *s);
void overrides_clear(struct qs_script *s);
void accesses_clear(struct qs_script *s);
/* A value as a person wants to read it; pushes a string. */
void plot_describe(lua_State *L, int index);

/* ---- explain.c ------------------------------------------------------------------------------------------------------- */

/* What happened to one fragment: "late depth test failed: 0x7f3a10 < 0x3fffff is false". */
char *explain_row(const struct qs_history_row *row, char *buffer, size_t size);
/* Why the pixel looks as it does at the moment; rows: its history in the frame. */
void explain_pixel(const struct qs_script *s, int x, int y, const struct qs_history_row *rows, uint32_t count, char *buffer,
	size_t size);

/* ---- names.c --------------------------------------------------------------------------------------------------------- */

struct nearest {
	const char *word;
	char best[64];
	unsigned distance;
};
void nearest_begin(struct nearest *n, const char *word);
void nearest_offer(struct nearest *n, const char *name);
void nearest_offer_to(void *user, const char *name); /* for callbacks */
/* "; did you mean 'x'?" or "" */
const char *nearest_hint(const struct nearest *n, char *buffer, size_t size);

#endif
