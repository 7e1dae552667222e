/* classify.c - kinds of differences
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "trace/compare.h"

static const char *const class_names[QS_CLASS_COUNT] = {"unknown", "fill rule", "rounding", "depth formula", "blend", "swizzle", "wrap",
	"format", "scissor", "alpha test", "cull", "clip", "interpolation", "transcendental", "sampling", "uninitialised", "stale state"};

static const char *const unit_names[QS_AT_COUNT] = {"nothing", "coverage", "vertex", "interpolation", "texture", "TEV", "alpha test", "fog",
	"depth", "blend", "dither", "copy", "instruction", "packing"};

static const struct {
	const char *quirk;
	enum qs_class kind;
} kinds[] = {
	{"sample_point", QS_CLASS_FILL_RULE}, {"attribute_point", QS_CLASS_INTERPOLATION}, {"colour_perspective", QS_CLASS_INTERPOLATION},
	{"colour_convert", QS_CLASS_ROUNDING}, {"st_convert", QS_CLASS_ROUNDING}, {"clip_guard", QS_CLASS_CLIP},
	{"clip_touch", QS_CLASS_CLIP}, {"clip_colour", QS_CLASS_CLIP}, {"clip_lines", QS_CLASS_CLIP}, {"clip_points", QS_CLASS_CLIP},
	{"clip_no_reject", QS_CLASS_CLIP}, {"clip_far", QS_CLASS_CLIP}, {"cull_space", QS_CLASS_CULL},
	{"projection_z", QS_CLASS_DEPTH_FORMULA}, {"missing_colour", QS_CLASS_UNINITIALISED}, {"missing_vector", QS_CLASS_UNINITIALISED},
	{"byte_dequant", QS_CLASS_FORMAT}, {"matrix_index", QS_CLASS_STALE_STATE}, {"xf_unused", QS_CLASS_UNINITIALISED},
	{"xf_flush", QS_CLASS_ROUNDING}, {"zero_vector", QS_CLASS_TRANSCENDENTAL}, {"colour_texgen", QS_CLASS_FORMAT}, {"light_overflow", QS_CLASS_ROUNDING},
	{"light_precision", QS_CLASS_ROUNDING}, {"bilinear", QS_CLASS_SAMPLING}, {"trilinear", QS_CLASS_SAMPLING},
	{"mip_stride", QS_CLASS_FORMAT}, {"tmem_mips", QS_CLASS_FORMAT}, {"utc_lod", QS_CLASS_SAMPLING},
	{"alpha_subtract", QS_CLASS_ROUNDING}, {"konst_bits", QS_CLASS_FORMAT}, {"disabled_texel", QS_CLASS_UNINITIALISED},
	{"dynamic_indirect", QS_CLASS_ROUNDING}, {"fog_round", QS_CLASS_ROUNDING}, {"fog_numerator", QS_CLASS_ROUNDING},
	{"fog_range", QS_CLASS_TRANSCENDENTAL}, {"ztexture_swap", QS_CLASS_SWIZZLE}, {"zfreeze", QS_CLASS_STALE_STATE},
	{"blend_round", QS_CLASS_BLEND}, {"alpha_one", QS_CLASS_BLEND}, {"dither_formats", QS_CLASS_FORMAT},
	{"yscale_filter", QS_CLASS_SAMPLING}, {"gamma_round", QS_CLASS_ROUNDING}, {"intensity_round", QS_CLASS_ROUNDING},
	{"filter_wrap", QS_CLASS_ROUNDING}, {"texture_copy_filter", QS_CLASS_SAMPLING}, {"z16", QS_CLASS_FORMAT},
	{"yuv_pixels", QS_CLASS_FORMAT}, {"multisample", QS_CLASS_FILL_RULE}, {"display_copy_x", QS_CLASS_SWIZZLE},
	{"depth_copy_half", QS_CLASS_SWIZZLE}, {"display_copy_z", QS_CLASS_FORMAT}, {"quads2", QS_CLASS_FORMAT},
	{"field_lines", QS_CLASS_SCISSOR}, {"texture_cache", QS_CLASS_STALE_STATE}, {"tlut_place", QS_CLASS_FORMAT},
	{"start_clear", QS_CLASS_UNINITIALISED},
	/* Gfx3D */
	{"rcp_zero", QS_CLASS_TRANSCENDENTAL}, {"rsq_domain", QS_CLASS_TRANSCENDENTAL}, {"rsq_math", QS_CLASS_TRANSCENDENTAL},
	{"pow_math", QS_CLASS_TRANSCENDENTAL}, {"pow_negative", QS_CLASS_TRANSCENDENTAL}, {"pow_zero", QS_CLASS_TRANSCENDENTAL},
	{"trig_math", QS_CLASS_TRANSCENDENTAL}, {"trunc_range", QS_CLASS_ROUNDING}, {"swz_upper", QS_CLASS_SWIZZLE},
	{"abs_lanes", QS_CLASS_SWIZZLE}, {"matrix_overlap", QS_CLASS_STALE_STATE}, {"matrix_rows", QS_CLASS_SWIZZLE},
	{"dot_width", QS_CLASS_SWIZZLE}, {"cmp_unknown", QS_CLASS_FORMAT}, {"immediates", QS_CLASS_ROUNDING},
	{"fcoord_slot", QS_CLASS_SWIZZLE}, {"sample_texel", QS_CLASS_SAMPLING}, {"sample_rows", QS_CLASS_SAMPLING},
	{"sample_unbound", QS_CLASS_UNINITIALISED}, {"sampler_slot", QS_CLASS_SAMPLING}, {"bind_unit", QS_CLASS_SAMPLING},
	{"sampler_state", QS_CLASS_WRAP}, {"fresh_target", QS_CLASS_UNINITIALISED}, {"clear_depth", QS_CLASS_STALE_STATE},
	{"clear_pack", QS_CLASS_ROUNDING}, {"camera_axes", QS_CLASS_CLIP}, {"attribute_fill", QS_CLASS_UNINITIALISED},
	{"attribute_format", QS_CLASS_FORMAT}, {"attribute_order", QS_CLASS_SWIZZLE}, {"index_check", QS_CLASS_UNINITIALISED},
	{"clip", QS_CLASS_CLIP}, {"cull", QS_CLASS_CULL}, {"viewport", QS_CLASS_SCISSOR}, {"coverage", QS_CLASS_FILL_RULE},
	{"fill_rule", QS_CLASS_FILL_RULE}, {"depth_formula", QS_CLASS_DEPTH_FORMULA}, {"depth_off", QS_CLASS_STALE_STATE},
	{"fcoord_w", QS_CLASS_INTERPOLATION}, {"pack", QS_CLASS_ROUNDING},
	{"relink_keeps", QS_CLASS_STALE_STATE}, {"relink_uniforms", QS_CLASS_STALE_STATE},
};

