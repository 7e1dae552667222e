/* timeline.h - inside of struct qs_timeline
 *
 *   snapshot.c    contents of a machine in shared pages           walk.c       geometry of a draw without shading
 *   checkpoint.c  which snapshots are kept                        query.c      setup, quads, vertices, pixel at the moment
 *   advance.c     moves the machine, forward only                 history.c    fragments of a pixel
 *   timeline.c    create, seek, registers, memory, hash           writes.c     changes of a register
 *   step.c        neighbours of a moment at every level           image.c      buffers as pictures
 *   replay.c      taps of the caller                              breakpoint.c breakpoints, run
 *   pipeline.c    who draws which frame
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_TIMELINE_H
#define TRACE_TIMELINE_H

#include "gx/machine.h"
#include "virgl/gx_virgl.h"

/* ---- positions ---------------------------------------------------------------------------------------------------------- */

/* Where a machine stands: what it does next.  Outside a draw: command.  Inside: the command's memory updates are applied,
 * primitive is assembled and `quad` quads of it are shaded. */
struct trace_position {
	uint32_t command, primitive, quad;
	bool inside;
};

int trace_position_compare(const struct trace_position *a, const struct trace_position *b);

/* ---- snapshots ---------------------------------------------------------------------------------------------------------- */

#define TRACE_PAGE 4096u
#define TRACE_CHUNK 64u /* pages */

enum trace_region { TRACE_STATE, TRACE_ENTRY, TRACE_EFB, TRACE_TMEM, TRACE_TAGS, TRACE_MEM1, TRACE_MEM2, TRACE_SAMPLES, TRACE_REGIONS };

struct trace_page {
	unsigned references;
	uint8_t bytes[TRACE_PAGE];
};

struct trace_chunk {
	unsigned references;
	struct trace_page *page[TRACE_CHUNK]; /* NULL: all zero */
};

/* Immutable; pages are shared between snapshots. */
struct trace_snapshot {
	unsigned references;
	uint32_t chunk_count[TRACE_REGIONS];
	struct trace_chunk **chunk[TRACE_REGIONS]; /* NULL: all zero */
	uint32_t tmem_generation, tmem_fills;      /* of the machine when its TMEM was like this last */
	uint32_t entry_command;                    /* draw that TRACE_ENTRY belongs to */
	struct gx_display *display;
};

struct trace_checkpoint {
	struct trace_position at;
	struct trace_snapshot *snapshot;
	double cost; /* milliseconds of replay from the checkpoint before */
};

/* ---- the geometry of a draw --------------------------------------------------------------------------------------------- */

struct trace_walk {
	uint32_t command;
	uint32_t primitives;
	uint32_t stages; /* of the combiner */
	uint32_t *first; /* of places, per primitive; primitives + 1 numbers */
	struct qs_quad_place *places;
	uint64_t used; /* for least recently used */
};

#define TRACE_WALKS 8

/* Which 8x8 tiles of the EFB a draw covers, one bit each. */
#define TRACE_TILES_X (GX_EFB_WIDTH / 8)
#define TRACE_TILES_Y (GX_EFB_HEIGHT / 8)
#define TRACE_TILE_BYTES (TRACE_TILES_X * TRACE_TILES_Y / 8)

/* Changes of registers in a frame. */
struct trace_write {
	uint32_t command;
	uint32_t old, value;
	uint16_t address;
	uint8_t unit;
};

struct trace_writes {
	bool known;
	uint32_t count, room;
	struct trace_write *write;
};

/* ---- the timeline ------------------------------------------------------------------------------------------------------- */

struct trace_breakpoints;
struct trace_gfx3d;

#define TRACE_ACCESSES 64u

/* Walks the quads of the current primitive beside the machine, to know what comes next without shading it. */
struct trace_scout {
	const struct gx_triangle *parts;
	unsigned part_count, part;
	struct gx_ras ras;
	uint32_t number; /* of the next quad */
	bool valid;
};

/* Whether lookups of a frame may read texture cache lines that differ from main memory. */
enum trace_cache_use { TRACE_CACHE_UNKNOWN, TRACE_CACHE_FRESH, TRACE_CACHE_STALE };

struct qs_timeline {
	struct qs_capture *capture;
	const struct qs_capture_info *info;
	struct gx_machine *m;      /* for a capture of Gfx3D calls one that stands still */
	struct trace_gfx3d *gfx3d; /* or NULL: the Flipper */
	enum qs_model model;
	struct qs_moment moment;
	uint32_t override_id[GX_FORCED], override_next; /* of the machine's forced registers */
	struct qs_access access[TRACE_ACCESSES];
	uint32_t access_id[TRACE_ACCESSES], access_next;
	unsigned access_count;
	volatile bool cancel;
	bool patient; /* cancel does not count now */

