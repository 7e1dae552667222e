/* lint_pixel.c - what a draw needs of textures, combiners and the pixel engine
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/bits.h"
#include "gx/lint.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

/* ---- memory of textures --------------------------------------------------------------------------------------------------- */

/* Whether a copy of this capture wrote there; *stale: and the texture cache was not told. */
static bool copied(const struct lint *l, uint32_t address, uint32_t size, bool *stale)
{
	bool any = false;

	address &= 0x1FFFFFFF;
	for (unsigned i = 0; i < LINT_COPIES; i++) {
		const struct lint_copied *c = &l->copied[i];
		if (c->size && address < c->address + c->size && c->address < address + size) {
			any = true;
			*stale |= c->stale;
		}
	}
	return any;
}

static bool all_zero(const uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* The same, remembered: draw after draw asks for the same textures. */
static bool memory_empty(struct lint *l, uint32_t address, uint32_t size, const uint8_t *bytes)
{
	uint32_t generation = l->m->memory.main_generation;

	for (unsigned i = 0; i < LINT_CHECKED; i++)
		if (l->checked[i].address == address && l->checked[i].size == size && l->checked[i].generation == generation)
			return l->checked[i].empty;
	unsigned slot = l->checked_count++ % LINT_CHECKED;
	l->checked[slot].address = address;
	l->checked[slot].size = size;
	l->checked[slot].generation = generation;
	l->checked[slot].empty = all_zero(bytes, size);
	return l->checked[slot].empty;
}

static void check_main_memory(struct lint *l, unsigned map, const struct tx_source *source)
{
	bool stale = false, is_copy = copied(l, source->address, source->size, &stale);
	const uint8_t *bytes = gx_memory_at(&l->m->memory, source->address, source->size);

	if (!bytes)
		lint_report(l, QS_LINT_WARNING, "texture_memory", (uint64_t)map << 32 | source->address, "Texture map %u (0x%x bytes at 0x%08x) "
			"is not all inside memory.", map, source->size, source->address);
	else if (!is_copy && memory_empty(l, source->address, source->size, bytes))
		lint_report(l, QS_LINT_WARNING, "texture_empty", (uint64_t)map << 32 | source->address, "Texture map %u at 0x%08x (%ux%u) is all zero%s.",
			map, source->address, source->width, source->height,
			lint_bp_unset(l, (map < 4 ? 0x94 : 0xB0) + map) ? ": its address was never written" : ": it was never loaded, or is empty");
	if (stale)
		lint_report(l, QS_LINT_NOTE, "texture_stale", (uint64_t)map << 32 | source->address, "Texture map %u at 0x%08x was made by a copy, "
			"and the texture cache was not invalidated (TX_INVTAGS) since: the console may show older contents.", map, source->address);
}

/* Maps that are read must have data; 05-tx. */
static void check_map_data(struct lint *l, unsigned map, const struct tx_map *tm)
{
	static const uint8_t none[1];
	struct tx_source source;

	struct tx_rules rules = tx_rules_of(l->m);
	tx_locate(tm, 0, &rules, &source);
	if (source.from_tmem) {
		const uint8_t *tmem = l->m->memory.tmem;
		uint32_t room = source.address < GX_TMEM_SIZE ? GX_TMEM_SIZE - source.address : 0;
		if (all_zero(room ? tmem + source.address : none, source.size < room ? source.size : room))
			lint_report(l, QS_LINT_WARNING, "texture_empty", (uint64_t)map << 32 | 1u << 31 | source.address, "Texture map %u is preloaded, "
				"but texture memory at 0x%05x is all zero.", map, source.address);
	} else {
		check_main_memory(l, map, &source);
	}
	uint32_t palette = tx_palette_size(&source);
	if (!palette)
		return;
	uint8_t scratch[32768];
	if (all_zero(tx_fetch_palette(&l->m->memory, &source, scratch), palette))
		lint_report(l, QS_LINT_WARNING, "palette_empty", (uint64_t)map << 32 | source.tlut, "The palette of texture map %u (texture memory "
			"0x%05x) is all zero: it was never loaded.", map, source.tlut);
	if (tm->tlut_format == 3)
		lint_report(l, QS_LINT_WARNING, "palette_format", map, "The palette of texture map %u has the reserved format 3.", map);
}

static void check_map(struct lint *l, unsigned map)
{
	unsigned base = map < 4 ? 0x80 + map : 0xA0 + map - 4;
	uint32_t mode = lint_bp(l, base), limits = lint_bp(l, base + 4), format = bits(lint_bp(l, base + 8), 20, 4);
	struct tx_map tm;

	tx_decode_map(l->m->state.bp, map, &tm);
	if (format == 7 || (format > 10 && format != 14))
		lint_report(l, QS_LINT_WARNING, "texture_format", map << 4 | format, "Texture map %u has the reserved format %u.", map, format);
	else
		check_map_data(l, map, &tm);
	if (bits(mode, 0, 2) == 3 || bits(mode, 2, 2) == 3)
		lint_report(l, QS_LINT_NOTE, "wrap_mode", map, "Texture map %u has the reserved wrap mode 3, which acts as clamp.", map);
	if (bits(mode, 5, 2) == 3)
		lint_report(l, QS_LINT_WARNING, "mip_filter", map, "Texture map %u has the reserved mip filter 3.", map);
	if (bits(limits, 0, 8) > bits(limits, 8, 8) && bits(mode, 5, 2))
		lint_report(l, QS_LINT_NOTE, "lod_limits", map, "Texture map %u has a lower LOD limit above the upper one; the upper one wins.", map);
	if (bits(mode, 18, 1))
		lint_report(l, QS_LINT_NOTE, "not_modelled", 40 + map, "Field prediction (TX_SETMODE0_%u.field_predict) is not modelled unless the "
			"quirk field_predict is set.", map);
	if (bits(mode, 19, 2) && !(bits(mode, 7, 1) && bits(mode, 5, 2) == 2))
		lint_report(l, QS_LINT_NOTE, "anisotropy", map, "Texture map %u asks for %u samples along the longer axis (max_aniso), but does not "
			"filter linearly between texels and levels.", map, bits(mode, 19, 2) > 1 ? 4 : 2);
	if (!tm.preloaded && (!tm.cache_width[0] || !tm.cache_height[0]))
		lint_report(l, QS_LINT_WARNING, "cache_region", map, "Texture map %u has no cache region (TX_SETIMAGE1_%u has size 0): models read it "
			"from main memory directly.", map, map);
}

/* ---- combiners ------------------------------------------------------------------------------------------------------------ */

struct stage_use {
	bool texture, raster; /* read by the colour or alpha combiner */
};

static bool reads(uint32_t word, unsigned lsb, unsigned width, unsigned first, unsigned last)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned input = bits(word, lsb + i * width, width);
		if (input >= first && input <= last)
			return true;
	}
	return false;
}

