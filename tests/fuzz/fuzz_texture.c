/* fuzz_texture.c - any registers, memory and coordinates into the texture unit
 *
 *   bytes    what
 *   1        quirks: bit 0 bilinear, 1 trilinear, 2 mip_stride, 3 tmem_mips; bits 4-6 map; bit 7 Wii memory
 *   1        quads (low 4 bits), bit 4 lod from coordinates, bit 5 records, bit 6 block load, bit 7 palette load
 *   4        seed of the coordinates
 *   3 each   BP 0x80 .. 0xBF, then 0x60 .. 0x66, 0x00, 0x27, 0x28
 *
 * What the input is too short for is zero.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "gx/tx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t left;
};

static uint32_t take(struct input *in, unsigned bytes)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < bytes; i++, in->left -= in->left > 0)
		value = value << 8 | (in->left ? *in->data++ : 0);
	return value;
}

static uint32_t noise(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state ^ *state >> 15;
}

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)noise(&seed);
}

static float any_float(uint32_t *seed)
{
	union { uint32_t u; float f; } c = {.u = noise(seed)};
	return noise(seed) % 4 ? (float)(int32_t)c.u / (float)(1u << noise(seed) % 32) : c.f;
}

static void look_up(struct gx_machine *m, unsigned flags, unsigned map, uint32_t seed)
{
	static struct qs_sample samples[GX_BATCH];
	struct qs_sample *records[GX_BATCH];
	struct gx_batch *b = &m->batch;
	int32_t coord[4][GX_BATCH];
	b->quads = 1 + (flags & 15);
	b->fragments = 4 * b->quads;
	for (unsigned i = 0; i < GX_BATCH; i++) {
		records[i] = noise(&seed) % 8 ? &samples[i] : NULL;
		for (unsigned k = 0; k < 4; k++)
			coord[k][i] = (int32_t)noise(&seed) / (1 << noise(&seed) % 24);
		for (unsigned k = 0; k < 8; k++)
			b->uv[k][0][i] = b->uv[k][1][i] = any_float(&seed);
	}
	bool lod = flags & 16;
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, map, seed & 7, coord[0], coord[1], lod ? coord[2] : NULL, lod ? coord[3] : NULL,
		flags & 32 ? records : NULL);
	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < b->fragments; i++)
			if (b->texel[c][i] < 0 || b->texel[c][i] > 255)
				abort();
}

static void look(const struct gx_machine *m, unsigned map)
{
	struct qs_texture texture;
	struct qs_image image;
	struct qs_error error;
	if (!gx_view_texture(m, map, &texture, &error))
		abort();
	if (texture.width * texture.height <= 0x10000 && gx_view_texture_image(m, map, texture.levels - 1, &image, &error))
		free(image.rgba);
	if (gx_view_tlut_image(m, map, &image, &error))
		free(image.rgba);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* two machines for the life of the process: creating one costs more than a lookup */
	static struct gx_machine *machines[2];
	struct input in = {data, size};
	unsigned choice = take(&in, 1), flags = take(&in, 1), map = choice >> 4 & 7, wii = choice >> 7;
	uint32_t seed = take(&in, 4);
	if (!machines[wii]) {
		machines[wii] = gx_machine_create(0x20000, wii ? 0x10000 : 0);
		if (!machines[wii])
			return 0;
		machines[wii]->state.bp_mask = 0xFFFFFF;
		fill(machines[wii]->memory.mem1, machines[wii]->memory.mem1_size, 1);
		fill(machines[wii]->memory.mem2, machines[wii]->memory.mem2_size, 2);
		fill(machines[wii]->memory.tmem, GX_TMEM_SIZE, 3);
	}
	struct gx_machine *m = machines[wii];
	m->quirk[GX_QUIRK_bilinear] = choice & 1;
	m->quirk[GX_QUIRK_trilinear] = choice >> 1 & 1;
	m->quirk[GX_QUIRK_mip_stride] = choice >> 2 & 1;
	m->quirk[GX_QUIRK_tmem_mips] = choice >> 3 & 1;
	for (unsigned i = 0x80; i < 0xC0; i++)
		m->state.bp[i] = take(&in, 3);
	if (seed & 0xF00) /* large textures take long: only one in 16 */
		for (unsigned i = 0; i < 8; i++)
			m->state.bp[(i & 4 ? 0xA8 : 0x88) + (i & 3)] &= 0xF0FC3F;
	for (unsigned i = 0x60; i < 0x67; i++)
		m->state.bp[i] = take(&in, 3);
	m->state.bp[0x00] = take(&in, 3);
	m->state.bp[0x27] = take(&in, 3);
	m->state.bp[0x28] = take(&in, 3);
	if (flags & 64)
		gx_tx_load_block(m);
	if (flags & 128)
		gx_tx_load_tlut(m);
	look_up(m, flags, map, seed);
	look(m, map);
	return 0;
}
