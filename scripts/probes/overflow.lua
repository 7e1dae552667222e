-- overflow.lua - where does a combiner stage leave the range of a colour?
--
--   qscope run scripts/probes/overflow.lua data/captures/tev-ops.dff
--
-- The stage hook sees every stage of every fragment: the inputs, the wide result before the clamp and what was stored.  A sum
-- beyond 0..255 is often meant (the clamp is part of the effect) and often the bug that makes a surface white or black.  For each
-- draw and stage the first such place is reported, with the operands, so that one can go there.

local seen, rows = {}, {}

local function look(s, channel, value)
	if value >= 0 and value <= 255 then
		return
	end
	local name = s.draw * 64 + s.stage * 4 + channel
	local row = seen[name]
	if row then
		row.times = row.times + 1
		row.lowest, row.highest = math.min(row.lowest, value), math.max(row.highest, value)
		return
	end
	local c = ("rgba"):sub(channel + 1, channel + 1)
	row = {first = s.moment, channel = c, times = 1, lowest = value, highest = value, stored = s.result[c],
		a = s.a[c], b = s.b[c], c = s.c[c], d = s.d[c]}
	seen[name] = row
	rows[#rows + 1] = row
end

qs.on.stage(function(s)
	look(s, 0, s.wide_r)
	look(s, 1, s.wide_g)
	look(s, 2, s.wide_b)
	look(s, 3, s.wide_a)
end)

qs.on.done(function()
	print(#rows == 0 and "no stage leaves 0..255" or #rows .. " channels of stages leave 0..255")
	qs.table(rows, {"first", "channel", "times", "lowest", "highest", "stored", "a", "b", "c", "d"}, "before the clamp")
end)
