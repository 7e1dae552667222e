/* check_lua.c - scripts: values, messages with their lines, the sandbox, limits, what TAB offers
 *
 * The values of triangle-gouraud and z-early-late follow from their bytes (the first is the worked example of the format
 * description).  Patterns are compared with the library that they replace.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <time.h>

#include "script_host.h"

static const struct qs_script_limits tight = {ORACLE_SLOW ? 0.6 : 0.2, (size_t)16 << 20};

/* Processor time: how long it takes on a busy machine says nothing. */
static double processor(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what scripts print ------------------------------------------------------------------------------------------------- */

static const struct {
	const char *capture, *text, *output;
} outputs[] = {
	/* the language */
	{"triangle-gouraud", "print(1, 'a', nil, true)", "1\ta\tnil\ttrue\n"},
	{"triangle-gouraud", "qs.print(math.maxinteger, 0.5, #arg, arg[0])", "9223372036854775807\t0.5\t0\ttest\n"},
	{"triangle-gouraud", "local t = {3, 1, 2} table.sort(t) print(table.concat(t, ' '))", "1 2 3\n"},
	{"triangle-gouraud", "print(pcall(error, {1}))\nprint(select('#', xpcall(function(...) return ... end, print, 1, 2)))", NULL},
	{"triangle-gouraud", "print(xpcall(function() error('x', 0) end, function(m) return m .. '!' end))", "false\tx!\n"},
	{"triangle-gouraud", "print(xpcall(function(a, b) return a + b end, print, 1, 2))", "true\t3\n"},
	{"triangle-gouraud", "local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end) print(co(1), co(5))",
		"2\t10\n"},
	{"triangle-gouraud", "print(pcall(coroutine.wrap(function() error('inside', 0) end)))", "false\tinside\n"},
	{"triangle-gouraud", "local s = '' for k in string.gmatch('a=1, b=2', '%a') do s = s .. k end print(s)", "ab\n"},
	{"triangle-gouraud", "print(load('return 1 + 1')(), load('x ='))", "2\tnil\t[string \"x =\"]:1: unexpected symbol near <eof>\n"},
	{"triangle-gouraud", "print(load('return a', 'n', 't', {a = 7})())", "7\n"},
	{"triangle-gouraud", "print(('x'):rep(3, '-'), ('%5.1f|%s'):format(1.25, 'a'))", "x-x-x\t  1.2|a\n"},
	{"triangle-gouraud", "local a = math.random(1000) math.randomseed(1) print(a == math.random(1000))", "true\n"},
	{"triangle-gouraud", "print(#table.pack(table.unpack({1, 2, 3}, 2)), next({}), type(qs), rawlen({1}))", "2\tnil\ttable\t1\n"},
	{"triangle-gouraud", "local c <close> = setmetatable({}, {__close = function() print('closed') end}) print('body')", "body\nclosed\n"},
	/* the capture */
	{"triangle-gouraud", "print(qs.capture.frames, qs.capture.draws, qs.capture.version, qs.capture.wii, #qs.capture.warnings)",
		"1\t1\t3\tfalse\t0\n"},
	{"triangle-gouraud", "for d in qs.draws() do print(d.moment, d.primitive, d.vertices, d.format, d.kind) end",
		"1/0\ttriangles\t3\t0\tdraw\n"},
	{"animation-six-frames", "local n = 0 for f in qs.frames() do n = n + f.draws end print(n == qs.capture.draws)", "true\n"},
	{"animation-six-frames", "local n = 0 for c in qs.commands(2) do n = n + 1 end for f in qs.frames() do if f.number == 2 then "
		"print(n == f.commands) end end", "true\n"},
	{"z-early-late", "print(qs.command(20).text)", "draw quads 4 vertices, format 0, 24 bytes each\n"},
	{"z-early-late", "local c = qs.command(3) print(c.kind, c.moment, c.opcode, #c.bytes, c.draw, c.parent)", "bp\t1@0x15\t97\t5\tnil\tnil\n"},
	/* registers */
	{"z-early-late", "print(qs.regs.bp.GEN_MODE.ntex, qs.regs.bp.GEN_MODE.raw)", "0\t16\n"},
	{"z-early-late", "qs.seek('1/0') print(qs.regs.bp.GEN_MODE.ntex, qs.regs.bp[0].raw, qs.regs.bp.gen_mode.NTEX)", "1\t17\t1\n"},
	{"z-early-late", "qs.seek(1, 0) print(qs.regs.bp.GEN_MODE:writer())", "1@0x15\t3\n"},
	{"z-early-late", "print(qs.regs.bp.GEN_MODE:writer())", "nil\n"},
	{"z-early-late", "qs.seek('1/0') print(qs.regs.bp.TEV_ALPHAFUNC:text('func0'), qs.regs.bp.TEV_ALPHAFUNC:text())",
		"gequal\tref0 128  func0 6 (gequal)  func1 7 (always)\n"},
	{"z-early-late", "qs.seek('1/0') print(qs.regs('bp.TX_SETIMAGE3_0.address') == 0x100000, qs.regs('bp.GEN_MODE') == qs.regs.bp.GEN_MODE)",
		"true\ttrue\n"},
	{"z-early-late", "qs.seek('1/0') print(qs.json(qs.regs.bp.TX_SETIMAGE0_0:fields()))", "{\"format\":3,\"height\":63,\"width\":63}\n"},
	{"z-early-late", "local n, first = 0 for name, reg in pairs(qs.regs.bp) do n = n + 1 first = first or name end print(n > 200, first)",
		"true\tGEN_MODE\n"},
	{"z-early-late", "local i = qs.regs.bp.GEN_MODE:info() print(i.unit, i.name, i.address, i.width, i.group, i.fields[1])",
		"bp\tGEN_MODE\t0\t24\tGEN\tntex\n"},
	{"z-early-late", "qs.seek('1/0') print(qs.regs.bp.GEN_MODE)", "bp.GEN_MODE = 0x000011  ntex 1  ncol 1\n"},
	/* moments */
	{"z-early-late", "print(qs.moment, qs.seek('1/2/0/3'), qs.moment, qs.where().quad)", "0\t1/2/0/3\t1/2/0/3\t3\n"},
	{"z-early-late", "print(qs.step()) print(qs.step('draw', 2)) print(qs.step('draw', 5)) print(qs.step('draw', -10))",
		"1\t1/0\n2\t1/2\n1\t1/3\n-3\t1/0\n"},
	{"z-early-late", "print(qs.step('command', 3)) print(qs.step('frame'))", "3\t1@0xc\n1\t1\n"},
	{"z-early-late", "print(qs.seek_write('bp.PE_CONTROL.ztop')) print(qs.seek_write('bp.PE_CONTROL')) print((qs.seek_write('bp.PE_CONTROL')))",
		"1@0x142\nnil\tNo later command changes PE_CONTROL.\nnil\n"},
	{"z-early-late", "print((qs.seek_pixel(0, 0)))", "nil\n"},
	{"z-early-late", "local a = qs.hash() qs.seek('1/1') local b = qs.hash() qs.seek('0') print(a == qs.hash(), a ~= b, #a)", "true\ttrue\t16\n"},
	{"z-early-late", "print(qs.model(), qs.model('dolphin'), qs.model('hardware'))", "hardware\tdolphin\thardware\n"},
	{"z-early-late", "local v = qs.quirk('byte_dequant') print(qs.quirk('byte_dequant', 2 - v) == 2 - v) qs.quirk('byte_dequant', v)",
		"true\n"},
	/* the processor's window */
	{"z-early-late", "qs.seek('1/1') local h = qs.hash() local id = qs.efb.poke(10, 10, 0xFF402010) print(qs.pixel(10, 10).g, qs.efb.peek(10, 10) == "
		"0xFF402010, qs.moment) qs.efb.poke_z(10, 10, 77) print(qs.efb.peek_z(10, 10)) local c = qs.efb.set('ALPHAREAD', 0) "
		"print(qs.efb.peek(10, 10) == 0x402010, qs.efb.undo(id), qs.efb.undo(c), qs.efb.undo(99), h ~= qs.hash())",
		"32\ttrue\t1/1\n77\ntrue\ttrue\ttrue\tfalse\ttrue\n"},
	/* pixels */
	{"z-early-late", "qs.seek('1/3') local p = qs.pixel(0, 0) print(p.x, p.y, p.r, p.g, p.b, p.a, p.z)", "0\t0\t0\t0\t0\t255\t16777215\n"},
	{"z-early-late", "local p = qs.pixel(0, 0) print(p:explain()) qs.seek('1') print(#p:history(), p:explain())",
		"Nothing has been drawn at the start of the capture.\n"
		"2\tPixel 0,0 is #000000ff because the copy at 1@0x230 cleared it.\n"},
	{"z-early-late", "qs.seek('1') local i = qs.image('depth') print(i.width, i.height, i:get(0, 0), #i:row(0), i:rgba(0, 0))",
		"640\t528\t16777215\t2560\t255\t255\t255\t255\n"},
	{"z-early-late", "qs.seek('1') local i = qs.image() print(i:get(0, 0)) print(i:row(527):byte(1, 4))", "0\t0\t0\t255\n0\t0\t0\t255\n"},
	{"z-early-late", "qs.seek('1') local d = qs.difference(qs.image('color'), qs.image('color')) print(d.pixels == 640 * 528, d.equal == d.pixels, "
		"d.maximum, d.mean, d.image.width)", "true\ttrue\t0\t0.0\t640\n"},
	{"z-early-late", "qs.seek('1/0') local t = qs.texture(0) print(t.width, t.height, t.format, t.levels, t.used, t.address == 0x100000, "
		"t.wrap_s, t:image().width)", "64\t64\tIA8\t1\ttrue\ttrue\tclamp\t64\n"},
	{"z-early-late", "qs.seek('1/0') local t = qs.texture(0) local r, g, b, a = t:get(0, 0) "
		"print(qs.memory.u8(t.address) == a, qs.memory.u8(t.address + 1) == r)", "true\ttrue\n"},
	/* memory */
	{"z-early-late", "qs.seek('1/0') local m = qs.memory local s = m.read(0x100000, 4) print(#s, s:byte(1) == m.u8(0x100000), "
		"string.unpack('>I4', s) == m.u32(0x100000), string.unpack('>i2', s) == m.s16(0x100000), string.unpack('>f', s) == m.f32(0x100000), "
		"string.unpack('>I2', s) == m.u16(0x100000), string.unpack('b', s) == m.s8(0x100000))", "4\ttrue\ttrue\ttrue\ttrue\ttrue\ttrue\n"},
	{"z-early-late", "print(#qs.memory.read('tmem', 0, 1 << 20), #qs.memory.read('main', 0, 0))", "1048576\t0\n"},
	/* showing */
	{"triangle-gouraud", "qs.plot.line('a', {[0] = 5, [2] = 1, [7] = 3}, {x = 'draw'})", "<line 'a' draw| 0x0 3 x=0,2,7 y=5,1,3>\n"},
	{"triangle-gouraud", "qs.plot.line('a', {1, 2}, {10, 20}, {y = 'n'})", "<line 'a' |n 0x0 2 x=1,2 y=10,20>\n"},
	{"triangle-gouraud", "qs.plot.scatter('s', {{1, 2}, {x = 3, y = 4}})", "<scatter 's' | 0x0 2 x=1,3 y=2,4>\n"},
	{"triangle-gouraud", "qs.plot.hist('h', {1, 1, 2.5}, 4, {x = 'px'})", "<hist 'h' px| 4x0 3 y=1,1,2.5>\n"},
	{"triangle-gouraud", "qs.plot.heat('m', 3, 2, {[0] = 1, [4] = 2})", "<heat 'm' | 3x2 6 y=1,0,0,0,2,0>\n"},
	{"triangle-gouraud", "qs.table({{a = 1, b = 'x'}, {a = 2.5}}, nil, 'T') qs.table({{1, 2}, {3}}, {'p', 'q'})",
		"<table 'T' a|b; 1|x; 2.5|>\n<table '' p|q; 1|2; 3|>\n"},
	{"triangle-gouraud", "qs.table({{c = {r = 1, g = 2, b = 3, a = 255}, l = {1, {2}}}})", "<table '' c|l; #010203ff|{1, {2}}>\n"},
	{"triangle-gouraud", "qs.overlay:rect(1, 2, 3, 4.5, 'yellow', 'box') qs.overlay:line(0, 0, 9, 9, '#010203') "
		"qs.overlay:text(5, 6, 'hi', 0x11223344) qs.overlay:point(7, 8)",
		"<overlay rect 1,2,3,4.5 ffe030ff box line 0,0,9,9 010203ff text 5,6,5,6 11223344 hi point 7,8,7,8 ff3030ff>\n"},
	{"triangle-gouraud", "qs.overlay:point(7, 8) qs.overlay:clear()", "<overlay>\n"},
	{"triangle-gouraud", "print(qs.json({1, 'a\\n\"', true, {x = 0.1, y = {}}, 2^53, 1/0}))",
		"[1,\"a\\n\\\"\",true,{\"x\":0.1,\"y\":[]},9007199254740992,null]\n"},
	{"triangle-gouraud", "print(qs.json({[0] = 1, 2}), qs.json({[5] = 1}), qs.json('\\xff\\xc3\\xa9'), qs.json(nil))",
		"[1,2]\t{\"5\":1}\t\"\\u00ff\xc3\xa9\"\tnull\n"},
	{"triangle-gouraud", "print(qs.check(1 == 1, 'fine'))", "true\n"},
	{"triangle-gouraud", "qs.check(false, 'odd')", "error: test:1: check failed: odd\n"},
	{"triangle-gouraud", "print('a') qs.exit(0) print('b')", "a\n"},
	{"triangle-gouraud", "pcall(qs.exit, 1) print('b')", ""},
	{"triangle-gouraud", "qs.help('seek')", "qs.seek(moment) -> moment\n  Goes to a moment, given as a text or as its numbers.\n"
		"  qs.seek(\"1/0\") qs.seek(1, 0, 0)\n"},
	/* states and breakpoints */
	{"z-early-late", "qs.seek('1@0x13d') local a = qs.snapshot() qs.step('command') local d = qs.diff(a, qs.snapshot()) "
		"print(d.count, d.bp[1].reg, d.bp[1].field, d.bp[1].old, d.bp[1].new, d.bp[1].writer, d.same)",
		"1\tbp.PE_CONTROL\tztop\t1\t0\t1@0x142\tfalse\n"},
	{"z-early-late", "qs.seek('1@0x13d') local a = qs.snapshot() qs.step('command') print(qs.diff(a, qs.snapshot())) print(qs.diff(a, a))",
		"bp.PE_CONTROL.ztop: 1 -> 0, written at 1@0x142\nthe states differ\nno register differs\nthe states are the same\n"},
	{"z-early-late", "local b = qs.break_at{where='draw', cond='bp.PE_CONTROL.ztop == 0'} local h = qs.run() print(h.moment, h.id == b:number(), b:hits()) "
		"b:off() print(qs.run(), qs.moment)", "1/2\ttrue\t1\nnil\t1\n"},
	{"z-early-late", "qs.seek('1') qs.break_at('write bp.PE_CONTROL') local h = qs.run(-1) print(h.moment, h.old, h.value)", "1@0x142\t64\t0\n"},
	{"z-early-late", "local l = qs.lint() print(type(l), l[1] == nil or l[1].text ~= nil)", "table\ttrue\n"},
};

START_TEST(prints)
{
	struct script_host h;
	struct qs_script *script;
	struct qs_error error = {0};
	struct session s;
	char path[700];
	bool good;

	open_session(&s, shipped(outputs[_i].capture, path, sizeof path), outputs[_i].capture);
	script = open_script(&h, s.t, NULL);
	good = qs_script_run_text(script, outputs[_i].text, "=test", &error);
	ck_assert_msg(good, "%s\n%s", outputs[_i].text, error.text);
	if (outputs[_i].output)
		ck_assert_msg(!strcmp(noted(&h), outputs[_i].output), "%s\nprints:\n%snot:\n%s", outputs[_i].text, noted(&h), outputs[_i].output);
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

/* Each message is at the start of what is given. */
static const struct {
	const char *text, *message;
} refused[] = {
	{"x = = 1", "test:1: unexpected symbol near '='"},
	{"local a\na.b = 1", "test:2: attempt to index a nil value (local 'a')"},
	{"\n\nerror('mine')", "test:3: mine"},
	{"error({})", "The script raised an error that is no text but a table."},
	{"error(setmetatable({}, {__tostring = function() return 'shown' end}))", "shown"},
	{"local function f()\n error('deep')\nend\nlocal function g()\n f()\nend\ng()",
		"test:2: deep\n\ttest:5: in 'g'\n\ttest:7: in the script"},
	/* names */
	{"print(qs.sekk)", "test:1: there is no 'qs.sekk'; did you mean 'seek'?"},
	{"qs.on.quads(print)", "test:1: there is no 'qs.on.quads'; did you mean 'quad'?"},
	{"print(qs.regs.bp.GENMODE)", "test:1: bp has no register 'GENMODE'; did you mean 'GEN_MODE'?"},
	{"print(qs.regs.bp.GEN_MODE.ntve)", "test:1: bp.GEN_MODE has no field 'ntve'; did you mean 'ntev'?"},
	{"print(qs.regs.bq)", "test:1: qs.regs has the units bp, cp, xf and pe, no 'bq'"},
	{"print(qs.regs.bp[0x1ff])", "test:1: bp has no register at address 511"},
	{"print(qs.regs('GEN_MODE'))", "test:1: 'GEN_MODE' is no register;"},
	{"print(qs.image('colr'))", "test:1: there is no buffer 'colr'; did you mean 'color'?"},
	{"qs.model('gx')", "test:1: there is no model 'gx'"},
	{"qs.quirk('byte_deqant')", "test:1: there is no quirk 'byte_deqant'; did you mean 'byte_dequant'?"},
	{"qs.help('qs.stepp')", "test:1: there is no help on 'qs.stepp'; did you mean 'qs.step'?"},
	/* what cannot be changed */
	{"qs.regs.bp.GEN_MODE.ntev = 1", "test:1: registers can only be read"},
	{"qs.regs.bp.GEN_MODE = 1", "test:1: registers can only be read"},
	{"qs.moment = '1'", "test:1: qs.moment cannot be assigned"},
	{"qs.foo = 1", "test:1: 'qs.foo' cannot be assigned"},
	{"qs.on.foo = 1", "test:1: 'qs.on.foo' cannot be assigned"},
	/* arguments */
	{"qs.seek('nine')", "test:1: \"nine\" is no moment"},
	{"qs.seek('1/99')", "test:1: "},
	{"qs.seek()", "test:1: bad argument #1 to 'seek'"},
	{"qs.step('draws')", "test:1: bad argument #1 to 'step' (invalid option 'draws')"},
	{"qs.efb.poke(640, 0, 0)", "test:1: there is no pixel 640,0"},
	{"qs.efb.poke(0, 0, -1)", "test:1: bad argument #3 to 'poke'"},
	{"qs.seek('1/1/0') qs.efb.poke(0, 0, 0)", "test:1: qs.efb.poke works between commands"},
	{"qs.efb.set('CTRL', 1)", "test:1: The processor can set ZCONF"},
	{"qs.pixel(640, 0)", "test:1: there is no pixel 640,0"},
	{"qs.pixel('a', 0)", "test:1: bad argument #1 to 'pixel'"},
	{"qs.image():get(0, 528)", "test:1: there is no pixel 0,528 in a picture of 640 x 528"},
	{"qs.texture(8)", "test:1: texture maps are 0 to 7, not 8"},
	{"qs.command(1000)", "test:1: the command must be 0 to 34, not 1000"},
	{"qs.draws(2)", "test:1: the frame must be 1 to 1, not 2"},
	{"qs.trace()", "test:1: There is no quad at this moment"},
	{"qs.memory.u8(0x01900000)", "test:1: 1 bytes at 0x01900000 are not all inside of main memory"},
	{"qs.memory.u32(0xfffff, 'tmem')", "test:1: 4 bytes at 0x000fffff are not all inside of TMEM"},
	{"qs.memory.read(-1, 4)", "test:1: an address has 32 bits"},
	{"qs.memory.array('position', 70000)", "test:1: bad argument #2 to 'array'"},
	{"qs.plot.line(1)", "test:1: bad argument #2 to 'line' (table expected, got nil)"},
	{"qs.plot.line('a', {1}, {1, 2})", "test:1: the plot has 1 values for x"},
	{"qs.plot.line('a', {'x'})", "test:1: a value of a plot must be a number, not a string"},
	{"qs.plot.heat('a', 2, 2, {[4] = 1})", "test:1: the keys of a heat map are 0 to 3"},
	{"qs.plot.heat('a', 0, 2, {})", "test:1: bad argument #2 to 'heat'"},
	{"qs.overlay:rect(0, 0, 1, 1, 'pinkish')", "test:1: 'pinkish' is no colour"},
	{"qs.overlay:rect(0/0, 0, 1, 1)", "test:1: bad argument #1 to 'rect'"},
	{"qs.table({1})", "test:1: bad argument #1 to 'table' (list of tables expected"},
	{"qs.json({print})", "test:1: qs.json: a function has no JSON form"},
	{"local t = {} t.t = t qs.json(t)", "test:1: qs.json: tables are nested more than 60 deep"},
	{"qs.exit(3)", "test:1: the exit status is 0"},
	{"qs.diff(1, 2)", "test:1: bad argument #1 to 'diff' (qs.snapshot expected, got number)"},
	{"qs.break_at{where='drow'}", "test:1: "},
	{"qs.break_at{where='quad', cond='frgament == 1'}", "test:1: "},
	{"qs.break_at{action='jump'}", "test:1: qs.break_at: the action is stop, log or count, not 'jump'"},
	{"qs.lint(7)", "test:1: there is no frame 7"},
	{"local t = qs.texture(0) qs.seek('1/0') t:get(0, 0)", "test:1: this texture was taken at 0, now it is 1/0"},
	/* hooks */
	{"qs.on.quad()", "test:1: bad argument #1 to 'quad' (function expected, got no value)"},
	{"qs.on.quad('alpha <', print)", "test:1: in the filter: "},
	{"qs.on.draw('verdict == late_z', print)", "test:1: the filter 'verdict == late_z' needs a fragment: use qs.on.fragment"},
	{"qs.on.quad('old == 1', print)", "test:1: the filter 'old == 1' needs register writes (old): use qs.on.write"},
	{"qs.on.write('bp.FOO*', print)", "test:1: no register matches 'bp.FOO*'"},
	{"qs.on.write('', print)", "test:1: the register pattern is empty"},
	{"qs.on.quad(print, 'details')", "test:1: bad argument #2 to 'quad' (invalid option 'details')"},
	{"qs.on.draw(function()\n error('in the hook')\nend)", "test:2: in the hook"},
	{"qs.on.quad(function(q)\n return q.cov\nend)", "test:2: a quad has no field 'cov'"},
	{"qs.on.quad(function(q) q.x = 1 end)", "test:1: what a hook gets can only be read"},
	{"local keep qs.on.quad(function(q) keep = q return false end) qs.replay()\nprint(keep.x)",
		"test:2: this quad is over: what a hook gets is valid only inside the hook"},
	{"qs.on.quad(function() qs.seek('0') end)", "test:1: qs.seek cannot be used in a write, primitive, quad"},
	{"qs.on.fragment(function() qs.pixel(0, 0) end)", "test:1: qs.pixel cannot be used in a write, primitive, quad"},
	{"qs.on.draw(function() qs.replay() end)", "test:1: qs.replay cannot be used in a hook"},
	{"qs.on.draw(function() qs.on.draw(print) end)", "test:1: hooks cannot be set inside hooks"},
	{"qs.on.draw(function() qs.model('dolphin') end)", "test:1: qs.model cannot be used while a replay is under way"},
	{"qs.on.draw(function() qs.run() end)", "test:1: qs.run cannot be used while a replay is under way"},
	{"qs.on.done(function() qs.replay() end)", "test:1: qs.replay cannot be used in a hook"},
	{"qs.replay('1/2', '1/1')", "test:1: a replay cannot end before it begins"},
};

static void expect_error(const char *text, const char *message)
{
	struct script_host h;
	struct qs_script *script;
	struct qs_error error = {0};
	struct session s;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, &tight);
	ck_assert_msg(!qs_script_run_text(script, text, "=test", &error), "%s: no error", text);
	ck_assert_msg(!strncmp(error.text, message, strlen(message)), "%s\nsays: %s\nnot:  %s", text, error.text, message);
	ck_assert_int_eq(qs_script_status(script), 2);
	/* what comes after it works */
	clear_notes(&h);
	ck_assert_msg(qs_script_eval(script, "1 + 1", NULL, &error), "%s: then %s", text, error.text);
	ck_assert_msg(qs_script_run_text(script, "qs.seek('1/0') print(qs.moment)", "=test", &error), "%s: then %s", text, error.text);
	ck_assert_str_eq(noted(&h), "2\n1/0\n");
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}

START_TEST(errors)
{
	expect_error(refused[_i].text, refused[_i].message);
}
END_TEST

/* ---- the sandbox -------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *message;
} escapes[] = {
	{"io.open('/etc/passwd')", "test:1: attempt to index a nil value (global 'io')"},
	{"os.execute('true')", "test:1: attempt to index a nil value (global 'os')"},
	{"debug.getregistry()", "test:1: attempt to index a nil value (global 'debug')"},
	{"package.loadlib()", "test:1: attempt to index a nil value (global 'package')"},
	{"require('io')", "test:1: attempt to call a nil value (global 'require')"},
	{"dofile('/etc/passwd')", "test:1: attempt to call a nil value (global 'dofile')"},
	{"loadfile('/etc/passwd')", "test:1: attempt to call a nil value (global 'loadfile')"},
	{"string.dump(print)", "test:1: attempt to call a nil value (field 'dump')"},
	{"print(('').dump)\nerror(tostring(('').dump))", "test:2: nil"},
	{"assert(load('\\27Lua', 'x', 'b'))", "test:1: attempt to load a binary chunk (mode is 't')"},
	{"assert(load('\\27Lua', 'x', 'bt'))", "test:1: attempt to load a binary chunk (mode is 't')"},
	{"load(function() return nil end)", "test:1: load takes a text here, no function"},
	{"load(('x=1 '):rep(2000000))", "test:1: the text for load is longer than 4 MiB"},
	{"setmetatable({}, {__gc = function() while true do end end})", "test:1: scripts cannot set finalizers (__gc)"},
	{"getmetatable('').__index.rep = nil error(tostring(('x').rep))", "test:1: nil"}, /* its own string table, nothing else */
	{"error(tostring(getmetatable(qs)))", "test:1: false"},
	{"error(tostring(getmetatable(qs.on)))", "test:1: false"},
	{"error(tostring(getmetatable(qs.regs.bp)))", "test:1: false"},
	{"error(tostring(getmetatable(qs.regs.bp.GEN_MODE)))", "test:1: false"},
	{"error(tostring(getmetatable(qs.image())))", "test:1: false"},
	{"qs.seek('1/0') error(tostring(getmetatable(qs.command(0))))", "test:1: false"},
	{"qs.on.draw(function(d) error(tostring(getmetatable(d))) end)", "test:1: false"},
	{"setmetatable(qs, {})", "test:1: cannot change a protected metatable"},
	{"qs.image().get(qs.snapshot(), 0, 0)", "test:1: bad argument #1 to 'get' (qs.image expected, got qs.snapshot)"},
	{"qs.regs.bp.GEN_MODE.text(1)", "test:1: bad argument #1 to 'text'"},
	{"local c qs.on.draw(function(d) c = d.copy d.copy(5) end)", "test:1: bad argument #1 to 'copy'"},
	{"local c qs.on.draw(function(d) d.copy(qs.image()) end)", "test:1: bad argument #1 to 'copy'"},
	{"local p = qs.pixel(0, 0) p.history({x = 1e300, y = 0})", "test:1: bad argument #2 to 'history' (number has no integer"},
	{"collectgarbage('stop')", "test:1: collectgarbage takes \"count\" or \"collect\" here"},
	{"for k in pairs(_G) do if k ~= 'arg' and not ({assert=1, collectgarbage=1, coroutine=1, error=1, getmetatable=1, ipairs=1, load=1, "
		"math=1, next=1, pairs=1, pcall=1, print=1, qs=1, rawequal=1, rawget=1, rawlen=1, rawset=1, select=1, setmetatable=1, "
		"string=1, table=1, tonumber=1, tostring=1, type=1, utf8=1, xpcall=1, _G=1, _VERSION=1})[k] then error(k, 0) end end error('none', 0)",
		"none"},
	/* memory */
	{"local s = ('x'):rep(1 << 62)", "test:1: resulting string too large"},
	{"local s = ('x'):rep(1 << 30)", "test:1: The script needs more than 16 MiB of memory."},
	{"local t = {} for i = 1, 1e9 do t[i] = i end", "test:1: The script needs more than 16 MiB of memory."},
	{"local s = 'x'\nwhile true do s = s .. s end", "test:2: The script needs more than 16 MiB of memory."},
	{"local t = {} for i = 1, 100 do t[i] = qs.image() end", "test:1: The script needs more than 16 MiB of memory."},
	{"qs.json(setmetatable({}, {}), ('x'):rep(20 << 20))", "test:1: The script needs more than 16 MiB of memory."},
	{"local t = {} for i = 1, 1e5 do t[i] = ('y'):rep(100) .. i end qs.table({t}, t)", "test:1: a table of 1 rows and 100000 columns is too large"},
	/* ends that do not come from the script: stopped by the limit of time, with the line */
	{"while true do end", ORACLE_SLOW ? "test:1: The script ran longer than its limit of 0.6 seconds." :
		"test:1: The script ran longer than its limit of 0.2 seconds."},
	{"\nlocal function f() return f() end f()", "test:2: The script ran longer"},
	{"while true do pcall(function() while true do end end) end", "test:1: The script ran longer"},
	{"local function f() pcall(f) end while true do f() end", "test:1: The script ran longer"},
	{"xpcall(function() while true do end end, function() while true do end end)", "test:1: The script ran longer"},
	{"xpcall(error, function() while true do end end)", "test:1: The script ran longer"},
	{"while true do xpcall(error, function() error() end) end", "test:1: The script ran longer"},
	{"coroutine.wrap(function() while true do end end)()", "test:1: The script ran longer"},
	{"while true do coroutine.resume(coroutine.create(function() while true do end end)) end", "test:1: The script ran longer"},
	{"local f = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end end) "
		"f()", "test:1: The script ran longer"},
	{"local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end "
		"end) coroutine.resume(co) coroutine.close(co)", "test:1: The script ran longer"},
	{"local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end", "test:1: The script ran longer"},
	{"while true do local x <close> = setmetatable({}, {__close = function() error('again') end}) pcall(error) end", "test:1: again"},
	{"for _ in function() return 1 end do end", "test:1: The script ran longer"},
	{"string.rep('', 1 << 60) while true do end", "test:1: The script ran longer"},
	{"table.move({}, 1, math.maxinteger - 1, 2)", "test:1: a range of more than 16777216 elements"},
	{"table.move({}, math.mininteger, -1, 2)", "test:1: a range of more than 16777216 elements"},
	{"table.concat(setmetatable({}, {__index = type}), '', 1, 1 << 60)", "test:1: a range of more than 16777216 elements"},
	{"table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 1)", "test:1: a range of more than 16777216 elements"},
	{"table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)", "test:1: a range of more than 16777216 elements"},
	{"table.unpack({}, 1, 1 << 60)", "test:1: a range of more than 16777216 elements"},
	{"table.sort(setmetatable({}, {__len = function() return 1 << 60 end}))", "test:1: a range of more than 16777216 elements"},
	{"(('a'):rep(60)):find(('a?'):rep(60) .. ('a'):rep(60))", "test:1: The script ran longer"},
	{"('a'):rep(100000):find(('.-'):rep(20) .. 'b')", "test:1: The script ran longer"},
	{"('a'):rep(3000000):find(('a'):rep(1000000) .. 'b', 1, true) while true do end", "test:1: The script ran longer"},
	{"('a'):rep(100000):gsub(('a*'):rep(10) .. 'b', '')", "test:1: The script ran longer"},
	{"local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
		"test:1: The script ran longer"},
	{"setmetatable(_G, {__index = function() while true do end end}) x = y", "test:1: The script ran longer"},
	{"while true do qs.seek('1/0') qs.seek('0') end", "test:1: The script ran longer"},
	{"error(setmetatable({}, {__tostring = function() while true do end end}))", "test:1: The script ran longer"},
	{"print(setmetatable({}, {__tostring = function() while true do end end}))", "test:1: The script ran longer"},
	{"qs.json(1) tostring(setmetatable({}, {__name = ('x'):rep(10)})) while true do end", "test:1: The script ran longer"},
	/* in hooks */
	{"qs.on.quad(function() while true do end end)", "test:1: The script ran longer"},
	{"qs.on.quad(function() pcall(function() while true do end end) end)", "test:1: The script ran longer"},
	{"qs.on.draw(function() while true do end end)", "test:1: The script ran longer"},
	{"qs.on.done(function()\n while true do end end)", "test:2: The script ran longer"},
	{"qs.on.quad(function() while true do end end) while true do pcall(qs.replay) end", "test:1: The script ran longer"},
};

