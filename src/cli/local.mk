# The terminal program; it sees the engine only through the public header.
bin_PROGRAMS += qscope
qscope_SOURCES = \
	src/cli/cli.h src/cli/debug.h src/cli/script.h src/cli/state.h src/cli/trace.h src/cli/views.h \
	src/cli/cmd_debug.c src/cli/cmd_diff.c src/cli/diff.h src/cli/diff_print.c src/cli/diff_report.c src/cli/cmd_history.c src/cli/cmd_imgdiff.c src/cli/cmd_info.c src/cli/cmd_lint.c src/cli/cmd_list.c src/cli/cmd_program.c \
	src/cli/cmd_regs.c src/cli/cmd_render.c src/cli/cmd_run.c src/cli/cmd_shader.c src/cli/cmd_scene.c src/cli/cmd_state.c src/cli/cmd_trace.c \
	src/cli/debug_break.c src/cli/debug_commands.c src/cli/debug_complete.c src/cli/debug_lua.c src/cli/debug_picture.c src/cli/debug_pipeline.c \
	src/cli/debug_show.c src/cli/debug_step.c \
	src/cli/explain.c src/cli/main.c src/cli/names.c src/cli/open.c src/cli/options.c src/cli/output.c src/cli/plot.c src/cli/script.c src/cli/state.c \
	src/cli/trace.c src/cli/trace_config.c src/cli/trace_copy.c src/cli/trace_gfx3d.c src/cli/trace_json.c src/cli/trace_pe.c src/cli/trace_print.c src/cli/trace_tev.c
qscope_CFLAGS = $(AM_CFLAGS) $(CORE_WARN_CFLAGS) $(JSON_CFLAGS) -I$(top_srcdir)
qscope_LDADD = lua/libqslua.la src/libquadscope.la $(JSON_LIBS) -lreadline -lm
qscope_SOURCES += src/cli/debug_poke.c