static struct stage_use use_of(const struct lint *l, unsigned stage)
{
	uint32_t colour = lint_bp(l, 0xC0 + 2 * stage), alpha = lint_bp(l, 0xC1 + 2 * stage);

	return (struct stage_use){
		.texture = reads(colour, 0, 4, 8, 9) || reads(alpha, 4, 3, 4, 4),
		.raster = reads(colour, 0, 4, 10, 11) || reads(alpha, 4, 3, 5, 5),
	};
}

static void check_swap(struct lint *l, unsigned stage, unsigned table, const char *what)
{
	unsigned address = 0xF6 + 2 * table;

	if (lint_bp_unset(l, address) && lint_bp_unset(l, address + 1))
		lint_report(l, QS_LINT_WARNING, "swap_table", table, "Stage %u passes its %s colour through swap table %u, which was never written: "
			"all channels become red.", stage, what, table);
}

/* GX sets the range bias of a coordinate for repeating textures, where it cannot be seen. */
static void check_range_bias(struct lint *l, unsigned map, unsigned coord)
{
	uint32_t mode = lint_bp(l, map < 4 ? 0x80 + map : 0xA0 + map - 4);

	for (unsigned axis = 0; axis < 2; axis++)
		if (bits(lint_bp(l, 0x30 + 2 * coord + axis), 16, 1) && bits(mode, 2 * axis, 2) != 1)
			lint_report(l, QS_LINT_NOTE, "range_bias", map << 8 | coord << 4 | axis, "Coordinate %u has a range bias (SU_%cSIZE_%u.bias), but "
				"texture map %u does not repeat along it: the bias is not modelled, and the console may show other texels.", coord,
				axis ? 'T' : 'S', coord, map);
}

