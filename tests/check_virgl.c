/* check_virgl.c - the VirGL client: command stream, a hostile host, and the real one
 *
 * Without virgl_test_server the tests of the real host are skipped with a message; QS_NEED_VIRGL=1 makes that a failure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oracle/random.h"
#include "virgl/device.h"
#include "virgl/host.h"
#include "virgl/stream.h"
#include "virgl/vtest.h"

/* ---- the command stream -------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t words[16];
	unsigned count;
	const char *text; /* must be part of the decoded text */
} decode_cases[] = {
	{"viewport", {0x00070004, 0, 0x43A00000, 0xC3840000, 0x3F000000, 0x43A00000, 0x43840000, 0x3F000000}, 8,
		"viewport slot 0 scale 320 -264 0.5 translate 320 264 0.5"},
	{"clear", {0x00080007, 5, 0, 0x3F800000, 0, 0x3F800000, 0, 0x3FF00000, 0}, 9, "clear buffers depth+color color 0 1 0 1 depth 1 stencil 0"},
	{"draw", {0x000C0008, 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 3, 0}, 13, "draw start 0 count 3 mode triangles indexed 0"},
	{"shader", {0x00070401, 9, 1, 5, 5, 0, 0x47415246, 0x00000000}, 8, "create shader handle 9 stage fragment bytes 0x5 tokens 5 outputs 0\n          | FRAG"},
	{"elements", {0x00050501, 3, 16, 0, 0, 31}, 6, "create vertex elements handle 3 offset 16 divisor 0 buffer 0 format R32G32B32A32_FLOAT"},
	{"scissor", {0x0003000F, 0, 0x00200010, 0x01E00280}, 4, "scissor slot 0 min 16,32 max 640,480"},
	{"integer constants", {0x0004000C, 1, 0, 17, 0x3F800000}, 5, "constants stage fragment index 0 value 17 value 1"},
	{"unknown command", {0x000100EE, 0}, 2, "unknown command 238"},
	{"cut", {0x00070004, 0, 0}, 3, "(5 words are missing)"},
	{"wrong length", {0x00010007, 4}, 2, "(wrong length 1)"},
	{"text without end", {0x00060401, 9, 1, 5, 5, 0, 0x47415246}, 7, "(text without end)"},
};

START_TEST(decode_case)
{
	char *text = virgl_decode(decode_cases[_i].words, decode_cases[_i].count);

	ck_assert_ptr_nonnull(text);
	if (!strstr(text, decode_cases[_i].text))
		ck_abort_msg("%s: %s", decode_cases[_i].name, text);
	free(text);
}
END_TEST

/* Whatever is encoded comes back: a command a line, lengths right, handles in the text. */
START_TEST(encode_decode)
{
	struct virgl_stream s;
	char *text, *line;
	unsigned lines = 0;

	virgl_stream_init(&s);
	for (unsigned i = 0; i < 2000; i++) {
		virgl_stream_begin(&s, VIRGL_BIND_OBJECT, VIRGL_OBJECT_BLEND);
		virgl_stream_word(&s, i);
		virgl_stream_end(&s);
	}
	ck_assert(!s.failed);
	text = virgl_decode(s.word, s.count);
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		char expected[64];
		snprintf(expected, sizeof expected, "%8u  bind blend handle %u", 2 * lines, lines);
		if (strcmp(line, expected))
			ck_abort_msg("line %u: %s", lines, line);
	}
	ck_assert_uint_eq(lines, 2000);
	free(text);
	virgl_stream_finish(&s);
}
END_TEST

START_TEST(encoder_refuses)
{
	struct virgl_stream s;

	virgl_stream_init(&s);
	virgl_stream_begin(&s, VIRGL_CLEAR, VIRGL_OBJECT_NONE);
	virgl_stream_word(&s, 4);
	virgl_stream_end(&s);
	ck_assert(s.failed);
	ck_assert_ptr_nonnull(strstr(s.error.text, "\"clear\""));
	virgl_stream_finish(&s);
}
END_TEST

