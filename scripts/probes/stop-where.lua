-- stop-where.lua - run to the first fragment that meets a condition, and look around
--
--   qscope run scripts/probes/stop-where.lua CAPTURE -- 'verdict == alpha and y > 100'

local condition = arg and arg[1] or "verdict == late_z or verdict == early_z or verdict == alpha"

qs.seek("0")
qs.break_at{where = "pixel 0,0-639,527", cond = condition}
local hit = qs.run()
if hit then
	print("stopped at " .. qs.moment)
	print("GEN_MODE.ntev is " .. qs.regs.bp.GEN_MODE.ntev .. ", so " .. qs.regs.bp.GEN_MODE.ntev + 1 .. " stages")
	print("PE_ZMODE was written at " .. (qs.regs.bp.PE_ZMODE:writer() or "the start"))
else
	print("no fragment meets: " .. condition)
end
