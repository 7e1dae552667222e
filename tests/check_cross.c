/* check_cross.c - one moment, four ways: stepping to it, the trace of its quad, the history of its pixels, and Lua
 *
 * At each of 200 random moments everything that a way says about the quad is written as text, number by number, and compared
 * with the trace of a timeline that went there directly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "script_host.h"

#define PER_CAPTURE 20

static struct session session;
static struct script_host host;
static struct qs_script *script;

/* ---- the quad as text ---------------------------------------------------------------------------------------------------- */

static void write_rgba(FILE *out, const uint8_t c[4])
{
	fprintf(out, " %d %d %d %d", c[0], c[1], c[2], c[3]);
}

static void write_shorts(FILE *out, const int16_t *c)
{
	fprintf(out, " %d %d %d %d", c[0], c[1], c[2], c[3]);
}

static void write_sample(FILE *out, const struct qs_sample *s)
{
	fprintf(out, " (%d %d %d %d %d %d %d %d %d %d", s->done, s->map, s->coord, s->s, s->t, s->lod, s->lod_fraction, s->linear, s->from_tmem,
		s->texel_count);
	write_rgba(out, s->rgba);
	for (unsigned i = 0; i < s->texel_count; i++) {
		const struct qs_texel *t = &s->texel[i];

		fprintf(out, " [%d %d %d %d %u", t->s, t->t, t->level, t->weight, t->address);
		write_rgba(out, t->rgba);
		fprintf(out, "]");
	}
	fprintf(out, ")");
}

static void write_stage(FILE *out, const struct qs_stage *s)
{
	fprintf(out, " stage");
	write_shorts(out, s->tex);
	write_shorts(out, s->ras);
	write_shorts(out, s->konst);
	write_shorts(out, s->a);
	write_shorts(out, s->b);
	write_shorts(out, s->c);
	write_shorts(out, s->d);
	fprintf(out, " %d %d %d %d", s->wide[0], s->wide[1], s->wide[2], s->wide[3]);
	write_shorts(out, s->result);
	for (int i = 0; i < 4; i++)
		write_shorts(out, s->reg[i]);
	fprintf(out, " %d %d %d %d %d", s->indirect_s, s->indirect_t, s->coord_s, s->coord_t, s->bump_alpha);
	write_sample(out, &s->sample);
}

static void write_fragment(FILE *out, const struct qs_fragment *f)
{
	fprintf(out, "fragment %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", f->x, f->y, f->verdict, f->samples, f->fog, f->stage_count,
		f->indirect_count, f->alpha_tested, f->alpha_passed, f->early_z, f->z_tested, f->z_passed, f->z_written, f->alpha_ref0, f->alpha_ref1);
	fprintf(out, " %u %u %u %u %d %d %d %d %d %.9g", f->z_interpolated, f->z, f->z_old, f->z_new, f->z_func & 7, f->alpha_func0 & 7,
		f->alpha_func1 & 7, f->alpha_logic & 3, f->blend_mode, (double)f->inv_w);
	fprintf(out, " %d %d %u %u", f->z_texture, f->z_texture_type, f->z_texture_value, f->z_texture_bias);
	write_rgba(out, f->tev);
	write_rgba(out, f->source);
	write_rgba(out, f->old_rgba);
	write_rgba(out, f->new_rgba);
	write_rgba(out, f->blended);
	write_rgba(out, f->blend_src_factor);
	write_rgba(out, f->blend_dst_factor);
	write_rgba(out, f->ras[0]);
	write_rgba(out, f->ras[1]);
	for (int i = 0; i < 8; i++)
		fprintf(out, " %d %d", f->coord[i][0], f->coord[i][1]);
	for (unsigned i = 0; i < f->indirect_count; i++)
		write_sample(out, &f->indirect[i]);
	for (unsigned i = 0; i < f->stage_count; i++)
		write_stage(out, &f->stage[i]);
	fprintf(out, "\n");
}

static void write_quad(FILE *out, const struct qs_quad *q)
{
	fprintf(out, "quad %d %d %d %u", q->x, q->y, q->coverage, q->part);
	for (int i = 0; i < 36; i++)
		fprintf(out, " %.17g", q->edge[i / 9][i / 3 % 3][i % 3]);
	fprintf(out, "\n");
	for (int i = 0; i < 4; i++)
		write_fragment(out, &q->fragment[i]);
}

