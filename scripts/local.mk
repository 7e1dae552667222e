# Sample scripts: one idea each, run by tests/check_probes.c.
probesdir = $(pkgdatadir)/probes
dist_probes_DATA = \
	scripts/probes/alpha-kill.lua \
	scripts/probes/break-on.lua \
	scripts/probes/depth-range.lua \
	scripts/probes/divergence.lua \
	scripts/probes/draw-divergence.lua \
	scripts/probes/late-z.lua \
	scripts/probes/models.lua \
	scripts/probes/overdraw.lua \
	scripts/probes/texture-cache.lua \
	scripts/probes/overflow.lua \
	scripts/probes/sane.lua \
	scripts/probes/textures.lua \
	scripts/probes/triangle-sizes.lua \
	scripts/probes/who-wrote.lua \
	scripts/probes/writes.lua
EXTRA_DIST += scripts/run scripts/test scripts/setup.sh .ci/run
