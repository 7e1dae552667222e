/* session.h - an open capture with a timeline, and random moments of it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include <check.h>
#include <inttypes.h>

#include "corpus.h"
#include "oracle/random.h"
#include "quadscope.h"

/* Shipped captures with different kinds of work: copies, lists, points and lines, masks, several frames, lighting, indirect;
 * tests that give every other one to the dolphin model keep the first for three samples a pixel. */
static const char *const walked[] = {"anti-alias", "animation-six-frames", "clipping", "copy-feedback-frames", "display-list", "indirect-warp",
	"lines-widths", "primitives-all", "tev-sixteen-stages", "tour", "update-after-primitive", "z-early-late"};

#define WALKED ((int)(sizeof walked / sizeof *walked))

struct session {
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct oracle_random random;
	char name[128];
};

static inline char *shipped(const char *name, char *buffer, size_t size)
{
	const char *data = getenv("QS_DATA");

	snprintf(buffer, size, "%s/captures/%s.dff", data ? data : "data", name);
	return buffer;
}

static inline void open_session(struct session *s, const char *path, const char *name)
{
	struct qs_error error = {0};

	memset(s, 0, sizeof *s);
	snprintf(s->name, sizeof s->name, "%s", name);
	s->capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(s->capture != NULL, "%s: %s", name, error.text);
	s->t = qs_timeline_create(s->capture, &error);
	ck_assert_msg(s->t != NULL, "%s: %s", name, error.text);
	s->random = oracle_random_start();
}

static inline void open_walked(struct session *s, int i)
{
	char path[700];

	open_session(s, shipped(walked[i], path, sizeof path), walked[i]);
	s->random.state += (uint64_t)i;
}

static inline void close_session(struct session *s)
{
	qs_timeline_destroy(s->t);
	qs_capture_destroy(s->capture);
}

static inline const char *text(const struct session *s, const struct qs_moment *m)
{
	static char buffer[4][80];
	static int turn;

	turn = (turn + 1) % 4;
	return qs_moment_format(s->capture, m, buffer[turn], sizeof *buffer);
}

static inline uint32_t below(struct session *s, uint32_t n)
{
	return oracle_random_below(&s->random, n);
}

static inline void seek(struct session *s, const struct qs_moment *m)
{
	struct qs_error error = {0};

	ck_assert_msg(qs_timeline_seek(s->t, m, &error), "%s: seek %s: %s (seed %" PRIu64 ")", s->name, text(s, m), error.text,
		s->random.seed);
	ck_assert_int_eq(qs_moment_compare(m, qs_timeline_moment(s->t)), 0);
}

/* A random moment of the level (or the nearest one that exists); the timeline goes there. */
static inline struct qs_moment random_moment(struct session *s, enum qs_level level)
{
	const struct qs_capture_info *info = qs_capture_info(s->capture);
	struct qs_moment m = {.level = QS_LEVEL_FRAME, .frame = 1 + below(s, info->frame_count)};

	if (level == QS_LEVEL_COMMAND)
		ck_assert(qs_moment_of_command(s->capture, below(s, info->command_count), &m));
	if (level >= QS_LEVEL_DRAW) {
		const struct qs_frame *frame = qs_capture_frame(s->capture, m.frame);
		uint32_t draw = frame->draw_count ? below(s, frame->draw_count) : QS_NONE;
		if (draw != QS_NONE)
			qs_moment_of_command(s->capture, qs_capture_draw_command(s->capture, m.frame, draw), &m);
	}
	if (level >= QS_LEVEL_PRIMITIVE && m.level == QS_LEVEL_DRAW) {
		uint32_t n = qs_timeline_primitive_count(s->t, &m);
		if (n) {
			m.level = QS_LEVEL_PRIMITIVE;
			m.primitive = below(s, n);
		}
	}
	if (level >= QS_LEVEL_QUAD && m.level == QS_LEVEL_PRIMITIVE) {
		uint32_t n = qs_timeline_quad_count(s->t, &m);
		if (n) {
			m.level = QS_LEVEL_QUAD;
			m.quad = below(s, n);
		}
	}
	seek(s, &m);
	if (level > m.level && m.level >= QS_LEVEL_PRIMITIVE && qs_timeline_step(s->t, level, 1, NULL))
		m = *qs_timeline_moment(s->t);
	return m;
}

#endif