static void write_setup(FILE *out, const struct qs_setup *p)
{
	fprintf(out, "setup %d %d %d %d %u %u %.17g %d %d %d %d %.9g %.9g %d", p->kind, p->verdict, p->ntex, p->ncol, p->part, p->part_count,
		p->area2 / 2, p->box.x0, p->box.y0, p->box.x1, p->box.y1, (double)p->z.f0, (double)p->inv_w.dfdx, p->sample_count);
	for (int i = 0; i < 3; i++)
		fprintf(out, " %.17g %.17g %.17g %d %.9g %.9g %.9g", p->edge[i].dx, p->edge[i].dy, p->edge[i].c, p->edge[i].top_left,
			(double)p->vertex[i].screen[0], (double)p->vertex[i].clip[3], (double)p->vertex[i].tex[0][1]);
	fprintf(out, " %.9g %.9g\n", (double)p->colour[0][3].f0, (double)p->tex[7][2].dfdy);
}

/* The same in Lua, for the tables of qs.trace and for what hooks get. */
static const char prelude[] =
	"local verdicts = {none=0, written=1, masked=2, early_z=3, alpha=4, late_z=5, pending=6}\n"
	"local funcs = {never=0, less=1, equal=2, lequal=3, greater=4, nequal=5, gequal=6, always=7}\n"
	"local kinds = {point=0, line=1, triangle=2}\n"
	"local setups = {drawn=0, rejected=1, clipped=2, culled=3, degenerate=4, scissored=5}\n"
	"local blends = {none=0, blend=1, subtract=2, logic=3}\n"
	"local logics = {['and']=0, ['or']=1, xor=2, xnor=3}\n"
	"local out\n"
	"local function int(...) for i = 1, select('#', ...) do local v = select(i, ...) if v == true then v = 1 elseif v == false then v = 0 end\n"
	"  out[#out + 1] = ' ' .. math.tointeger(v) end end\n"
	"local function real(format, ...) for i = 1, select('#', ...) do out[#out + 1] = (' ' .. format):format((select(i, ...))) end end\n"
	"local function rgba(c) int(c.r, c.g, c.b, c.a) end\n"
	"local function put(text) out[#out + 1] = text end\n"
	"local function sample(s)\n"
	"  put(' (' .. (s.done and 1 or 0)) int(s.map, s.coord, s.s, s.t, s.lod, s.lod_fraction, s.linear, s.from_tmem, s.texel_count) rgba(s.rgba)\n"
	"  for i = 0, s.texel_count - 1 do local t = s.texel[i] put(' [' .. t.s) int(t.t, t.level, t.weight, t.address) rgba(t.rgba) put(']') end\n"
	"  put(')') end\n"
	"local function stage(s) put(' stage') for _, c in ipairs{s.tex, s.ras, s.konst, s.a, s.b, s.c, s.d, s.wide, s.result, s.prev, s.c0, s.c1, s.c2} do\n"
	"  rgba(c) end int(s.indirect_s, s.indirect_t, s.coord_s, s.coord_t, s.bump_alpha) sample(s.sample) end\n"
	"function write_fragment(f) put('fragment')\n"
	"  int(f.x, f.y, verdicts[f.verdict], f.samples, f.fog, f.stage_count, f.indirect_count, f.alpha_tested, f.alpha_passed, f.early_z, f.z_tested,\n"
	"    f.z_passed, f.z_written, f.alpha_ref0, f.alpha_ref1, f.z_interpolated, f.z, f.z_old, f.z_new, funcs[f.z_func], funcs[f.alpha_func0],\n"
	"    funcs[f.alpha_func1], logics[f.alpha_logic], blends[f.blend_mode]) real('%.9g', f.inv_w)\n"
	"  int(f.z_texture, f.z_texture_type, f.z_texture_value, f.z_texture_bias)\n"
	"  for _, c in ipairs{f.tev, f.source, f.old, f.new, f.blended, f.blend_src_factor, f.blend_dst_factor, f.ras[0], f.ras[1]} do rgba(c) end\n"
	"  for i = 0, 7 do int(f.coord[i].s, f.coord[i].t) end\n"
	"  for i = 0, f.indirect_count - 1 do sample(f.indirect[i]) end\n"
	"  for i = 0, f.stage_count - 1 do stage(f.stage[i]) end put('\\n') end\n"
	"function write_quad(q) put('quad') int(q.x, q.y, q.coverage, q.part)\n"
	"  for i = 0, 35 do real('%.17g', q.edge[i // 9][i // 3 % 3][i % 3]) end put('\\n') end\n"
	"function write_setup(p) put('setup') int(kinds[p.kind], setups[p.setup], p.ntex, p.ncol, p.part, p.part_count) real('%.17g', p.area)\n"
	"  int(p.box.x0, p.box.y0, p.box.x1, p.box.y1) real('%.9g', p.z.f0, p.inv_w.dfdx) int(p.sample_count)\n"
	"  for i = 0, 2 do local e, v = p.edge[i], p.vertex[i] real('%.17g', e.dx, e.dy, e.c) int(e.top_left) real('%.9g', v.screen.x, v.clip.w, v.tex[0].t) end\n"
	"  real('%.9g', p.colour0.a.f0, p.tex[7].q.dfdy) put('\\n') end\n"
	"function begin() out = {} end\n"
	"function finish() print(table.concat(out)) end\n"
	"function trace() begin() local q = qs.trace() write_setup(q.setup) write_quad(q) for i = 0, 3 do write_fragment(q.fragment[i]) end finish() end\n"
	"function setups_of() begin() for _, p in ipairs(qs.setup()) do write_setup(p) end finish() end\n";

