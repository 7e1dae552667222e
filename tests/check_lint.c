/* check_lint.c - each check of the lint, on a clean capture with one thing made wrong; shipped and real captures
 *
 * A case writes registers, draws with them and copies; the messages must be exactly the expected ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dffwriter.h"
#include "gx/machine.h"
#include "oracle/random.h"

struct write {
	char unit; /* b c x */
	uint16_t address;
	uint32_t value;
};

struct lint_case {
	const char *name;
	const char *expected; /* "check check": names in order, ! in front of warnings, !! of errors */
	const char *fragment; /* of the first text */
	struct write before[12];
	struct write after[4]; /* between the copy's registers and the copy */
	uint8_t opcode;  /* 0: triangles */
	uint16_t count;  /* vertices; 0: 3 */
	uint8_t unset[2]; /* BP registers that are 0 in the initial state */
	bool no_copy, flush;
	bool load;       /* texture data at 0x100000, behind the draw */
	uint8_t raw[28]; /* in front of the draw */
	uint8_t raw_size;
};

/* one coordinate from the position, one texture lookup on map 0, 8x8 I4 at 0x100000 */
#define TEXTURED {'b', 0x00, 0x000011}, {'x', 0x103F, 1}, {'x', 0x1040, 0}, {'b', 0x28, 0x000040}, {'b', 0xC0, 0x08FFF8}, \
	{'b', 0x88, 0x001C07}, {'b', 0x94, 0x008000}, {'b', 0x8C, 3 << 15 | 3 << 18}