	/* the machine */
	struct trace_position at;
	bool lost;    /* the machine was left in the middle of something: only a checkpoint helps */
	bool cursor;  /* the draw iterators stand at `at` */
	bool partial; /* a quad beyond `at` was shaded in part; undo takes it back */
	bool away;    /* the machine is not at `moment`: a question took it elsewhere */
	struct gx_state *scratch; /* of trace_scratch_begin */
	struct gx_state entry; /* state when the draw entry_command began */
	uint32_t entry_command;
	struct trace_scout scout;
	struct { /* contents before the last single quad */
		bool valid;
		struct trace_position at;
		struct gx_state state;
		int x, y;
		struct gx_efb_quad pixels;
	} undo;
	bool quad_known; /* quad and quad_setup are the whole record of the quad at quad_at */
	struct trace_position quad_at;
	struct qs_quad quad;
	struct qs_setup quad_setup;

	/* checkpoints */
	struct trace_snapshot *base; /* main memory differs from it only in dirty pages */
	struct trace_checkpoint *checkpoint;
	size_t checkpoint_count, checkpoint_room;
	size_t page_bytes, page_budget;
	double since;   /* milliseconds of replay since the last checkpoint that was passed ... */
	struct trace_position since_at; /* ... counted from here */
	double started; /* clock at the last addition to since */

	/* taps of the run in progress */
	const struct qs_taps *user;
	bool running; /* the machine is at an event of a replay */
	bool stopped;
	struct qs_moment stop; /* moment of the event that stopped it */
	struct qs_taps tap;    /* what the machine gets */
	bool filtered;         /* quads outside filter are not reported */
	struct qs_rect filter;

	struct trace_walk walk[TRACE_WALKS];
	uint64_t walk_clock;
	uint8_t *cache_use; /* per frame from 0: enum trace_cache_use */
	struct { /* the frame that is being run from its first command on; frame 0: none */
		uint32_t frame, end, stale_events;
		bool clean;
	} whole;
	uint8_t (**touch)[TRACE_TILE_BYTES]; /* per frame from 0, then per draw; NULL: not known yet */
	struct trace_writes *writes; /* per frame, from 0 */
	struct trace_breakpoints *breakpoints;

	/* the shader pipeline */
	struct gx_virgl *virgl;  /* NULL until it is wanted */
	char virgl_socket[108], virgl_driver[32];
	uint8_t *pipeline;       /* enum qs_pipeline per frame, from 0 */
	struct qs_error trouble; /* for qs_timeline_pipeline_trouble */
};

/* pipeline.c */
bool trace_shader_frame(const struct qs_timeline *t, uint32_t frame);
bool trace_shader_command(const struct qs_timeline *t, uint32_t command);
/* Makes the pipeline of the frame draw. */
void trace_pipeline_choose(struct qs_timeline *t, uint32_t frame);
/* Did the host fail in this run? */
bool trace_pipeline_look(struct qs_timeline *t);
/* The host failed again: the soft pipeline draws everything. */
void trace_pipeline_give_up(struct qs_timeline *t);

/* snapshot.c */
struct trace_snapshot *trace_snapshot_take(struct qs_timeline *t); /* NULL: no memory */
void trace_snapshot_restore(struct qs_timeline *t, struct trace_snapshot *snapshot);
void trace_snapshot_unref(struct qs_timeline *t, struct trace_snapshot *snapshot);

/* checkpoint.c */
double trace_clock(void); /* milliseconds */
void trace_checkpoint_clear(struct qs_timeline *t);
/* Adds a checkpoint where the machine stands unless there is one; false: no memory. */
bool trace_checkpoint_add(struct qs_timeline *t);
/* The last one that is not after the position; NULL: none. */
const struct trace_checkpoint *trace_checkpoint_before(const struct qs_timeline *t, const struct trace_position *position);
/* Adds one when replaying from the last has become dear: more than `limit` milliseconds. */
void trace_checkpoint_consider(struct qs_timeline *t, double limit);

/* advance.c */
enum trace_result {
	TRACE_OK,
	TRACE_STOPPED,   /* a tap stopped it: t->stop */
	TRACE_CANCELLED,
	TRACE_MISSING,   /* the primitive or quad does not exist; the machine is at the end of what holds it */
};

/* Runs to the position; quad UINT32_MAX: the end of the primitive. */
enum trace_result trace_goto(struct qs_timeline *t, const struct trace_position *target);
/* From position (command, primitive, quad) does one quad; its record with full detail goes to t->quad.  Only the fragments in
 * commit are stored.  After a whole quad the position is the next one. */