static char *quad_text(const struct qs_setup *setup, const struct qs_quad *quad)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (setup)
		write_setup(out, setup);
	write_quad(out, quad);
	fprintf(out, "\n");
	fclose(out);
	return text;
}

/* Place of the first difference, for the message. */
static void same_text(const char *way, const struct qs_moment *m, const char *expected, const char *got)
{
	size_t at = 0, line = 0;

	if (!strcmp(expected, got))
		return;
	for (; expected[at] == got[at]; at++)
		line = at >= 60 ? at - 60 : 0;
	ck_abort_msg("%s, %s, %s (seed %" PRIu64 "), from character %zu:\ntrace: %.200s\n%s: %.200s", session.name, text(&session, m), way,
		session.random.seed, line, expected + line, way, got + line);
}

static void lua(const char *line, const struct qs_moment *m)
{
	struct qs_error error;

	clear_notes(&host);
	ck_assert_msg(qs_script_eval(script, line, NULL, &error), "%s, %s: %s: %s", session.name, text(&session, m), line, error.text);
}

/* ---- the ways ------------------------------------------------------------------------------------------------------------ */

/* Another timeline comes by steps, from some of them before or behind. */
static void by_steps(struct qs_timeline *other, const struct qs_moment *m, const char *expected, uint64_t hash)
{
	struct qs_setup setup;
	struct qs_quad *quad = malloc(sizeof *quad);
	struct qs_error error;
	int way = (int)below(&session, 13) - 6, made;
	char *got;

	ck_assert(qs_timeline_seek(other, m, &error));
	made = qs_timeline_step(other, m->level, way, &error);
	ck_assert_int_eq(qs_timeline_step(other, m->level, -made, &error), -made);
	ck_assert_msg(!qs_moment_compare(m, qs_timeline_moment(other)), "%s: %d steps and back", text(&session, m), made);
	ck_assert_msg(qs_timeline_hash(other) == hash, "%s, %s: another state after %d steps and back", session.name, text(&session, m), made);
	ck_assert(qs_timeline_quad(other, &setup, quad, &error));
	got = quad_text(&setup, quad);
	same_text("steps", m, expected, got);
	free(got);
	free(quad);
}