static const struct lint_case cases[] = {
	{"clean", "", NULL, .count = 3},
	{"flush without vertices is not looked at", "", NULL, .before = {{'b', 0x20, 0xFFFFFF}}, .flush = true},
	/* vertices */
	{"no position", "!no_position", "no position", .before = {{'c', 0x50, 0x2000}}},
	{"invalid colour format", "!colour_format", "invalid format 7", .before = {{'c', 0x70, 0x41200009 | 7 << 14}}},
	{"position format 6", "component_format", "acts as f32", .before = {{'c', 0x70, 0x41216001 | 6 << 1}}},
	{"colour 1 alone", "single_colour", "channel 0 takes it", .before = {{'c', 0x50, 0x8200}}},
	{"fact 45: INVTXSPEC", "!invtxspec", "announces 2 colours, normals of kind 0 and 0 coordinates, but the vertices (VCD) have 1, 0 and 0",
		.before = {{'x', 0x1008, 2}}},
	{"fact 45: INVTXSPEC, normals", "!invtxspec", "have 1, 1 and 0", .before = {{'c', 0x50, 0x2A00}}},
	{"INVTXSPEC, kind 3 is kind 2", "", NULL, .before = {{'c', 0x50, 0x2A00}, {'c', 0x70, 0x41216209 | 4 << 10}, {'x', 0x1008, 0xD}}},
	{"NUMTEX", "!numtex", "wants 0 texture coordinates, but XF NUMTEX makes 2", .before = {{'x', 0x103F, 2}, {'x', 0x1041, 0}}},
	{"NUMCOLS", "!numcols", "wants 1 colour channels, but XF_NUMCOLS makes 2", .before = {{'x', 0x1009, 2}}},
	{"too many coordinates", "!gen_mode !numtex", "there are 8", .before = {{'b', 0x00, 0x000019}}},
	{"incomplete triangle", "vertex_count", "has 4 vertices", .count = 4},
	{"one vertex in a strip", "vertex_count", "triangle strip has 1", .opcode = 0x98, .count = 1},
	{"strips may be odd", "", NULL, .opcode = 0x98, .count = 5},
	{"opcode 88", "opcode_88", "0x88", .opcode = 0x88, .count = 4},
	/* transform */
	{"matrix index differs", "!matrix_index", "MATINDEX_A differs: CP has 0x0000003c", .before = {{'c', 0x30, 0x3C}}},
	{"empty matrix", "!matrix_index !position_matrix", "CP has", .before = {{'x', 0x1018, 0x14}}},
	{"projection", "!projection", "PROJECTION_A is 0", .before = {{'x', 0x1020, 0}}},
	{"projection, minus zero", "!projection", "flattens y", .before = {{'x', 0x1022, 0x80000000}}},
	{"viewport", "!viewport", "no height: VIEWPORT_SCALE_Y is 0.", .before = {{'x', 0x101B, 0}}},
	{"frozen plane", "!zfreeze", "zfreeze", .before = {{'b', 0x00, 0x080010}}},
	/* lighting */
	{"unset light", "!light", "Light 2 is on", .before = {{'x', 0x100E, 1 | 2 | 1 << 4}}},
	{"light without normals", "!light !normals", "Light 0 is on", .before = {{'x', 0x100E, 1 | 2 | 1 << 2 | 2 << 7}}},
	{"set light", "", NULL, .before = {{'x', 0x100E, 1 | 2 | 1 << 2}, {'x', 0x603, 0xFF}}},
	{"channel that nobody reads", "", NULL, .before = {{'x', 0x100E, 1 | 2 | 1 << 4}, {'b', 0xC0, 0x08FFFC}, {'b', 0xC1, 0x08FFF0}}},
	{"no vertex colour", "!vertex_colour !vertex_colour", "COLOR0_CONTROL takes a colour", .before = {{'c', 0x50, 0x200}, {'x', 0x1008, 0}}},
	/* texture coordinates */
	{"empty texture", "!texture_empty", "Texture map 0 at 0x00100000 (8x8) is all zero", .before = {TEXTURED}},
	{"loaded texture, late", "late_update", "0x00100000", .before = {TEXTURED}, .load = true},
	{"texture coordinate missing in the vertices", "!texgen_input late_update", "made from vertex coordinate 0", .before = {TEXTURED, {'x', 0x1040, 5 << 7}},
		.load = true},
	{"normal missing in the vertices", "!texgen_input late_update", "made from a normal", .before = {TEXTURED, {'x', 0x1040, 1 << 7}}, .load = true},
	{"reserved source", "!texgen_source late_update", "source 20", .before = {TEXTURED, {'x', 0x1040, 20 << 7}}, .load = true},
	{"reserved kind", "!texgen_type late_update", "reserved kind 5", .before = {TEXTURED, {'x', 0x1040, 5 << 4}}, .load = true},
	{"emboss", "!emboss !emboss_normals late_update", "embossed from coordinate 0", .before = {TEXTURED, {'x', 0x1040, 1 << 4}}, .load = true},
	{"coordinate that nobody reads", "", NULL, .before = {{'b', 0x00, 0x000011}, {'x', 0x103F, 1}, {'x', 0x1040, 5 << 7}}},
	/* textures */
	{"reserved texture format", "!texture_format", "reserved format 11", .before = {TEXTURED, {'b', 0x88, 0xB01C07}}},
	{"texture outside memory", "!texture_memory", "not all inside memory", .before = {TEXTURED, {'b', 0x94, 0x0C0000}}},
	{"texture without address", "!cache_region !texture_empty", "has no cache region", .before = {{'b', 0x00, 0x000011}, {'x', 0x103F, 1},
		{'x', 0x1040, 0}, {'b', 0x28, 0x000041}, {'b', 0xC0, 0x08FFF8}, {'b', 0x89, 0x001C07}}},
	{"palette", "!palette_empty late_update", "palette of texture map 0", .before = {TEXTURED, {'b', 0x88, 0x801C07}}, .load = true},
	{"preloaded", "!texture_empty", "preloaded, but texture memory at 0x00000", .before = {TEXTURED, {'b', 0x8C, 0x200000}}},
	{"wrap 3", "late_update wrap_mode", "0x00100000", .before = {TEXTURED, {'b', 0x80, 3}}, .load = true},
	{"mip filter 3", "!mip_filter late_update", "mip filter 3", .before = {TEXTURED, {'b', 0x80, 0x60}}, .load = true},
	{"anisotropy without a filter", "anisotropy late_update not_modelled", "asks for 2 samples",
		.before = {TEXTURED, {'b', 0x80, 1 << 17 | 1 << 18 | 1 << 19 | 1 << 21 | 0xFFu << 9}}, .load = true},
	{"anisotropy", "late_update", NULL, .before = {TEXTURED, {'b', 0x80, 2 << 19 | 1 << 7 | 2 << 5}}, .load = true},
	{"no cache region", "!cache_region late_update", "TX_SETIMAGE1_0 has size 0", .before = {TEXTURED, {'b', 0x8C, 0}}, .load = true},
	{"map that nobody reads", "", NULL, .before = {{'b', 0x88, 0xB01C07}, {'b', 0x80, 0x1FF}}},
	/* setup */
	{"empty scissor", "!scissor", "The scissor is empty", .before = {{'b', 0x21, 0}}},
	{"cull all", "cull_all", "reject_en is 3", .before = {{'b', 0x00, 0x00C010}}},
	{"flat", "not_modelled", "Flat shading", .before = {{'b', 0x00, 0x000110}}},
	{"line width", "!line_width", "width 0", .before = {{'b', 0x22, 0}}, .opcode = 0xA8, .count = 2},
	{"point size", "!point_size", "size 0", .before = {{'b', 0x22, 0}}, .opcode = 0xB8, .count = 1},
	{"range bias without repeat", "late_update range_bias", NULL, .before = {TEXTURED, {'b', 0x31, 1 << 16}}, .load = true},
	{"range bias of a repeating texture", "late_update", NULL, .before = {TEXTURED, {'b', 0x80, 1}, {'b', 0x30, 1 << 16}}, .load = true},
	{"cylindrical wrap", "late_update", NULL, .before = {TEXTURED, {'b', 0x31, 1 << 17}}, .load = true},
	/* combiners */
	{"texture input without lookup", "!no_texture", "no texture lookup", .before = {{'b', 0xC0, 0x08FFF8}}},
	{"no coordinate at all", "!cache_region !no_coordinate !texture_empty", "has no cache region", .before = {{'b', 0x28, 0x000040},
		{'b', 0xC0, 0x08FFF8}, {'b', 0x88, 0x001C07}}},
	{"coordinate beyond ntex", "!no_coordinate late_update", "at coordinate 3, but there are only 1", .before = {TEXTURED, {'b', 0x28, 0x000058}}, .load = true},
	{"reserved channel", "!channel", "reserved colour channel 3", .before = {{'b', 0x28, 3 << 7}}},
	{"missing channel", "!channel", "reads colour channel 1, but GEN_MODE has only 1", .before = {{'b', 0x28, 1 << 7}}},
	{"no bump alpha", "!bump_alpha", "IND_CMD_0 selects none", .before = {{'b', 0x28, 5 << 7}}},
	{"swap table", "!swap_table", "swap table 2, which was never written", .before = {{'b', 0xC1, 0x08FFC2 | 5 << 4}},
		.unset = {0xFA, 0xFB}},
	{"swap table of red on purpose", "", NULL, .before = {{'b', 0xC1, 0x08FFC2 | 5 << 4}, {'b', 0xFA, 0}}, .unset = {0xFA, 0xFB}},
	{"scissor unset", "!scissor", "The scissor was never written", .unset = {0x20, 0x21}},
	{"line width unset", "!line_width", "SU_LPSIZE was never written", .opcode = 0xA8, .count = 2, .unset = {0x22}},
	{"indirect stage missing", "!indirect_stage", "uses indirect stage 1", .before = {{'b', 0x10, 1 | 1 << 7}}},
	{"indirect matrix", "!indirect_matrix !indirect_stage", "indirect matrix 1, which was never written",
		.before = {{'b', 0x10, 2 << 9}}},
	{"addprev in stage 0", "indirect_addprev", "none", .before = {{'b', 0x10, 1 << 20}}},
	{"too many indirect stages", "!cache_region !gen_mode !texture_empty", "has no cache region", .before = {{'b', 0x00, 0x050010}}},
	{"fog type", "!fog_type", "reserved fog type 3", .before = {{'b', 0xF1, 3u << 21}}},
	{"z texture with early z", "!z_texture late_update", "before texturing", .before = {TEXTURED, {'b', 0xF5, 8}}, .load = true},
	/* pixel engine */
	{"pixel type", "!pixel_type", "reserved pixel type 7", .before = {{'b', 0x43, 7}}},
	{"yuv", "not_modelled", "yuv8", .before = {{'b', 0x43, 4}}},
	{"anti-aliasing", "!anti_aliasing !copy_source", "needs type 2", .before = {{'b', 0x00, 0x000210}}},
	{"no lines", "!field_mask", "neither even nor odd", .before = {{'b', 0x44, 0}}},
	{"blend and logic", "blend_logic", "blending wins", .before = {{'b', 0x41, 0x1B}}},
	{"subtract", "subtract", "no effect", .before = {{'b', 0x41, 0x818}}},
	{"depth update without test", "z_update", "not written", .before = {{'b', 0x40, 0x10}}},
	{"destination alpha that is not stored", "!no_alpha", "src_factor", .before = {{'b', 0x41, 9 | 6 << 8}}},
	{"destination alpha as the other factor", "!no_alpha", "dst_factor", .before = {{'b', 0x41, 9 | 7 << 5}}},
	{"destination alpha of RGBA6", "", NULL, .before = {{'b', 0x43, 1}, {'b', 0x41, 9 | 6 << 8}}},
	{"alpha only", "!no_alpha writes_nothing", "writes alpha only", .before = {{'b', 0x41, 0x10}, {'b', 0x40, 7}}},
	{"constant alpha", "!no_alpha", "constant alpha", .before = {{'b', 0x41, 0x18}, {'b', 0x42, 0x180}}},
	{"nothing written", "writes_nothing", "all write masks are off", .before = {{'b', 0x41, 0}, {'b', 0x40, 7}}},
	{"alpha never", "alpha_never", "lets nothing pass", .before = {{'b', 0xF3, 0}}},
	{"alpha never, or", "alpha_never", "lets nothing pass", .before = {{'b', 0xF3, 1u << 22}}},
	{"alpha never, xor of always", "alpha_never", "lets nothing pass", .before = {{'b', 0xF3, 2u << 22 | 7 << 16 | 7 << 19}}},
	{"alpha always, xnor of never", "", NULL, .before = {{'b', 0xF3, 3u << 22}}},
	/* copies */
	{"no display copy", "!no_display_copy", "Frame 1 has no display copy", .no_copy = true},
	{"fact 50: copy source", "!copy_source", "640x480 pixels from (1, 0)", .after = {{'b', 0x49, 1}}},
	{"black filter", "!filter_black", "all 0", .after = {{'b', 0x53, 0}, {'b', 0x54, 0}}},
	{"bright filter", "filter_sum", "add up to 127, not 64", .after = {{'b', 0x53, 0x000FFF}, {'b', 0x54, 1}}},
	{"gamma 3", "gamma_code", "takes it as 2", .after = {{'b', 0x52, 0x4983}}},
	{"stride", "!copy_stride", "1280 bytes 32 bytes apart", .after = {{'b', 0x4D, 1}}},
	{"destination", "!copy_destination", "outside memory", .after = {{'b', 0x4B, 0x0C0000}}},
	{"destination 0", "!copy_destination", "address 0", .after = {{'b', 0x4B, 0}}},
	{"scale 0", "!copy_scale", "PE_COPY_SCALE is 0", .after = {{'b', 0x4E, 0}, {'b', 0x52, 0x4C03}}},
	{"fields", "copy_field", "only odd lines", .after = {{'b', 0x52, 0x7803}}},
	{"texture copy format", "!copy_format !no_display_copy", "format 13 is reserved", .after = {{'b', 0x52, 0x0803 | 8 | 5 << 4}}},
	{"two display copies", "display_copies", "2 display copies", .after = {{'b', 0x52, 0x4003}, {'b', 0x52, 0x4803}}},
	{"texture copy overlaps", "!copy_stride !no_display_copy", "rows of tiles of 10240 bytes 1280 bytes apart",
		.after = {{'b', 0x52, 0x0003 | 6 << 4}}},
	/* an 8x8 copy to the texture, in I4 */
	{"copied texture, cache not told", "texture_stale", "was made by a copy", .before = {TEXTURED}, .raw = {0x61, 0x4A, 0, 0x1C, 7,
		0x61, 0x4B, 0, 0x80, 0, 0x61, 0x4D, 0, 0, 1, 0x61, 0x52, 0, 0, 3}, .raw_size = 20},
	{"copied texture", "", NULL, .before = {TEXTURED}, .raw = {0x61, 0x4A, 0, 0x1C, 7, 0x61, 0x4B, 0, 0x80, 0, 0x61, 0x4D, 0, 0, 1,
		0x61, 0x52, 0, 0, 3, 0x61, 0x66, 0, 0x10, 0}, .raw_size = 25},
	/* stream */
	{"bad command", "!!bad_command !no_display_copy", "0x01 is no command", .no_copy = true, .raw = {1}, .raw_size = 1},
	{"empty list", "!list_empty", "display list at 0x00200000 is all zero", .raw = {0x40, 0, 0x20, 0, 0, 0, 0, 0, 0x40},
		.raw_size = 9},
	{"unaligned list", "!list_alignment !list_empty", "multiples of 32", .raw = {0x40, 0, 0x20, 0, 1, 0, 0, 0, 0x40},
		.raw_size = 9},
};

