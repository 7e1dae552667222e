-- textures.lua - which textures a frame uses, and how much memory they take
--
-- qs.texture(map) describes the map at the current moment; used says whether a TEV or indirect stage reads it.

local seen, rows = {}, {}

for draw in qs.draws(1) do
	qs.seek(draw.moment)
	for map = 0, 7 do
		local t = qs.texture(map)
		local key = string.format("%x %s %dx%d", t.address, t.format, t.width, t.height)
		if t.used and not seen[key] then
			seen[key] = true
			rows[#rows + 1] = {draw = draw.moment, map = map, format = t.format, size = t.width .. "x" .. t.height,
				levels = t.levels, address = string.format("0x%08x", t.address)}
		end
	end
end

print(#rows .. " textures in frame 1")
if #rows > 0 then
	qs.table(rows, {"draw", "map", "format", "size", "levels", "address"}, "textures")
end