static void by_history(const struct qs_moment *m, const struct qs_quad *quad)
{
	for (uint32_t i = 0; i < 4; i++) {
		const struct qs_fragment *f = &quad->fragment[i];
		const struct qs_history_row *found = NULL;
		struct qs_history_row *rows;
		struct qs_moment at = *m;
		struct qs_error error;
		uint32_t count;

		if (f->verdict == QS_VERDICT_NONE || f->verdict == QS_VERDICT_PENDING)
			continue;
		at.level = QS_LEVEL_FRAGMENT;
		at.fragment = i;
		at.stage = 0;
		ck_assert_msg(qs_timeline_history(session.t, m->frame, f->x, f->y, &rows, &count, &error), "%s", error.text);
		for (uint32_t k = 0; k < count; k++)
			if (rows[k].kind == QS_HISTORY_FRAGMENT && !qs_moment_compare(&rows[k].moment, &at))
				found = &rows[k];
		ck_assert_msg(found != NULL, "%s: %s is not in the history of %d,%d", session.name, text(&session, &at), f->x, f->y);
		/* what fails a test has not read the pixel; the history knows it all the same */
		bool stored = f->verdict == QS_VERDICT_WRITTEN || f->verdict == QS_VERDICT_MASKED;
		ck_assert_msg(found->verdict == f->verdict && !memcmp(found->source, f->source, 4) &&
				!memcmp(found->before, stored ? f->old_rgba : found->after, 4) &&
				(!stored || !memcmp(found->after, f->new_rgba, 4)) && found->z == f->z && found->z_before == f->z_old &&
				found->z_after == f->z_new,
			"%s, %s: verdict %d %d, source %02x%02x%02x%02x %02x%02x%02x%02x, after %02x%02x%02x%02x %02x%02x%02x%02x, z %06x %06x, "
			"before %06x %06x, after %06x %06x", session.name, text(&session, &at), found->verdict, f->verdict, found->source[0],
			found->source[1], found->source[2], found->source[3], f->source[0], f->source[1], f->source[2], f->source[3], found->after[0],
			found->after[1], found->after[2], found->after[3], f->new_rgba[0], f->new_rgba[1], f->new_rgba[2], f->new_rgba[3], found->z, f->z,
			found->z_before, f->z_old, found->z_after, f->z_new);
		free(rows);
	}
}

/* The pixels of fragments that are done, in C and in Lua, with what explain knows. */
static void by_pixel(const struct qs_moment *m, const struct qs_quad *quad)
{
	const struct qs_fragment *f = &quad->fragment[m->level == QS_LEVEL_FRAGMENT ? m->fragment : 3];
	uint8_t rgba[4];
	char line[200], expected[200];
	uint32_t z;

	if (m->level == QS_LEVEL_STAGE || f->verdict == QS_VERDICT_NONE)
		return;
	ck_assert(qs_timeline_pixel(session.t, f->x, f->y, rgba, &z));
	/* one depth a pixel: of the first sample, which need not be covered */
	uint32_t stored_z = f->sample_count == 3 ? f->sample_z_new[0] : f->z_new;
	ck_assert_msg(!memcmp(rgba, f->new_rgba, 4) && z == stored_z, "%s %s: pixel %d,%d is %02x%02x%02x%02x %06x, stored %02x%02x%02x%02x %06x",
		session.name, text(&session, m), f->x, f->y, rgba[0], rgba[1], rgba[2], rgba[3], z, f->new_rgba[0], f->new_rgba[1], f->new_rgba[2],
		f->new_rgba[3], stored_z);
	snprintf(line, sizeof line, "local p = qs.pixel(%d, %d) print(p.r, p.g, p.b, p.a, p.z) print(qs.image('color'):get(%d, %d))", f->x, f->y, f->x,
		f->y);
	lua(line, m);
	snprintf(expected, sizeof expected, "%d\t%d\t%d\t%d\t%u\n%d\t%d\t%d\t%d\n", rgba[0], rgba[1], rgba[2], rgba[3], z, rgba[0], rgba[1], rgba[2],
		rgba[3]);
	same_text("qs.pixel", m, expected, noted(&host));
	snprintf(line, sizeof line, "print((qs.pixel(%d, %d):explain():match('is #(%%x+)')))", f->x, f->y);
	lua(line, m);
	snprintf(expected, sizeof expected, "%02x%02x%02x%02x\n", rgba[0], rgba[1], rgba[2], rgba[3]);
	same_text("explain", m, expected, noted(&host));
}