static void check_stage_texture(struct lint *l, unsigned stage, uint32_t order, bool used)
{
	unsigned coord = bits(order, 3, 3), ntex = bits(lint_bp(l, 0x00), 0, 4);

	if (!bits(order, 6, 1)) {
		if (used)
			lint_report(l, QS_LINT_WARNING, "no_texture", stage, "Stage %u reads a texture colour, but has no texture lookup "
				"(RAS1_TREF%u); what it gets is undefined.", stage, stage / 2);
		return;
	}
	if (used && !ntex)
		lint_report(l, QS_LINT_WARNING, "no_coordinate", 64 + stage, "Stage %u looks up a texture, but GEN_MODE has no texture coordinates.",
			stage);
	else if (used && coord >= ntex)
		lint_report(l, QS_LINT_WARNING, "no_coordinate", stage, "Stage %u looks up a texture at coordinate %u, but there are only %u; the "
			"hardware takes coordinate 0.", stage, coord, ntex);
	else if (used)
		check_range_bias(l, bits(order, 0, 3), coord);
}

static void check_stage_raster(struct lint *l, unsigned stage, unsigned channel)
{
	unsigned ncol = bits(lint_bp(l, 0x00), 4, 3);

	if (channel >= 2 && channel <= 4)
		lint_report(l, QS_LINT_WARNING, "channel", stage << 3 | channel, "Stage %u reads the reserved colour channel %u, which is zero.",
			stage, channel);
	else if (channel < 2 && channel >= ncol)
		lint_report(l, QS_LINT_WARNING, "channel", stage << 3 | channel, "Stage %u reads colour channel %u, but GEN_MODE has only %u.", stage,
			channel, ncol);
	else if ((channel == 5 || channel == 6) && !bits(lint_bp(l, 0x10 + stage), 7, 2))
		lint_report(l, QS_LINT_WARNING, "bump_alpha", stage, "Stage %u reads bump alpha, but IND_CMD_%u selects none.", stage, stage);
}

/* 06-tev section 4. */
static void check_indirect(struct lint *l, unsigned stage)
{
	uint32_t command = lint_bp(l, 0x10 + stage);
	unsigned matrix = bits(command, 9, 2), stages = bits(lint_bp(l, 0x00), 16, 3);

	if ((matrix || bits(command, 7, 2)) && bits(command, 0, 2) >= stages)
		lint_report(l, QS_LINT_WARNING, "indirect_stage", stage, "Stage %u uses indirect stage %u, but GEN_MODE has only %u; the hardware "
			"gives noise.", stage, bits(command, 0, 2), stages);
	if (matrix && bits(command, 11, 2) == 3)
		lint_report(l, QS_LINT_WARNING, "indirect_matrix", stage, "IND_CMD_%u has the reserved matrix type 3.", stage);
	if (matrix && !bits(command, 11, 2)) {
		unsigned first = 0x06 + 3 * (matrix - 1);
		if (lint_bp_unset(l, first) && lint_bp_unset(l, first + 1) && lint_bp_unset(l, first + 2))
			lint_report(l, QS_LINT_WARNING, "indirect_matrix", 16 + stage, "Stage %u offsets its coordinate by indirect matrix %u, which was "
				"never written.", stage, matrix - 1);
	}
	if (!stage && bits(command, 20, 1))
		lint_report(l, QS_LINT_NOTE, "indirect_addprev", 0, "Stage 0 adds the coordinate of the stage before it, but there is none.");
}

/* A coordinate that is not made is replaced by 0 (04-ras section 1). */
static unsigned real_coord(const struct lint *l, unsigned coord)
{
	return coord < bits(lint_bp(l, 0x00), 0, 4) ? coord : 0;
}