START_TEST(stays_inside)
{
	double before = processor();

	expect_error(escapes[_i].text, escapes[_i].message);
	if (!strstr(escapes[_i].text, "math.huge"))
		ck_assert_msg(processor() - before < 8, "%s: took %.1f s", escapes[_i].text, processor() - before);
}
END_TEST

/* ---- interruption ------------------------------------------------------------------------------------------------------- */

static const char *const endless[] = {
	"while true do end",
	"while true do pcall(function() while true do end end) end",
	"qs.on.quad(function() while true do end end)",
	"while true do qs.replay() end",
	"while true do qs.seek('1') qs.seek('0') end",
	"(('a'):rep(60)):find(('a?'):rep(60) .. ('a'):rep(60))",
	"local t = {} for i = 1, 2000000 do t[i] = i % 1000 end while true do table.sort(t) end",
};

struct interruption {
	struct qs_script *script;
	double when;
};

static void *interrupt_soon(void *user)
{
	const struct timespec pause = {0, 300000000};
	struct interruption *i = user;

	nanosleep(&pause, NULL);
	i->when = processor();
	qs_script_interrupt(i->script);
	return NULL;
}

START_TEST(interrupts)
{
	const struct qs_script_limits none = {0, (size_t)256 << 20};
	struct script_host h;
	struct qs_script *script;
	struct qs_error error = {0};
	struct session s;
	pthread_t thread;
	char path[700];
	double ended;

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, &none);
	struct interruption interruption = {script, 0};
	ck_assert_int_eq(pthread_create(&thread, NULL, interrupt_soon, &interruption), 0);
	ck_assert(!qs_script_run_text(script, endless[_i], "=test", &error));
	ended = processor();
	pthread_join(thread, NULL);
	ck_assert_msg(interruption.when > 0 && ended - interruption.when < 8, "%s: %.2f s after the interruption", endless[_i],
		ended - interruption.when);
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
	ck_assert_msg(!strcmp(error.text, "test:1: The script was interrupted."), "%s: %s", endless[_i], error.text);
	ck_assert(qs_script_eval(script, "qs.seek('1/0')", NULL, &error));
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