START_TEST(decode_random)
{
	struct oracle_random r = oracle_random_start();
	uint32_t words[64];

	for (unsigned round = 0; round < 5000; round++) {
		unsigned count = oracle_random_below(&r, 65);
		for (unsigned i = 0; i < count; i++)
			words[i] = (uint32_t)oracle_random_next(&r) & (oracle_random_below(&r, 2) ? 0x000F0F3Fu : UINT32_MAX);
		char *text = virgl_decode(words, count);
		if (!text)
			ck_abort_msg("seed %llu: no text", (unsigned long long)r.seed);
		free(text);
	}
}
END_TEST

/* ---- a hostile host ------------------------------------------------------------------------------------------------------ */

enum operation { HANDSHAKE, CAPS, CREATE, GET, GET2, WAIT, SUBMIT };
enum ending { STAYS, CLOSES };
enum attachment { NOTHING, DESCRIPTOR, SMALL_DESCRIPTOR };

static const struct {
	const char *name;
	enum operation operation;
	uint32_t words[12];
	unsigned bytes;
	enum ending ending;
	enum attachment attachment;
	const char *text; /* of the error; NULL: it works */
} hostile_cases[] = {
	{"version 2", HANDSHAKE, {0, 10, 1, 7, 0, 1, 11, 2}, 32, STAYS, NOTHING, NULL},
	{"version 0 for who asks 1", HANDSHAKE, {0, 10, 1, 7, 0, 1, 11, 0}, 32, STAYS, NOTHING, NULL},
	{"no versions", HANDSHAKE, {1, 7, 0}, 12, STAYS, NOTHING, NULL},
	{"version that was not offered", HANDSHAKE, {0, 10, 1, 7, 0, 1, 11, 3}, 32, STAYS, NOTHING, "not offered"},
	{"silence", HANDSHAKE, {0}, 0, STAYS, NOTHING, "in time"},
	{"death", HANDSHAKE, {0}, 0, CLOSES, NOTHING, "closed the connection"},
	{"cut header", HANDSHAKE, {0, 10}, 6, CLOSES, NOTHING, "closed the connection"},
	{"cut header and hang", HANDSHAKE, {0, 10}, 6, STAYS, NOTHING, "in time"},
	{"cut answer", HANDSHAKE, {0, 10, 1, 7, 0, 1, 11, 2}, 29, CLOSES, NOTHING, "closed the connection"},
	{"garbage", HANDSHAKE, {0xDEADBEEF, 0xFFFFFFFF}, 8, STAYS, NOTHING, "not expected"},
	{"ping with length", HANDSHAKE, {7, 10}, 8, STAYS, NOTHING, "not expected"},
	{"caps", CAPS, {9, 2, 1, 2}, 16, STAYS, NOTHING, NULL},
	{"caps of length 0", CAPS, {0, 2}, 8, STAYS, NOTHING, "not expected"},
	{"caps of 4 GB", CAPS, {0xFFFFFFFF, 2}, 8, STAYS, NOTHING, "not expected"},
	{"cut caps", CAPS, {1377, 2, 1}, 12, CLOSES, NOTHING, "closed the connection"},
	{"shared memory", CREATE, {0}, 1, STAYS, DESCRIPTOR, NULL},
	{"no shared memory", CREATE, {0}, 1, STAYS, NOTHING, "no shared memory"},
	{"shared memory too small", CREATE, {0}, 1, STAYS, SMALL_DESCRIPTOR, "cannot be mapped"},
	{"death instead of memory", CREATE, {0}, 0, CLOSES, NOTHING, "closed the connection"},
	{"hang instead of memory", CREATE, {0}, 0, STAYS, NOTHING, "in time"},
	{"pixels", GET, {1, 2, 3, 4}, 16, STAYS, NOTHING, NULL},
	{"too few pixels", GET, {1, 2, 3}, 12, CLOSES, NOTHING, "closed the connection"},
	{"too few pixels and hang", GET, {1, 2, 3}, 12, STAYS, NOTHING, "in time"},
	{"shared pixels", GET2, {1, 7, 0}, 12, STAYS, NOTHING, NULL},
	{"shared pixels never come", GET2, {0}, 0, STAYS, NOTHING, "in time"},
	{"wait", WAIT, {1, 7, 0}, 12, STAYS, NOTHING, NULL},
	{"wait answers something else", WAIT, {1, 6, 0}, 12, STAYS, NOTHING, "not expected"},
	{"wait too long an answer", WAIT, {2, 7, 0, 0}, 16, STAYS, NOTHING, "not expected"},
	{"submit to the dead", SUBMIT, {0}, 0, CLOSES, NOTHING, "closed the connection"},
};

