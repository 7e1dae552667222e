# src/trace
src_libqscore_la_SOURCES += src/trace/gfx3d.h src/trace/gfx3d_inside.h src/trace/gfx3d.c src/trace/gfx3d_checkpoint.c src/trace/gfx3d_record.c src/trace/gfx3d_query.c src/trace/gfx3d_walk.c \
	src/trace/gfx3d_tables.c src/trace/gfx3d_rows.h src/trace/gfx3d_rows.c src/trace/gfx3d_writers.c
src_libqscore_la_SOURCES += \
	src/trace/timeline.h src/trace/timeline.c src/trace/snapshot.c src/trace/checkpoint.c src/trace/tap.c src/trace/advance.c \
	src/trace/walk.c src/trace/step.c src/trace/replay.c src/trace/pipeline.c src/trace/query.c src/trace/image.c src/trace/dry.c src/trace/history.c \
	src/trace/writes.c src/trace/breakpoint.h src/trace/breakpoint.c src/trace/breakpoint_text.c
src_libqscore_la_SOURCES += src/trace/compare.h src/trace/compare.c src/trace/minimise.c src/trace/story.h src/trace/story.c src/trace/diverge.c src/trace/operands.c \
	src/trace/classify.c src/trace/gx_diverge.c src/trace/gfx3d_host.c src/trace/gfx3d_program.c src/trace/gfx3d_look.h src/trace/gfx3d_depth.c src/trace/gfx3d_operands.c src/trace/gfx3d_draws.c src/trace/gfx3d_diverge.c src/trace/gfx3d_cover.c src/trace/gfx3d_walk_back.c
