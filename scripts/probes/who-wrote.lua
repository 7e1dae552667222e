-- who-wrote.lua - why does a pixel have its colour?
--
--   qscope run scripts/probes/who-wrote.lua CAPTURE -- 320 300

local last
local x, y = tonumber(arg and arg[1]) or 320, tonumber(arg and arg[2]) or 240

-- The last draw of the frame: after it comes the display copy, which clears.
for draw in qs.draws(1) do
	last = draw.moment
end
qs.seek(last)
for _, row in ipairs(qs.pixel(x, y):history(1)) do
	print(string.format("%-16s %-10s", row.moment or "start", row.verdict or row.kind))
end
print(qs.pixel(x, y):explain())