static void send_reply(int fd, const void *data, size_t size, enum attachment attachment)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec part = {(void *)(uintptr_t)data, size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	int memory = -1;

	if (!size)
		return;
	if (attachment != NOTHING) {
		memory = memfd_create("check", MFD_CLOEXEC);
		ck_assert_int_eq(ftruncate(memory, attachment == DESCRIPTOR ? 64 : 16), 0);
		message.msg_control = &control;
		message.msg_controllen = sizeof control;
		struct cmsghdr *c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof memory);
		memcpy(CMSG_DATA(c), &memory, sizeof memory);
	}
	ck_assert_int_eq(sendmsg(fd, &message, MSG_NOSIGNAL), (ssize_t)size);
	if (memory >= 0)
		close(memory);
}

static bool operate(struct vtest *v, enum operation operation, struct qs_error *error)
{
	const struct vtest_resource resource = {.handle = 1, .width = 4, .height = 4};
	const struct vtest_box box = {0, 0, 0, 2, 2};
	const uint32_t words[2] = {0x00010001, 0};
	void *shared = NULL;
	uint8_t bytes[64];
	size_t size;
	bool ok;

	switch (operation) {
	case HANDSHAKE:
		return vtest_handshake(v, "check", error);
	case CAPS:
		return vtest_caps(v, bytes, sizeof bytes, &size, error);
	case CREATE:
		v->version = 2;
		ok = vtest_resource_create(v, &resource, &shared, 64, error);
		if (ok)
			munmap(shared, 64);
		return ok;
	case GET:
		return vtest_get(v, 1, &box, bytes, 16, error);
	case GET2:
		return vtest_get2(v, 1, &box, 0, error);
	case WAIT:
		return vtest_wait(v, error);
	default:
		return vtest_submit(v, words, 2, error);
	}
}

START_TEST(hostile_case)
{
	struct qs_error error = {0};
	struct vtest v;
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	vtest_init(&v, 60);
	vtest_adopt(&v, pair[0]);
	send_reply(pair[1], hostile_cases[_i].words, hostile_cases[_i].bytes, hostile_cases[_i].attachment);
	if (hostile_cases[_i].ending == CLOSES)
		close(pair[1]);
	bool ok = operate(&v, hostile_cases[_i].operation, &error);
	if (ok != !hostile_cases[_i].text)
		ck_abort_msg("%s: %s", hostile_cases[_i].name, ok ? "was believed" : error.text);
	if (!ok) {
		if (!strstr(error.text, hostile_cases[_i].text))
			ck_abort_msg("%s: %s", hostile_cases[_i].name, error.text);
		ck_assert(v.lost);
		ck_assert(!vtest_wait(&v, &error)); /* and it stays lost */
	}
	vtest_close(&v);
	if (hostile_cases[_i].ending == STAYS)
		close(pair[1]);
}
END_TEST

START_TEST(nobody_listens)
{
	struct qs_error error = {0};
	struct vtest v;
	char name[200];

	vtest_init(&v, 100);
	ck_assert(!vtest_connect(&v, "/nonexistent/socket", &error));
	ck_assert_int_eq(error.code, QS_ERR_IO);
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = 0;
	ck_assert(!vtest_connect(&v, name, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "too long"));
}
END_TEST

START_TEST(server_missing)
{
	struct qs_error error = {0};

	setenv("QUADSCOPE_VIRGL_SERVER", "/nonexistent/virgl_test_server", 1);
	ck_assert_ptr_null(virgl_device_create(NULL, &error));
	ck_assert_int_eq(error.code, QS_ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(error.text, "virgl-server"));
	setenv("QUADSCOPE_VIRGL_SERVER", "/bin/false", 1);
	ck_assert_ptr_null(virgl_device_create(NULL, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "ended at once"));
	unsetenv("QUADSCOPE_VIRGL_SERVER");
}
END_TEST

