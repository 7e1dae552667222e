-- textures.lua - which textures does the capture use, and how much?
--
--   qscope run scripts/probes/textures.lua data/captures/tex-eight-maps.dff
--
-- After each draw the timeline stands still, so the hook can ask for the textures that the draw has used.  The same texture
-- may be bound to several maps or used by many draws: address, format and size together are its name.

local textures, list = {}, {}

qs.on.draw(function(d)
	for map = 0, 7 do
		local t = qs.texture(map)
		if t.used then
			local name = ("%s %08x %s %dx%d"):format(t.preloaded and "tmem" or "main", t.address, t.format, t.width, t.height)
			local row = textures[name]
			if not row then
				row = {address = ("%08x"):format(t.address), memory = t.preloaded and "TMEM" or "main", format = t.format,
					size = t.width .. "x" .. t.height, levels = t.levels, draws = 0, first = d.moment}
				textures[name] = row
				list[#list + 1] = row
			end
			if row.last ~= d.moment then -- two maps of one draw count once
				row.draws = row.draws + 1
				row.last = d.moment
			end
		end
	end
end)

qs.on.done(function()
	table.sort(list, function(a, b)
		if a.draws ~= b.draws then
			return a.draws > b.draws
		end
		return a.address < b.address
	end)
	qs.table(list, {"address", "memory", "format", "size", "levels", "draws", "first"}, "textures")
end)