START_TEST(progress_stops)
{
	struct script_host h;
	struct qs_script *script;
	struct qs_error error = {0};
	struct session s;

	open_walked(&s, 0);
	script = open_script(&h, s.t, NULL);
	h.stop_after = 3;
	ck_assert(!qs_script_run_text(script, "while true do end", "=test", &error));
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
	h.stop_after = 0;
	ck_assert_msg(qs_script_run_text(script, "qs.on.quad(function() for i = 1, 20 do end end)", "=test", &error), "%s", error.text);
	ck_assert_msg(h.fraction == 1, "%g", h.fraction);
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

START_TEST(status)
{
	static const struct {
		const char *text;
		int status;
		bool good;
	} ends[] = {
		{"print(1)", 0, true}, {"qs.check(true)", 0, true}, {"qs.check(false) print(1)", 1, true}, {"qs.check(false) qs.exit(0)", 1, true},
		{"qs.exit()", 0, true}, {"qs.exit(1)", 1, true}, {"qs.exit(2)", 2, true}, {"error('x')", 2, false}, {"x =", 2, false},
		{"qs.on.quad(function() qs.exit(1) end)", 1, true}, {"qs.on.draw(function() qs.check(false) end)", 1, true},
	};
	struct script_host h;
	struct session s;
	struct qs_script *script;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct qs_error error;

		ck_assert_msg(qs_script_run_text(script, ends[i].text, "=test", &error) == ends[i].good, "%s", ends[i].text);
		ck_assert_msg(qs_script_status(script) == ends[i].status, "%s: %d", ends[i].text, qs_script_status(script));
	}
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

/* Nothing of a run is left in the next one. */
START_TEST(fresh_runs)
{
	struct script_host h;
	struct session s;
	struct qs_script *script;
	struct qs_error error;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	ck_assert(qs_script_run_text(script,
		"a = 1 qs.on.draw(function() print('old') end) qs.break_at('quad') qs.overlay:point(1, 1) string.rep = nil", "=test", &error));
	ck_assert_uint_eq(qs_timeline_break_count(s.t), 1);
	clear_notes(&h);
	ck_assert(qs_script_run_text(script, "print(a, string.rep ~= nil) qs.on.draw('draw == 3', function() print('new') end)", "=test", &error));
	ck_assert_str_eq(noted(&h), "nil\ttrue\nnew\n<overlay>\n");
	ck_assert_uint_eq(qs_timeline_break_count(s.t), 0);
	/* a prompt sees the variables of the run, its hooks work when they are replayed */
	ck_assert(qs_script_run_text(script, "b = 5 qs.on.draw('draw == 3', function() b = b + 1 end)", "=test", &error));
	clear_notes(&h);
	ck_assert(qs_script_eval(script, "b", NULL, &error));
	ck_assert(qs_script_eval(script, "qs.replay() print(b)", NULL, &error));
	ck_assert_str_eq(noted(&h), "6\n7\n");
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

/* The moment: kept by the replay at the end, left where the script went, or where a hook stopped. */
START_TEST(moments_after_runs)
{
	static const struct {
		const char *text, *moment;
		unsigned moves;
	} runs[] = {
		{"print(1)", "1/1", 0}, {"qs.seek('1/2')", "1/2", 1}, {"qs.seek('1/2') qs.seek('1/1')", "1/1", 0},
		{"qs.on.quad(function() end)", "1/1", 0}, {"qs.on.draw('draw == 2', function() return false end)", "1/2", 1},
		{"qs.on.quad('draw == 2 and quad == 5', function() return false end)", "1/2/0/5", 1},
		{"qs.on.fragment('draw == 2 and quad == 5 and fragment == 1', function() return false end)", "1/2/0/5/1", 1},
		{"qs.replay('0', '1/0')", "1/0", 1}, {"qs.on.draw(function() qs.seek('0') end)", "1/1", 0},
		{"qs.on.done(function() qs.seek('1/3') end)", "1/3", 1},
		{"qs.on.draw('draw == 1', function() qs.seek('1/0/0') return true end) qs.replay('1/0', '1/2')", "1/2", 1},
	};
	struct script_host h;
	struct session s;
	struct qs_script *script;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct qs_error error;
		struct qs_moment m;

		ck_assert(qs_moment_parse(s.capture, "1/1", &m, &error));
		seek(&s, &m);
		clear_notes(&h);
		ck_assert_msg(qs_script_run_text(script, runs[i].text, "=test", &error), "%s: %s", runs[i].text, error.text);
		ck_assert_msg(!strcmp(text(&s, qs_timeline_moment(s.t)), runs[i].moment), "%s: at %s", runs[i].text,
			text(&s, qs_timeline_moment(s.t)));
		ck_assert_msg(h.moves == runs[i].moves, "%s: %u moves", runs[i].text, h.moves);
	}
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

START_TEST(files)
{
	static const char *const argv[] = {"one", "two words"};
	char path[700], name[] = "check_lua_XXXXXX";
	struct script_host h;
	struct session s;
	struct qs_script *script;
	struct qs_error error;
	FILE *file = fdopen(mkstemp(name), "w");

	fputs("#!/usr/bin/env qscope\nlocal a, b = ...\nprint(a, b, arg[2], #arg)\nerror('end')\n", file);
	fclose(file);
	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	ck_assert(!qs_script_run_file(script, name, 2, argv, &error));
	ck_assert_str_eq(noted(&h), "one\ttwo words\ttwo words\t2\n");
	snprintf(path, sizeof path, "%s:4: end", name);
	ck_assert_str_eq(error.text, path);
	remove(name);
	ck_assert(!qs_script_run_file(script, name, 0, NULL, &error));
	ck_assert_int_eq(error.code, QS_ERR_IO);
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lua");
	TCase *tcase = tcase_create("lua");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, prints, 0, sizeof outputs / sizeof *outputs);
	tcase_add_loop_test(tcase, errors, 0, sizeof refused / sizeof *refused);
	tcase_add_loop_test(tcase, stays_inside, 0, sizeof escapes / sizeof *escapes);
	tcase_add_loop_test(tcase, interrupts, 0, sizeof endless / sizeof *endless);
	tcase_add_test(tcase, progress_stops);
	tcase_add_test(tcase, status);
	tcase_add_test(tcase, fresh_runs);
	tcase_add_test(tcase, moments_after_runs);
	tcase_add_test(tcase, files);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