/* ---- the real host ------------------------------------------------------------------------------------------------------- */

#define SIZE 32

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char red_text[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n  0: MOV OUT[0], IMM[0]\n  1: END\n";
/* accepted at first, but the sampler is missing: the host's GLSL compiler fails later, silently */
static const char poison_text[] =
	"FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\nDCL TEMP[0]\n  0: MOV TEMP[0], CONST[0][7]\n  1: MOV OUT[0], TEMP[0]\n  2: END\n";

struct scene {
	struct virgl_device *d;
	virgl_id color, depth, buffer, vertex;
};

static struct virgl_device *open_device(const struct virgl_options *options)
{
	struct qs_error error = {0};
	struct virgl_device *d = virgl_device_create(options, &error);

	if (!d)
		ck_abort_msg("%s", error.text);
	return d;
}

static void prepare(struct scene *s, uint32_t format)
{
	static const float triangle[12] = {-0.8f, -0.8f, 0, 1, 0.8f, -0.8f, 0, 1, 0, 0.8f, 0, 1};
	struct virgl_device *d = s->d;
	struct qs_error error = {0};

	s->color = virgl_texture_create(d, &(struct virgl_texture){.format = format, .bind = VIRGL_BIND_RENDER | VIRGL_BIND_SAMPLER,
		.width = SIZE, .height = SIZE}, &error);
	s->depth = virgl_texture_create(d, &(struct virgl_texture){.format = VIRGL_FORMAT_Z32_FLOAT, .bind = VIRGL_BIND_DEPTH,
		.width = SIZE, .height = SIZE, .shared = true}, &error);
	s->buffer = virgl_buffer_create(d, VIRGL_BIND_VERTEX, 4096, &error);
	virgl_buffer_write(d, s->buffer, 0, triangle, sizeof triangle);
	s->vertex = virgl_shader_create(d, VIRGL_VERTEX, vertex_text, "the vertex shader", &error);
	virgl_framebuffer(d, virgl_surface_create(d, s->color, 0), virgl_surface_create(d, s->depth, 0));
	virgl_viewport(d, 0, 0, SIZE, SIZE, 0.5f, 0.5f);
	virgl_clear(d, VIRGL_CLEAR_COLOR | VIRGL_CLEAR_DEPTH, NULL, 1, 0);
	virgl_bind(d, virgl_blend_create(d, &(struct virgl_blend){.mask = 15}));
	virgl_bind(d, virgl_depth_create(d, &(struct virgl_depth){.test = true, .write = true, .func = VIRGL_LESS}));
	virgl_bind(d, virgl_rasterizer_create(d, &(struct virgl_rasterizer){.cull = 2, .depth_clip = true}));
	virgl_bind(d, virgl_elements_create(d, &(struct virgl_element){0, VIRGL_FORMAT_R32G32B32A32_FLOAT}, 1));
	virgl_bind(d, s->vertex);
	virgl_vertex_buffer(d, s->buffer, 16, 0);
	if (!s->color || !s->depth || !s->buffer || !s->vertex)
		ck_abort_msg("%s", error.text);
}

static bool draw(struct scene *s, const char *text, const char *label, struct qs_error *error)
{
	virgl_id fragment = virgl_shader_create(s->d, VIRGL_FRAGMENT, text, label, error);

	if (!fragment)
		return false;
	virgl_bind(s->d, fragment);
	return virgl_draw(s->d, VIRGL_TRIANGLES, 0, 3, false, "draw 1", error);
}

static const struct virgl_rect all = {0, 0, SIZE, SIZE};

static unsigned count_red(struct scene *s)
{
	static uint32_t pixels[SIZE * SIZE];
	struct qs_error error = {0};
	unsigned red = 0;

	if (!virgl_readback(s->d, s->color, 0, all, pixels, &error))
		ck_abort_msg("%s", error.text);
	for (unsigned i = 0; i < SIZE * SIZE; i++)
		red += pixels[i] == 0xFF0000FF;
	return red;
}

static void expect_triangle(struct scene *s)
{
	struct qs_error error = {0};

	if (!draw(s, red_text, "the red shader", &error))
		ck_abort_msg("%s", error.text);
	ck_assert_uint_eq(count_red(s), 338);
}

START_TEST(triangle)
{
	struct scene s = {.d = open_device(NULL)};
	static float z[SIZE * SIZE];
	struct qs_error error = {0};
	unsigned inside = 0, outside = 0;

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	ck_assert(virgl_readback(s.d, s.depth, 0, all, z, &error));
	for (unsigned i = 0; i < SIZE * SIZE; i++) {
		inside += z[i] == 0.5f;
		outside += z[i] == 1.0f;
	}
	ck_assert_uint_eq(inside, 338);
	ck_assert_uint_eq(outside, SIZE * SIZE - 338);
	virgl_device_destroy(s.d);
}
END_TEST

/* Row 0 is the top: the triangle is narrow there. */
START_TEST(orientation)
{
	struct scene s = {.d = open_device(NULL)};
	uint32_t row[SIZE];
	struct qs_error error = {0};
	unsigned count[2] = {0, 0};

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	ck_assert(draw(&s, red_text, "the red shader", &error));
	for (unsigned k = 0; k < 2; k++) {
		ck_assert(virgl_readback(s.d, s.color, 0, (struct virgl_rect){0, k ? SIZE - 5 : 5, SIZE, 1}, row, &error));
		for (unsigned i = 0; i < SIZE; i++)
			count[k] += row[i] == 0xFF0000FF;
	}
	ck_assert_uint_gt(count[0], 0);
	ck_assert_uint_gt(count[1], 3 * count[0]);
	virgl_device_destroy(s.d);
}
END_TEST

START_TEST(float_target)
{
	struct scene s = {.d = open_device(NULL)};
	static float pixels[SIZE * SIZE][4];
	struct qs_error error = {0};

	prepare(&s, VIRGL_FORMAT_R32G32B32A32_FLOAT);
	ck_assert(draw(&s, "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {-123456.75, 0.0, 1e-30, 3.5}\n  0: MOV OUT[0], IMM[0]\n  1: END\n", "floats", &error));
	ck_assert(virgl_readback(s.d, s.color, 0, all, pixels, &error));
	ck_assert(pixels[16 * SIZE + 16][0] == -123456.75f);
	ck_assert(pixels[16 * SIZE + 16][3] == 3.5f);
	virgl_device_destroy(s.d);
}
END_TEST

/* What goes up comes down, whole and in part, inline and through shared memory, small levels too. */
START_TEST(transfers)
{
	struct oracle_random r = oracle_random_start();
	struct virgl_device *d = open_device(NULL);
	struct qs_error error = {0};

	for (unsigned round = 0; round < 40; round++) {
		bool shared = round & 1;
		uint32_t width = 1 + oracle_random_below(&r, 70), height = 1 + oracle_random_below(&r, 70);
		struct virgl_texture t = {.format = VIRGL_FORMAT_R8G8B8A8_UNORM, .bind = VIRGL_BIND_SAMPLER, .width = width, .height = height,
			.shared = shared};
		uint32_t up[70 * 70], part[70 * 70], down[70 * 70];
		struct virgl_rect rect = {oracle_random_below(&r, width), oracle_random_below(&r, height), 0, 0};
		rect.width = 1 + oracle_random_below(&r, width - rect.x);
		rect.height = 1 + oracle_random_below(&r, height - rect.y);
		virgl_id id = virgl_texture_create(d, &t, &error);
		for (unsigned i = 0; i < width * height; i++)
			up[i] = (uint32_t)oracle_random_next(&r);
		for (unsigned i = 0; i < rect.width * rect.height; i++)
			part[i] = (uint32_t)oracle_random_next(&r);
		if (!virgl_upload(d, id, 0, (struct virgl_rect){0, 0, width, height}, up, &error) || !virgl_upload(d, id, 0, rect, part, &error) ||
			!virgl_readback(d, id, 0, (struct virgl_rect){0, 0, width, height}, down, &error))
			ck_abort_msg("seed %llu round %u, %ux%u, part %u,%u %ux%u: %s", (unsigned long long)r.seed, round, width, height, rect.x,
				rect.y, rect.width, rect.height, error.text);
		for (uint32_t y = 0; y < rect.height; y++)
			memcpy(&up[(rect.y + y) * width + rect.x], &part[y * rect.width], rect.width * 4);
		if (memcmp(up, down, width * height * 4))
			ck_abort_msg("seed %llu round %u: %ux%u, shared %d: other pixels", (unsigned long long)r.seed, round, width, height, shared);
		virgl_resource_destroy(d, id);
	}
	ck_assert(!virgl_upload(d, 9999, 0, all, NULL, &error));
	virgl_device_destroy(d);
}
END_TEST

START_TEST(refused_shader)
{
	struct scene s = {.d = open_device(NULL)};
	struct qs_error error = {0};

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	ck_assert(!draw(&s, "FRAG\nDCL OUT[0], COLOR\n  0: FROB OUT[0], OUT[0]\n  1: END\n", "the shader of draw 2/57", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "the shader of draw 2/57"));
	ck_assert(virgl_device_lost(s.d));
	ck_assert(virgl_device_recover(s.d, &error));
	ck_assert_uint_eq(virgl_device_generation(s.d), 2);
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	virgl_device_destroy(s.d);
}
END_TEST

START_TEST(poisoned_context)
{
	struct scene s = {.d = open_device(NULL)};
	struct qs_error error = {0};

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	ck_assert(!draw(&s, poison_text, "the bad shader", &error));
	if (!strstr(error.text, "draws nothing") || !strstr(error.text, "the bad shader"))
		ck_abort_msg("%s", error.text);
	ck_assert(virgl_device_lost(s.d));
	ck_assert(virgl_device_recover(s.d, &error));
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	virgl_device_destroy(s.d);
}
END_TEST

/* With strict on, the very command is named that the host does not survive. */
START_TEST(strict_names_command)
{
	struct scene s = {.d = open_device(&(struct virgl_options){.strict = true})};
	struct qs_error error = {0};

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	virgl_resource_destroy(s.d, s.color);
	virgl_vertex_buffer(s.d, s.buffer, 16, 0);
	virgl_viewport(s.d, 0, 0, SIZE, SIZE, 0.5f, 0.5f);
	ck_assert(virgl_flush(s.d, &error));
	virgl_object_destroy(s.d, s.vertex);
	virgl_buffer_write(s.d, 4711, 0, "x", 1); /* a resource that does not exist */
	virgl_vertex_buffer(s.d, s.buffer, 16, 0);
	bool ok = virgl_check(s.d, "the end", &error);
	if (ok || (!strstr(error.text, "inline write") && !strstr(error.text, "draws nothing")))
		ck_abort_msg("%s", ok ? "was taken" : error.text);
	virgl_device_destroy(s.d);
}
END_TEST

START_TEST(killed_host)
{
	struct scene s = {.d = open_device(NULL)};
	struct qs_error error = {0};
	uint32_t pixel;

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	kill((pid_t)virgl_device_pid(s.d), SIGKILL);
	ck_assert(!virgl_readback(s.d, s.color, 0, (struct virgl_rect){0, 0, 1, 1}, &pixel, &error));
	ck_assert_int_eq(error.code, QS_ERR_IO);
	ck_assert(!virgl_draw(s.d, VIRGL_TRIANGLES, 0, 3, false, "draw 2", &error)); /* sticks */
	ck_assert(virgl_device_recover(s.d, &error));
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	virgl_device_destroy(s.d);
}
END_TEST

START_TEST(hanging_host)
{
	struct scene s = {.d = open_device(&(struct virgl_options){.timeout = 3000})};
	struct qs_error error = {0};
	uint32_t pixel;
	long pid = virgl_device_pid(s.d);

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	kill((pid_t)pid, SIGSTOP);
	ck_assert(!virgl_readback(s.d, s.color, 0, (struct virgl_rect){0, 0, 1, 1}, &pixel, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "in time"));
	ck_assert(virgl_device_recover(s.d, &error)); /* the stopped one is ended by force */
	ck_assert_int_eq(kill((pid_t)pid, 0), -1);
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	virgl_device_destroy(s.d);
}
END_TEST

START_TEST(cancelled)
{
	volatile bool cancel = false;
	struct scene s = {.d = open_device(&(struct virgl_options){.cancel = &cancel})};
	struct qs_error error = {0};
	uint32_t pixel;

	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	kill((pid_t)virgl_device_pid(s.d), SIGSTOP);
	cancel = true;
	ck_assert(!virgl_readback(s.d, s.color, 0, (struct virgl_rect){0, 0, 1, 1}, &pixel, &error));
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
	virgl_device_destroy(s.d);
}
END_TEST

static unsigned entries(const char *path)
{
	DIR *folder = opendir(path);
	unsigned n = 0;

	while (folder && readdir(folder))
		n++;
	if (folder)
		closedir(folder);
	return n;
}

/* No process, no socket, no folder. */
START_TEST(leaves_nothing)
{
	char folder[] = "/tmp/check-virgl-XXXXXX";
	struct scene s;
	long pid;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	s.d = open_device(NULL);
	pid = virgl_device_pid(s.d);
	ck_assert_uint_eq(entries(folder), 2); /* . and .. */
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	virgl_device_destroy(s.d);
	ck_assert_int_eq(kill((pid_t)pid, 0), -1);
	ck_assert_uint_eq(entries(folder), 2);
	unsetenv("TMPDIR");
	rmdir(folder);
}
END_TEST

START_TEST(recorded)
{
	struct scene s = {.d = open_device(NULL)};
	size_t count;
	char *text;

	virgl_record(s.d, true);
	prepare(&s, VIRGL_FORMAT_R8G8B8A8_UNORM);
	expect_triangle(&s);
	const uint32_t *words = virgl_recorded(s.d, &count);
	text = virgl_decode(words, count);
	ck_assert_ptr_nonnull(strstr(text, "draw start 0 count 3 mode triangles"));
	ck_assert_ptr_nonnull(strstr(text, "| FRAG"));
	free(text);
	virgl_device_destroy(s.d);
}
END_TEST

static Suite *make_suite(bool host)
{
	Suite *suite = suite_create("virgl");
	TCase *plain = tcase_create("client"), *real = tcase_create("host");

	tcase_add_loop_test(plain, decode_case, 0, (int)(sizeof decode_cases / sizeof *decode_cases));
	tcase_add_test(plain, encode_decode);
	tcase_add_test(plain, encoder_refuses);
	tcase_add_test(plain, decode_random);
	tcase_add_loop_test(plain, hostile_case, 0, (int)(sizeof hostile_cases / sizeof *hostile_cases));
	tcase_add_test(plain, nobody_listens);
	tcase_add_test(plain, server_missing);
	tcase_set_timeout(plain, 60);
	suite_add_tcase(suite, plain);
	if (!host)
		return suite;
	tcase_add_test(real, triangle);
	tcase_add_test(real, orientation);
	tcase_add_test(real, float_target);
	tcase_add_test(real, transfers);
	tcase_add_test(real, refused_shader);
	tcase_add_test(real, poisoned_context);
	tcase_add_test(real, strict_names_command);
	tcase_add_test(real, killed_host);
	tcase_add_test(real, hanging_host);
	tcase_add_test(real, cancelled);
	tcase_add_test(real, leaves_nothing);
	tcase_add_test(real, recorded);
	tcase_set_timeout(real, 120);
	suite_add_tcase(suite, real);
	return suite;
}

int main(void)
{
	struct qs_error error = {0};
	struct virgl_device *d = virgl_device_create(NULL, &error);
	bool host = d != NULL;

	virgl_device_destroy(d);
	if (!host) {
		printf("The tests of the real host are skipped: %s\n", error.text);
		if (getenv("QS_NEED_VIRGL"))
			return EXIT_FAILURE;
	}
	SRunner *runner = srunner_create(make_suite(host));
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