enum trace_result trace_single(struct qs_timeline *t, uint8_t commit);
/* Makes the iterators stand at t->at inside a draw. */
void trace_establish(struct qs_timeline *t);
/* Lets go of the iterators; t->at stays. */
void trace_release(struct qs_timeline *t);
void trace_undo(struct qs_timeline *t);
void trace_set_taps(struct qs_timeline *t, const struct qs_taps *user);
bool trace_tap_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad); /* tap.c: the caller's */
void trace_scout_begin(struct trace_scout *scout, const struct gx_machine *m);
bool trace_scout_next(struct trace_scout *scout, int *x, int *y, uint16_t *coverage, unsigned *part);

/* access.c */
void trace_accesses(struct qs_timeline *t, uint32_t command); /* those that follow the command; QS_NONE: the start */

/* timeline.c */
void trace_start_again(struct qs_timeline *t); /* after a change of what the machine does: keeps the moment, or what holds it */
/* At the head of every public call that may move the machine; false while taps of the caller are called. */
bool trace_start(struct qs_timeline *t, struct qs_error *error);
bool trace_fail(struct qs_timeline *t, enum trace_result result, const struct qs_moment *moment, struct qs_error *error);
/* Position of the machine when everything before the moment is done, up to whole quads. */
struct trace_position trace_position_of(const struct qs_timeline *t, const struct qs_moment *moment);
/* Goes to the moment without looking whether it exists as a fragment or stage. */
enum trace_result trace_goto_moment(struct qs_timeline *t, const struct qs_moment *moment);
/* Checks frame, command and draw, and fills what follows from them. */
bool trace_resolve(const struct qs_timeline *t, const struct qs_moment *in, struct qs_moment *out, struct qs_error *error);
/* After a question or a failure: back to t->moment. Always returns false. */
bool trace_come_back(struct qs_timeline *t);
void trace_forget(struct qs_timeline *t); /* drops everything that follows from the model */
bool trace_reset(struct qs_timeline *t);  /* to the start, without checkpoints */
void trace_start_again(struct qs_timeline *t); /* the same, and back to the moment or what holds it */

/* walk.c */
/* Geometry of a draw.  May take the machine away (trace_come_back).  Valid until the next call of trace_walk_get. */
const struct trace_walk *trace_walk_get(struct qs_timeline *t, uint32_t command, struct qs_error *error);
void trace_walk_clear(struct qs_timeline *t);
uint16_t trace_walk_coverage(const struct trace_walk *walk, uint32_t primitive, uint32_t quad);
/* Lets the iterators run from the draw's start without touching the machine's contents, up to the primitive (QS_NONE: none
 * assembled).  Between begin and end only gx_draw_* questions are allowed. */
bool trace_scratch_begin(struct qs_timeline *t, uint32_t command, uint32_t primitive, struct qs_error *error);
void trace_scratch_end(struct qs_timeline *t);
static inline uint32_t trace_walk_quads(const struct trace_walk *walk, uint32_t primitive)
{
	return walk->first[primitive + 1] - walk->first[primitive];
}
static inline unsigned trace_pixel_coverage(uint16_t coverage, unsigned pixel)
{
	return (unsigned)coverage >> (3 * pixel) & 7u;
}

/* step.c */
/* The next (direction 1) or previous (-1) moment of the level; 1 found, 0 none, -1 error. */
int trace_neighbour(struct qs_timeline *t, struct qs_moment *moment, enum qs_level level, int direction, struct qs_error *error);
/* Next or previous draw command at or after (before) the command; QS_NONE: none. */
uint32_t trace_next_draw(const struct qs_timeline *t, uint32_t command, int direction);

/* replay.c */
/* Runs with the taps from where the machine is.  Quads outside the filter are not reported when it is not NULL. */
enum trace_result trace_run(struct qs_timeline *t, const struct qs_moment *to, const struct qs_taps *taps,
	const struct qs_rect *filter);

/* dry.c: a frame without shading */
struct trace_dry {
	void *user;
	void (*begin)(struct qs_timeline *t, void *user);     /* NULL or at the begin of the frame */
	void (*primitive)(struct qs_timeline *t, void *user); /* set up, no quad done: may skip and shade quads */
	void (*copy)(struct qs_timeline *t, uint32_t command, bool after, void *user); /* NULL or before and after */
	void (*access)(struct qs_timeline *t, uint32_t command, void *user); /* NULL or after the processor's accesses */
};
/* Commands of the frame before `end`. */
enum trace_result trace_dry_run(struct qs_timeline *t, uint32_t frame, uint32_t end, const struct trace_dry *dry);
bool trace_touch_frame(struct qs_timeline *t, uint32_t frame, struct qs_error *error);
bool trace_touches(const struct qs_timeline *t, uint32_t frame, uint32_t draw, int x, int y);
void trace_touch_clear(struct qs_timeline *t);

/* writes.c */
void trace_writes_clear(struct qs_timeline *t);

/* breakpoint.c */
void trace_breakpoints_free(struct trace_breakpoints *breakpoints);

#endif
