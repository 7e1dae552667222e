-- late-z.lua - which draws lose fragments at the late depth test?
--
--   qscope run scripts/probes/late-z.lua data/captures/z-early-late.dff
--
-- A hook is called while the capture is replayed.  The text in front of the function is a condition that the engine tests by
-- itself, so that Lua is called only for the fragments that matter.  A script that sets hooks is replayed when it ends.

local lost = {}
qs.on.fragment("verdict == late_z", function(f) lost[f.draw] = (lost[f.draw] or 0) + 1 end)
qs.on.done(function() qs.plot.line("late depth test failed", lost, {x = "draw", y = "fragments"}) end)
