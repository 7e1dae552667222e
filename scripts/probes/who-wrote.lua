-- who-wrote.lua - who made this pixel what it is?
--
--   qscope run scripts/probes/who-wrote.lua data/captures/tour.dff -- 320 300
--
-- No hooks here: the script asks the timeline.  A pixel explains itself in a sentence; its history has a row for everything
-- that reached it in the frame.  Going to the moment of a row shows the registers as they were then, and who had set them.

local x, y = tonumber(arg[1]) or 320, tonumber(arg[2]) or 240

-- the display copy at the end of a frame often clears the picture: look at the end of the last draw
qs.seek(1)
qs.step("draw", -1)
print(qs.pixel(x, y):explain())

local rows, writer = {}, nil
for _, row in ipairs(qs.pixel(x, y):history()) do
	if row.kind == "fragment" then
		rows[#rows + 1] = {moment = row.moment, source = row.source, before = row.before, after = row.after, result = row.text}
		if row.verdict == "written" then
			writer = row
		end
	end
end
qs.table(rows, {"moment", "source", "before", "after", "result"}, ("pixel %d,%d"):format(x, y))

if writer then
	qs.seek(writer.moment)
	for _, name in ipairs({"GEN_MODE", "PE_ZMODE", "PE_CMODE0", "TEV_ALPHAFUNC"}) do
		print(qs.regs.bp[name], "set at " .. (qs.regs.bp[name]:writer() or "the start"))
	end
	qs.overlay:point(x, y, "yellow", writer.moment)
end