const char *qs_class_name(enum qs_class kind)
{
	return (unsigned)kind < QS_CLASS_COUNT ? class_names[kind] : "?";
}

const char *qs_stage_unit_name(enum qs_stage_unit unit)
{
	return (unsigned)unit < QS_AT_COUNT ? unit_names[unit] : "?";
}

enum qs_class qs_quirk_class(const char *quirk)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].quirk, quirk))
			return kinds[i].kind;
	return QS_CLASS_NONE;
}

enum qs_class class_of_unit(enum qs_stage_unit unit)
{
	static const enum qs_class usual[QS_AT_COUNT] = {[QS_AT_COVERAGE] = QS_CLASS_FILL_RULE, [QS_AT_VERTEX] = QS_CLASS_ROUNDING,
		[QS_AT_INTERPOLATION] = QS_CLASS_INTERPOLATION, [QS_AT_TEXTURE] = QS_CLASS_SAMPLING, [QS_AT_TEV] = QS_CLASS_ROUNDING,
		[QS_AT_ALPHA] = QS_CLASS_ALPHA_TEST, [QS_AT_FOG] = QS_CLASS_ROUNDING, [QS_AT_DEPTH] = QS_CLASS_DEPTH_FORMULA,
		[QS_AT_BLEND] = QS_CLASS_BLEND, [QS_AT_DITHER] = QS_CLASS_FORMAT, [QS_AT_COPY] = QS_CLASS_ROUNDING,
		[QS_AT_INSTRUCTION] = QS_CLASS_ROUNDING, [QS_AT_PACKING] = QS_CLASS_ROUNDING};

	return (unsigned)unit < QS_AT_COUNT ? usual[unit] : QS_CLASS_NONE;
}
