-- register-log.lua - every change of the registers that match a pattern
--
--   qscope run scripts/probes/register-log.lua CAPTURE -- 'bp.PE_*'

local pattern = arg and arg[1] or "bp.PE_ZMODE"
local writes, changes = 0, 0

qs.on.write(pattern, function(e)
	writes = writes + 1
	if e.old ~= e.new then
		changes = changes + 1
		if changes <= 20 then
			print(string.format("%-14s %-24s %06x -> %06x", e.moment, e.reg, e.old, e.new))
		end
	end
end)

qs.on.done(function()
	print(string.format("%s: %d writes, %d of them change something", pattern, writes, changes))
end)