/* Returns a bit per texture map that is read. */
static unsigned check_stages(struct lint *l)
{
	uint32_t mode = lint_bp(l, 0x00);
	unsigned stages = bits(mode, 10, 4) + 1, indirect = bits(mode, 16, 3), maps = 0;

	if (indirect > 4)
		lint_report(l, QS_LINT_WARNING, "gen_mode", 1u << 31 | indirect, "GEN_MODE asks for %u indirect stages; there are 4.", indirect);
	l->coords = l->channels = 0;
	for (unsigned i = 0; i < indirect && i < 4; i++) {
		maps |= 1u << bits(lint_bp(l, 0x27), 6 * i, 3);
		l->coords |= 1u << real_coord(l, bits(lint_bp(l, 0x27), 6 * i + 3, 3));
	}
	for (unsigned i = 0; i < stages; i++) {
		uint32_t order = bits(lint_bp(l, 0x28 + i / 2), i & 1 ? 12 : 0, 10), alpha = lint_bp(l, 0xC1 + 2 * i);
		struct stage_use use = use_of(l, i);
		bool z_texture = i + 1 == stages && bits(lint_bp(l, 0xF5), 2, 2);
		check_stage_texture(l, i, order, use.texture || z_texture);
		if (bits(order, 6, 1) && (use.texture || z_texture)) {
			maps |= 1u << bits(order, 0, 3);
			l->coords |= 1u << real_coord(l, bits(order, 3, 3));
		}
		if (use.raster) {
			l->channels |= 1u << bits(order, 7, 3);
			check_stage_raster(l, i, bits(order, 7, 3));
			check_swap(l, i, bits(alpha, 0, 2), "raster");
		}
		if (use.texture && bits(order, 6, 1))
			check_swap(l, i, bits(alpha, 2, 2), "texture");
		check_indirect(l, i);
	}
	return maps;
}

static void check_fog_and_z(struct lint *l)
{
	unsigned fog = bits(lint_bp(l, 0xF1), 21, 3), op = bits(lint_bp(l, 0xF5), 2, 2);

	if (fog == 1 || fog == 3)
		lint_report(l, QS_LINT_WARNING, "fog_type", fog, "TEV_FOG_PARAM_3 has the reserved fog type %u.", fog);
	if (op == 3 || (op && bits(lint_bp(l, 0xF5), 0, 2) == 3))
		lint_report(l, QS_LINT_WARNING, "z_texture", 0, "TEV_ZENV1 has a reserved Z texture type or operation.");
	if (op && bits(lint_bp(l, 0x43), 6, 1) && bits(lint_bp(l, 0x40), 0, 1))
		lint_report(l, QS_LINT_WARNING, "z_texture", 1, "The draw has a Z texture, but depth is tested before texturing (PE_CONTROL.ztop): "
			"the stored depth is the geometry's.");
}

/* ---- pixel engine --------------------------------------------------------------------------------------------------------- */

/* -1: depends on alpha; else whether the comparison always gives that. */
static int constant_compare(unsigned func)
{
	return func == 0 ? 0 : func == 7 ? 1 : -1;
}

/* The alpha test as a constant, or -1. */
static int constant_alpha_test(uint32_t word)
{
	int a = constant_compare(bits(word, 16, 3)), b = constant_compare(bits(word, 19, 3));

	switch (bits(word, 22, 2)) {
	case 0:
		return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1;
	case 1:
		return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : -1;
	case 2:
		return a < 0 || b < 0 ? -1 : a ^ b;
	default:
		return a < 0 || b < 0 ? -1 : !(a ^ b);
	}
}

