-- writes.lua - a log of register writes
--
--   qscope run scripts/probes/writes.lua data/captures/z-early-late.dff -- 'bp.TEV_*'
--
-- The pattern takes * and ? in the unit, the register and the field; with a field only changes of that field are reported.
-- e.changed lists the fields that differ; qs.regs shows the register as it is after the write.

local pattern = arg[1] or "bp.*"

qs.on.write(pattern, function(e)
	local fields = {}
	for _, name in ipairs(e.changed) do
		fields[#fields + 1] = name .. " " .. qs.regs(e.reg):text(name)
	end
	print(e.moment, e.reg, ("0x%06x"):format(e.new), #fields > 0 and table.concat(fields, ", ") or "unchanged")
end)
