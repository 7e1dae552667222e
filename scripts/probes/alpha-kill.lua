-- alpha-kill.lua - how many fragments does the alpha test throw away?
--
--   qscope run scripts/probes/alpha-kill.lua data/captures/z-early-late.dff
--
-- A draw whose fragments nearly all die was shaded for nothing: smaller polygons would be faster.  Two hooks count for the
-- same table, and the draw hook, which comes after all fragments of its draw, reads the test that was set.

local rows, tested, killed = {}, 0, 0

qs.on.fragment("verdict == alpha", function() killed = killed + 1 end)
qs.on.fragment("verdict != early_z", function() tested = tested + 1 end)

qs.on.draw(function(d)
	local test = qs.regs.bp.TEV_ALPHAFUNC
	if killed > 0 then
		rows[#rows + 1] = {draw = d.moment, fragments = tested, killed = killed, percent = ("%.1f"):format(100 * killed / tested),
			test = test:text("func0") .. " " .. test.ref0}
	end
	tested, killed = 0, 0
end)

qs.on.done(function() qs.table(rows, {"draw", "fragments", "killed", "percent", "test"}, "alpha test") end)