/* Hooks get the quad as it is when it is done, whatever the moment. */
static void by_hooks(const struct qs_moment *m)
{
	static const char format[] =
		"local stop = '%s' begin()\n"
		"local a = qs.on.quad('draw == %u and primitive == %u and quad == %u and frame == %u', function(q) write_quad(q)\n"
		"  for i = 0, 3 do write_fragment(q.fragment[i]) end end, 'detail')\n"
		"qs.replay('%u', stop) a:off() finish()";
	struct qs_moment draw = *m, whole = *m;
	struct qs_quad *quad = malloc(sizeof *quad);
	struct qs_error error;
	char line[600], stop[80];
	char *expected;

	whole.level = QS_LEVEL_QUAD;
	whole.fragment = whole.stage = 0;
	seek(&session, &whole);
	ck_assert(qs_timeline_quad(session.t, NULL, quad, &error));
	expected = quad_text(NULL, quad);
	qs_moment_of_command(session.capture, m->command, &draw);
	qs_moment_format(session.capture, &draw, stop, sizeof stop);
	snprintf(line, sizeof line, format, stop, m->draw, m->primitive, m->quad, m->frame, m->frame - 1);
	lua(line, m);
	same_text("hooks", m, expected, noted(&host));
	free(expected);
	free(quad);
}

/* ---- moments ------------------------------------------------------------------------------------------------------------- */

static void cross(struct qs_timeline *other, const struct qs_moment *m)
{
	struct qs_setup setup;
	struct qs_quad *quad = malloc(sizeof *quad);
	struct qs_error error;
	char *expected, line[120];
	uint64_t hash;

	ck_assert_msg(qs_timeline_quad(session.t, &setup, quad, &error), "%s", error.text);
	hash = qs_timeline_hash(session.t);
	expected = quad_text(&setup, quad);
	by_steps(other, m, expected, hash);
	lua("trace()", m);
	same_text("qs.trace", m, expected, noted(&host));
	snprintf(line, sizeof line, "print(qs.hash() == '%016" PRIx64 "', qs.moment)", hash);
	lua(line, m);
	snprintf(line, sizeof line, "true\t%s\n", text(&session, m));
	same_text("moment", m, line, noted(&host));
	by_history(m, quad);
	by_pixel(m, quad);
	if (below(&session, 4) == 0)
		by_hooks(m);
	free(expected);
	free(quad);
}

START_TEST(one_moment_four_ways)
{
	struct qs_error error;
	struct qs_timeline *other;
	int done = 0;

	open_walked(&session, _i);
	other = qs_timeline_create(session.capture, &error);
	ck_assert(other != NULL);
	script = open_script(&host, session.t, NULL);
	ck_assert_msg(qs_script_run_text(script, prelude, "=prelude", &error), "%s", error.text);
	for (int tries = 0; done < PER_CAPTURE && tries < 10 * PER_CAPTURE; tries++) {
		struct qs_moment m = random_moment(&session, (enum qs_level)(QS_LEVEL_QUAD + below(&session, 3)));

		if (m.level < QS_LEVEL_QUAD)
			continue; /* a draw or primitive that covers nothing */
		cross(other, &m);
		done++;
	}
	ck_assert_msg(done == PER_CAPTURE, "%s: only %d moments", session.name, done);
	qs_script_destroy(script);
	free(host.out);
	qs_timeline_destroy(other);
	close_session(&session);
}
END_TEST