/* ---- the capture of a case ------------------------------------------------------------------------------------------------ */

static void put_write(struct bytes *fifo, const struct write *w, uint32_t cp[256])
{
	if (w->unit == 'b') {
		put_bp(fifo, w->address, w->value);
	} else if (w->unit == 'c') {
		put_cp(fifo, w->address, w->value);
		cp[w->address] = w->value;
	} else if (w->unit == 'x') {
		put_xf(fifo, w->address, 1, w->value);
	}
}

static struct bytes read_file(const char *path)
{
	struct bytes b = {0};
	char part[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	ck_assert_msg(f != NULL, "%s", path);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		put(&b, part, n);
	fclose(f);
	return b;
}

/* The Gouraud triangle's state with other commands in its only frame. */
static struct qs_capture *make_capture(const struct lint_case *c)
{
	static const struct write copy[] = {{'b', 0x49, 0}, {'b', 0x4A, 0x077E7F}, {'b', 0x4B, 0x030000}, {'b', 0x4D, 0x28},
		{'b', 0x4E, 0x100}};
	const struct write end = {'b', 0x52, 0x4803};
	uint32_t cp[256];
	struct bytes fifo = {0}, file;
	struct qs_error error;
	char path[512];
	bool copied = false;

	snprintf(path, sizeof path, "%s/captures/triangle-gouraud.dff", getenv("QS_DATA"));
	file = read_file(path);
	for (unsigned i = 0; i < 256; i++)
		memcpy(&cp[i], file.data + 0x4C0 + 4 * i, 4);
	for (unsigned i = 0; i < 2; i++)
		if (c->unset[i])
			set_le32(&file, 0xC0 + 4u * c->unset[i], 0);
	for (unsigned i = 0; i < sizeof c->before / sizeof *c->before; i++)
		put_write(&fifo, &c->before[i], cp);
	put(&fifo, c->raw, c->raw_size);
	put_draw(&fifo, c->opcode ? c->opcode : 0x90, c->flush ? 0 : c->count ? c->count : 3, gx_vertex_size(cp, 0));
	size_t behind = fifo.size;
	for (unsigned i = 0; i < 5; i++)
		put_write(&fifo, &copy[i], cp);
	for (unsigned i = 0; i < 4; i++) {
		put_write(&fifo, &c->after[i], cp);
		copied |= c->after[i].unit && c->after[i].address == 0x52;
	}
	if (!c->no_copy && !copied)
		put_write(&fifo, &end, cp);
	set_le64(&file, 0x80, file.size);
	set_le32(&file, 0x88, (uint32_t)fifo.size);
	put(&file, fifo.data, fifo.size);
	if (c->load) {
		set_le64(&file, 0x80 + 20, file.size);
		set_le32(&file, 0x80 + 28, 1);
		put_zero(&file, 24);
		size_t entry = file.size - 24;
		set_le32(&file, entry, (uint32_t)behind);
		set_le32(&file, entry + 4, 0x100000);
		set_le64(&file, entry + 8, file.size);
		set_le32(&file, entry + 16, 1);
		file.data[entry + 20] = QS_UPDATE_TEXTURE;
		put_u8(&file, 0x5A);
	}
	struct qs_capture *capture = qs_capture_open_memory(file.data, file.size, &error);
	ck_assert_msg(capture != NULL, "%s: %s", c->name, error.text);
	free(file.data);
	free(fifo.data);
	return capture;
}

static char *describe(const struct qs_lint_message *messages, uint32_t count, char *text, size_t size)
{
	*text = 0;
	for (uint32_t i = 0; i < count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s%s", i ? " " : "", &"!!"[2 - messages[i].severity], messages[i].check);
	return text;
}

START_TEST(one_thing_wrong)
{
	const struct lint_case *c = &cases[_i];
	struct qs_capture *capture = make_capture(c);
	struct qs_lint_message *messages;
	struct qs_error error;
	uint32_t count;
	char found[512];

	ck_assert_msg(qs_capture_lint(capture, 0, &messages, &count, NULL, NULL, &error), "%s: %s", c->name, error.text);
	describe(messages, count, found, sizeof found);
	ck_assert_msg(!strcmp(found, c->expected), "%s: %s, not %s (%s)", c->name, found, c->expected, count ? messages[0].text : "");
	if (c->fragment)
		ck_assert_msg(strstr(messages[0].text, c->fragment) != NULL, "%s: %s", c->name, messages[0].text);
	for (uint32_t i = 0; i < count; i++) {
		size_t length = strlen(messages[i].text);
		ck_assert_msg(length < 380 && messages[i].text[length - 1] == '.', "%s", messages[i].text);
		ck_assert_uint_eq(messages[i].count, 1);
		ck_assert_uint_eq(messages[i].moment.frame, 1);
	}
	qs_lint_free(messages, count);
	qs_capture_destroy(capture);
}
END_TEST

/* ---- captures ------------------------------------------------------------------------------------------------------------- */

/* What shipped captures show beside notes about late updates: they are meant to be clean. */
static const struct {
	const char *file, *expected;
} known[] = {
	{"copy-feedback-frames", "!texture_empty"}, /* frame 1 draws what only its end makes */
	{"display-copy-filter", "filter_sum"},
	{"display-fields", "!field_mask copy_field copy_field"},
	{"display-list-nested", "!file"},
	{"display-list-odd", "!list_alignment !list_alignment !!bad_command"},
	{"primitives-all", "opcode_88"},
	{"vertex-indexed", "vertex_count"}, /* 13 vertices, one of them dropped */
	{"tex-no-coordinates", "!no_coordinate"},
	{"tex-round-predict", "not_modelled"},
	{"vertex-rare-bits", "!matrix_index !texgen_input"},
	{"yuv-planes", "not_modelled not_modelled !pixel_type !pixel_type texture_stale"},
	{"z-early-late", "early_z_alpha"},
	{"z16-rgb565", "anti_aliasing"},
};

static void check_file(const char *folder, const char *file, const char *expected)
{
	struct qs_lint_message *messages;
	struct qs_error error;
	uint32_t count, kept = 0;
	char path[1024], found[512];

	snprintf(path, sizeof path, "%s/%s", folder, file);
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	ck_assert(qs_capture_lint(capture, 0, &messages, &count, NULL, NULL, &error));
	struct qs_lint_message *rest = calloc(count + 1, sizeof *rest);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_msg(messages[i].severity < QS_LINT_ERROR || (expected && strstr(expected, "!!")), "%s: %s", file, messages[i].text);
		if (strcmp(messages[i].check, "late_update"))
			rest[kept++] = messages[i];
	}
	if (expected)
		ck_assert_msg(!strcmp(describe(rest, kept, found, sizeof found), expected), "%s: %s, not %s", file, found, expected);
	free(rest);
	qs_lint_free(messages, count);
	qs_capture_destroy(capture);
}

static unsigned check_folder(const char *folder, bool strict)
{
	DIR *dir = opendir(folder);
	unsigned files = 0;

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		size_t length = strlen(entry->d_name);
		const char *expected = strict ? "" : NULL;
		if (length < 5 || strcmp(entry->d_name + length - 4, ".dff"))
			continue;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			if (strlen(known[i].file) == length - 4 && !strncmp(known[i].file, entry->d_name, length - 4))
				expected = known[i].expected;
		check_file(folder, entry->d_name, expected);
		files++;
	}
	if (dir)
		closedir(dir);
	return files;
}

