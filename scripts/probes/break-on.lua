-- break-on.lua - stop where a condition holds, again and again
--
--   qscope run scripts/probes/break-on.lua data/captures/z-early-late.dff -- pixel 40,40-600,440 'alpha < 128 and verdict == alpha'
--
-- The breakpoint is the same that the debugger and the inspector know; the engine tests the condition, and qs.run comes back
-- at the moment of the first hit, where everything can be asked.  This prints the first five hits.

local kind, place, condition = arg[1] or "write", arg[2] or "bp.PE_ZMODE", arg[3]
local where = place and place ~= "" and kind .. " " .. place or kind

qs.seek(0)
local stop = qs.break_at{where = where, cond = condition}
for n = 1, 5 do
	local hit = qs.run()
	if not hit then
		print("no more hits")
		break
	end
	print(n, hit.moment)
end
stop:off()