/* Only RGBA6 stores alpha; what asks for it elsewhere gets 1 or nothing. */
static void check_stored_alpha(struct lint *l, unsigned type)
{
	uint32_t blend = lint_bp(l, 0x41);
	bool source = bits(blend, 8, 3) >= 6, destination = bits(blend, 5, 3) >= 6;

	if (type == 1)
		return;
	if (bits(blend, 0, 1) && (source || destination))
		lint_report(l, QS_LINT_WARNING, "no_alpha", (unsigned)source << 1 | (unsigned)destination, "Blending takes the alpha of the frame buffer (PE_CMODE0.%s), but "
			"its pixel type %u stores none: it reads 1.", source ? "src_factor" : "dst_factor", type);
	if (bits(blend, 4, 1) && !bits(blend, 3, 1))
		lint_report(l, QS_LINT_WARNING, "no_alpha", 4, "The draw writes alpha only (PE_CMODE0.alpha_update), but pixel type %u stores none: "
			"nothing is written.", type);
	if (bits(blend, 4, 1) && bits(lint_bp(l, 0x42), 8, 1))
		lint_report(l, QS_LINT_WARNING, "no_alpha", 8, "A constant alpha is written (PE_CMODE1), but pixel type %u stores none.", type);
}

static void check_pixel_engine(struct lint *l)
{
	uint32_t zmode = lint_bp(l, 0x40), blend = lint_bp(l, 0x41), control = lint_bp(l, 0x43), mode = lint_bp(l, 0x00);
	unsigned type = bits(control, 0, 3);
	int test = constant_alpha_test(lint_bp(l, 0xF3));
	bool z_written = bits(zmode, 0, 1) && bits(zmode, 4, 1);

	if (type > 5)
		lint_report(l, QS_LINT_WARNING, "pixel_type", type, "PE_CONTROL has the reserved pixel type %u.", type);
	else if (type > 3)
		lint_report(l, QS_LINT_NOTE, "not_modelled", 64 + type, "Pixel type %s is not modelled: pixels are stored as RGB8.",
			type == 4 ? "yuv8" : "yuv420");
	if (bits(mode, 9, 1) && type != 2)
		lint_report(l, QS_LINT_WARNING, "anti_aliasing", type, "Anti-aliasing (GEN_MODE.ms_en) is on with pixel type %u; it needs type 2 "
			"(RGB565, 16-bit Z).", type);
	if (!bits(mode, 9, 1) && type == 2)
		lint_report(l, QS_LINT_NOTE, "anti_aliasing", 8, "The pixel type is RGB565 with 16-bit Z, but anti-aliasing (GEN_MODE.ms_en) is off.");
	if (!bits(lint_bp(l, 0x44), 0, 2))
		lint_report(l, QS_LINT_WARNING, "field_mask", 0, "PE_FIELD_MASK%s enables neither even nor odd lines: nothing is stored.",
			lint_bp_unset(l, 0x44) ? " was never written and" : "");
	if (bits(blend, 0, 2) == 3)
		lint_report(l, QS_LINT_NOTE, "blend_logic", 0, "PE_CMODE0 enables both blending and the logic operation: blending wins.");
	if (bits(blend, 11, 1) && !bits(blend, 0, 1))
		lint_report(l, QS_LINT_NOTE, "subtract", 0, "PE_CMODE0.subtract has no effect without blending.");
	if (bits(zmode, 4, 1) && !bits(zmode, 0, 1))
		lint_report(l, QS_LINT_NOTE, "z_update", 0, "PE_ZMODE updates depth but has the test off: depth is not written.");
	if (!bits(blend, 3, 1) && !(bits(blend, 4, 1) && type == 1) && !z_written)
		lint_report(l, QS_LINT_NOTE, "writes_nothing", 0, "The draw changes neither colour nor depth: all write masks are off.");
	if (test == 0)
		lint_report(l, QS_LINT_NOTE, "alpha_never", 0, "The alpha test lets nothing pass (TEV_ALPHAFUNC = 0x%06x%s).", lint_bp(l, 0xF3),
			lint_bp_unset(l, 0xF3) ? ", never written" : "");
	if (test < 0 && bits(control, 6, 1) && z_written)
		lint_report(l, QS_LINT_NOTE, "early_z_alpha", 0, "Depth is written before texturing, so also where the alpha test then fails "
			"(PE_CONTROL.ztop).");
	check_stored_alpha(l, type);
}

void lint_pixel(struct lint *l)
{
	unsigned maps = check_stages(l);

	for (unsigned map = 0; map < TX_MAPS; map++)
		if (maps >> map & 1)
			check_map(l, map);
	check_fog_and_z(l);
	check_pixel_engine(l);
}