START_TEST(shipped_captures)
{
	static const char *const strict[] = {"animation-six-frames", "blend-factors", "bp-mask", "clipping", "copy-a8", "copy-half-rgb565",
		"copy-z24", "display-copy-small", "display-list", "fog-exp", "indirect-formats", "light-two-channels", "lines-widths",
		"perspective-cube", "scissor-offset", "tev-ops", "tev-sixteen-stages", "tex-c8-rgb5a3", "tex-cmpr", "tex-eight-maps",
		"tex-mipmaps", "texgen-emboss", "tmem-preload", "triangle-gouraud", "vertex-position-formats", "write-masks", "z-texture"};
	char folder[512], file[64];

	snprintf(folder, sizeof folder, "%s/captures", getenv("QS_DATA"));
	ck_assert_uint_gt(check_folder(folder, false), 60);
	for (size_t i = 0; i < sizeof strict / sizeof *strict; i++) {
		snprintf(file, sizeof file, "%s.dff", strict[i]);
		check_file(folder, file, "");
	}
}
END_TEST

START_TEST(real_captures)
{
	char folder[512];
	const char *corpus = getenv("QS_CORPUS");

	if (corpus)
		snprintf(folder, sizeof folder, "%s/real", corpus);
	else
		snprintf(folder, sizeof folder, "%s/../shared/captures/real", getenv("QS_SRCDIR"));
	if (!check_folder(folder, false))
		printf("no real captures in %s (set QS_CORPUS): skipped\n", folder);
}
END_TEST