/* Registers, memory and vertices at moments of every kind. */
START_TEST(state_in_lua)
{
	static const char probe[] =
		"local sum = 0 local function add(v) sum = (sum * 31 + v) & 0xffffffffff end\n"
		"for _, unit in ipairs{'bp', 'cp', 'xf', 'pe'} do for name, r in pairs(qs.regs[unit]) do add(r.raw) add(select(2, r:writer()) or 0xffffffff) end end\n"
		"for a = 0, 0xffff, 97 do add(qs.memory.u8(a)) end add(qs.memory.u32(0x8000, 'tmem'))\n"
		"print(sum)";
	struct qs_error error;

	open_walked(&session, _i);
	script = open_script(&host, session.t, NULL);
	for (int i = 0; i < 10; i++) {
		struct qs_moment m = random_moment(&session, (enum qs_level)(QS_LEVEL_FRAME + below(&session, 5)));
		uint64_t sum = 0;
		char expected[32];
		uint8_t word[4];

#define ADD(v) (sum = (sum * 31 + (v)) & 0xFFFFFFFFFF)
		for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
			for (uint32_t k = 0; k < qs_register_count((enum qs_unit)u); k++) {
				uint32_t address = qs_register_at((enum qs_unit)u, k)->address;

				ADD(qs_timeline_register(session.t, (enum qs_unit)u, address));
				ADD(qs_timeline_register_writer(session.t, (enum qs_unit)u, address));
			}
		for (uint32_t a = 0; a <= 0xFFFF; a += 97) {
			qs_timeline_memory(session.t, QS_SPACE_MAIN, a, word, 1);
			ADD(word[0]);
		}
		qs_timeline_memory(session.t, QS_SPACE_TMEM, 0x8000, word, 4);
		ADD((uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3]);
		lua(probe, &m);
		snprintf(expected, sizeof expected, "%" PRIu64 "\n", sum);
		same_text("state", &m, expected, noted(&host));
		if (m.level >= QS_LEVEL_DRAW) {
			struct qs_vertex *v;
			struct qs_setup setup[64];
			uint32_t n = 0, parts = qs_timeline_setup(session.t, setup, 64, &error);
			char *all = NULL;
			size_t size;
			FILE *out = open_memstream(&all, &size);

			ck_assert_msg(qs_timeline_vertices(session.t, &v, &n, &error), "%s", error.text);
			fprintf(out, "%u", n);
			for (uint32_t k = 0; k < n && k < 50; k++)
				fprintf(out, " %.9g %.9g %.9g %d", (double)v[k].screen[0], (double)v[k].clip[2], (double)v[k].object[1], v[k].colour[0][2]);
			fprintf(out, "\n");
			fclose(out);
			lua("local v = qs.vertices() local t = {#v} for i = 1, math.min(#v, 50) do local x = v[i]\n"
				"t[#t + 1] = ('%.9g %.9g %.9g %d'):format(x.screen.x, x.clip.z, x.object.y, x.colour[0].b) end print(table.concat(t, ' '))", &m);
			same_text("vertices", &m, all, noted(&host));
			free(all);
			free(v);
			lua("print(#qs.setup())", &m);
			snprintf(expected, sizeof expected, "%u\n", parts);
			same_text("setup", &m, expected, noted(&host));
		}
	}
	qs_script_destroy(script);
	free(host.out);
	close_session(&session);
}
END_TEST

/* An indexed vertex is what its array holds. */
START_TEST(arrays)
{
	struct qs_error error;
	char path[700];

	open_session(&session, shipped("vertex-indexed", path, sizeof path), "vertex-indexed");
	script = open_script(&host, session.t, NULL);
	for (const struct qs_capture_info *info = qs_capture_info(session.capture); session.random.seed && info; info = NULL)
		for (uint32_t d = 0; d < info->draw_count; d++) {
			struct qs_moment m;
			struct qs_vertex *v;
			uint32_t n;

			qs_moment_of_command(session.capture, qs_capture_draw_command(session.capture, 1, d), &m);
			seek(&session, &m);
			ck_assert(qs_timeline_vertices(session.t, &v, &n, &error));
			free(v);
			lua("local low, n, good = qs.regs.cp.VCD_LO, 0, 0\n"
				"local by_place = {}\n"
				"if low:text('position'):find('index') then\n"
				"  for i = 0, 200 do local ok, p = pcall(qs.memory.array, 'position', i) if ok then by_place[p.x .. ' ' .. p.y] = i end end\n"
				"  for _, v in ipairs(qs.vertices()) do n = n + 1 if by_place[v.object.x .. ' ' .. v.object.y] then good = good + 1 end end\n"
				"end print(n == good, n)", &m);
			ck_assert_msg(!strncmp(noted(&host), "true\t", 5), "draw %u: %s", d, noted(&host));
		}
	qs_script_destroy(script);
	free(host.out);
	close_session(&session);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cross");
	TCase *tcase = tcase_create("cross");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, one_moment_four_ways, 0, WALKED);
	tcase_add_loop_test(tcase, state_in_lua, 0, WALKED);
	tcase_add_test(tcase, arrays);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
