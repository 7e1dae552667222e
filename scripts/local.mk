# Sample scripts: one idea each, run by tests/check_probes.
probesdir = $(pkgdatadir)/probes
dist_probes_DATA = \
	scripts/probes/alpha-kill.lua \
	scripts/probes/depth-range.lua \
	scripts/probes/late-z.lua \
	scripts/probes/overdraw.lua \
	scripts/probes/overflow.lua \
	scripts/probes/register-log.lua \
	scripts/probes/stop-where.lua \
	scripts/probes/textures.lua \
	scripts/probes/triangle-sizes.lua \
	scripts/probes/who-wrote.lua
EXTRA_DIST += scripts/run scripts/test scripts/setup.sh .ci/run