/* One frame alone: earlier frames count as history, and only what happens in it is told. */
START_TEST(frames)
{
	struct qs_lint_message *messages;
	struct qs_error error;
	struct qs_moment moment;
	uint32_t count;
	char path[512], text[80];

	snprintf(path, sizeof path, "%s/captures/copy-feedback-frames.dff", getenv("QS_DATA"));
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	ck_assert(qs_capture_lint(capture, 1, &messages, &count, NULL, NULL, &error));
	ck_assert_uint_ge(count, 1);
	bool empty = false;
	for (uint32_t i = 0; i < count; i++) {
		empty |= !strcmp(messages[i].check, "texture_empty");
		ck_assert_uint_eq(messages[i].moment.frame, 1);
		qs_moment_format(capture, &messages[i].moment, text, sizeof text);
		ck_assert_msg(qs_moment_parse(capture, text, &moment, &error), "%s", error.text);
	}
	ck_assert(empty);
	qs_lint_free(messages, count);
	ck_assert(qs_capture_lint(capture, 2, &messages, &count, NULL, NULL, &error));
	for (uint32_t i = 0; i < count; i++)
		ck_assert_str_ne(messages[i].check, "texture_empty");
	qs_lint_free(messages, count);
	ck_assert(!qs_capture_lint(capture, 9, &messages, &count, NULL, NULL, &error));
	ck_assert_int_eq(error.code, QS_ERR_RANGE);
	ck_assert(!messages && !count);
	qs_capture_destroy(capture);
}
END_TEST

static bool cancel(double fraction, void *user)
{
	(void)fraction;
	return ++*(int *)user < 2;
}

START_TEST(cancelling)
{
	struct qs_lint_message *messages;
	struct qs_error error;
	uint32_t count;
	int calls = 0;
	char path[512];

	snprintf(path, sizeof path, "%s/captures/animation-six-frames.dff", getenv("QS_DATA"));
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert(!qs_capture_lint(capture, 0, &messages, &count, cancel, &calls, &error));
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
	ck_assert_int_eq(calls, 2);
	qs_capture_destroy(capture);
}
END_TEST

/* Whatever stands in the commands and registers, the lint ends with messages. */
START_TEST(damaged_captures)
{
	static const char *const files[] = {"tex-eight-maps", "display-list", "indirect-formats", "copy-feedback-frames"};
	struct oracle_random random = oracle_random_start();
	unsigned opened = 0, told = 0;
	char path[512];

	for (unsigned i = 0; i < ORACLE_ROUNDS(400); i++) {
		struct qs_lint_message *messages;
		struct qs_error error;
		uint32_t count;
		snprintf(path, sizeof path, "%s/captures/%s.dff", getenv("QS_DATA"), files[i % 4]);
		struct bytes file = read_file(path);
		/* behind the header and the frame list: registers, commands, update lists */
		for (unsigned n = 1 + oracle_random_below(&random, 200); n > 0; n--)
			file.data[0x200 + oracle_random_below(&random, (uint32_t)file.size - 0x200)] = (uint8_t)oracle_random_next(&random);
		struct qs_capture *capture = qs_capture_open_memory(file.data, file.size, &error);
		free(file.data);
		if (!capture)
			continue;
		opened++;
		ck_assert_msg(qs_capture_lint(capture, 0, &messages, &count, NULL, NULL, &error), "seed %llu, number %u: %s",
			(unsigned long long)random.seed, i, error.text);
		told += count > 0;
		for (uint32_t k = 1; k < count; k++)
			ck_assert_msg(messages[k - 1].moment.level == QS_LEVEL_START || qs_moment_compare(&messages[k - 1].moment,
				&messages[k].moment) <= 0, "seed %llu, number %u: order", (unsigned long long)random.seed, i);
		qs_lint_free(messages, count);
		qs_capture_destroy(capture);
	}
	ck_assert_uint_gt(opened, ORACLE_ROUNDS(200));
	ck_assert_uint_gt(told, opened / 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lint");
	TCase *tcase = tcase_create("lint");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, one_thing_wrong, 0, sizeof cases / sizeof *cases);
	tcase_add_test(tcase, shipped_captures);
	tcase_add_test(tcase, real_captures);
	tcase_add_test(tcase, damaged_captures);
	tcase_add_test(tcase, frames);
	tcase_add_test(tcase, cancelling);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
