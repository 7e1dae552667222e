# Unit tests: one check_<unit>.c each, linked with the whole core. Each helper program is added to UNIT_TESTS below.
TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
TEST_LIBS = src/libqscore.la $(CHECK_LIBS)
AM_TESTS_ENVIRONMENT = \
	QS_DATA='$(abs_top_srcdir)/data'; export QS_DATA; \
	QS_SRCDIR='$(abs_top_srcdir)'; export QS_SRCDIR; \
	QS_BUILDDIR='$(abs_top_builddir)'; export QS_BUILDDIR;

include tests/trace.mk
include tests/lua.mk
include tests/gfx3d.mk
include tests/virgl.mk
include tests/fuzz/local.mk
include tests/csir.mk
include tests/diagnosis.mk

check_PROGRAMS += tests/check_bits
TESTS += tests/check_bits
tests_check_bits_SOURCES = tests/check_bits.c
tests_check_bits_CFLAGS = $(TEST_CFLAGS)
tests_check_bits_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_facts
TESTS += tests/check_facts
tests_check_facts_SOURCES = tests/check_facts.c tests/dffwriter.h tests/log_machine.h tests/tevpe.h tests/oracle/random.h
tests_check_facts_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_facts_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_su
TESTS += tests/check_su
tests_check_su_SOURCES = tests/check_su.c tests/tevpe.h tests/oracle/random.h
tests_check_su_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_su_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_efb
TESTS += tests/check_efb
tests_check_efb_SOURCES = tests/check_efb.c tests/session.h tests/tevpe.h tests/corpus.h tests/oracle/random.h
tests_check_efb_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_efb_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_texfmt
TESTS += tests/check_texfmt
tests_check_texfmt_SOURCES = tests/check_texfmt.c tests/oracle/random.h
tests_check_texfmt_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_texfmt_LDADD = $(TEST_LIBS)

TEXTURE_TEST = tests/texture.h tests/oracle/random.h tests/oracle/texture_oracle.h tests/oracle/texture_oracle.c
check_PROGRAMS += tests/check_tx
TESTS += tests/check_tx
tests_check_tx_SOURCES = tests/check_tx.c $(TEXTURE_TEST)
tests_check_tx_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_tx_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_tx_lod
TESTS += tests/check_tx_lod
tests_check_tx_lod_SOURCES = tests/check_tx_lod.c $(TEXTURE_TEST)
tests_check_tx_lod_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_tx_lod_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_tx_cache
TESTS += tests/check_tx_cache
tests_check_tx_cache_SOURCES = tests/check_tx_cache.c $(TEXTURE_TEST)
tests_check_tx_cache_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_tx_cache_LDADD = $(TEST_LIBS)
if FUZZ
noinst_PROGRAMS += tests/fuzz_texture
tests_fuzz_texture_SOURCES = tests/fuzz/fuzz_texture.c
tests_fuzz_texture_LDADD = src/libqscore.la
tests_fuzz_texture_LDFLAGS = -fsanitize=fuzzer
endif
check_PROGRAMS += tests/replay_texture
TESTS += tests/replay_texture
tests_replay_texture_SOURCES = tests/fuzz/fuzz_texture.c tests/fuzz/replay.c tests/oracle/random.h
tests_replay_texture_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_texture_LDADD = src/libqscore.la

check_PROGRAMS += tests/check_dff
TESTS += tests/check_dff
tests_check_dff_SOURCES = tests/check_dff.c tests/dffwriter.h tests/capture_invariants.h tests/dff_captures.inc
tests_check_dff_CFLAGS = $(TEST_CFLAGS)
tests_check_dff_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_index
TESTS += tests/check_index
tests_check_index_SOURCES = tests/check_index.c tests/dffwriter.h tests/capture_invariants.h
tests_check_index_CFLAGS = $(TEST_CFLAGS)
tests_check_index_LDADD = $(TEST_LIBS)

# Not a test: `make tests/bench/bench_open && tests/bench/bench_open`.
EXTRA_PROGRAMS += tests/bench/bench_open
tests_bench_bench_open_SOURCES = tests/bench/bench_open.c tests/dffwriter.h
tests_bench_bench_open_CFLAGS = $(AM_CFLAGS)
tests_bench_bench_open_LDADD = src/libqscore.la

check_PROGRAMS += tests/check_moment
TESTS += tests/check_moment
tests_check_moment_SOURCES = tests/check_moment.c tests/dffwriter.h
tests_check_moment_CFLAGS = $(TEST_CFLAGS)
tests_check_moment_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_registers
TESTS += tests/check_registers
tests_check_registers_SOURCES = tests/check_registers.c
tests_check_registers_CFLAGS = $(TEST_CFLAGS)
tests_check_registers_LDADD = $(TEST_LIBS) -lm
dist_check_SCRIPTS += tests/check_generated
TESTS += tests/check_generated

check_PROGRAMS += tests/check_ras
TESTS += tests/check_ras
tests_check_ras_SOURCES = tests/check_ras.c tests/oracle/random.h tests/oracle/coverage_oracle.c tests/oracle/coverage_oracle.h
tests_check_ras_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_check_ras_CFLAGS = $(TEST_CFLAGS)
tests_check_ras_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_expr
TESTS += tests/check_expr
tests_check_expr_SOURCES = tests/check_expr.c tests/oracle/random.h
tests_check_expr_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_expr_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_lint
TESTS += tests/check_lint
tests_check_lint_SOURCES = tests/check_lint.c tests/dffwriter.h tests/oracle/random.h
tests_check_lint_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_lint_LDADD = $(TEST_LIBS)
noinst_PROGRAMS += tests/bench_expr
tests_bench_expr_SOURCES = tests/bench/bench_expr.c
tests_bench_expr_LDADD = src/libqscore.la
EXTRA_DIST += tests/fuzz/expr.dict
if FUZZ
noinst_PROGRAMS += tests/fuzz_expr
tests_fuzz_expr_SOURCES = tests/fuzz/fuzz_expr.c
tests_fuzz_expr_LDADD = src/libqscore.la
tests_fuzz_expr_LDFLAGS = -fsanitize=fuzzer
endif

check_PROGRAMS += tests/check_vertex
TESTS += tests/check_vertex
tests_check_vertex_SOURCES = tests/check_vertex.c tests/oracle/random.h tests/oracle/vertex.h
tests_check_vertex_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_vertex_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_xf
TESTS += tests/check_xf
tests_check_xf_SOURCES = tests/check_xf.c tests/transform.h tests/oracle/random.h tests/oracle/xf.h
tests_check_xf_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_xf_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_xf_light
TESTS += tests/check_xf_light
tests_check_xf_light_SOURCES = tests/check_xf_light.c tests/transform.h
tests_check_xf_light_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_xf_light_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_clip
TESTS += tests/check_clip
tests_check_clip_SOURCES = tests/check_clip.c tests/oracle/random.h tests/oracle/clip.h
tests_check_clip_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_clip_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/check_cli
TESTS += tests/check_cli

check_PROGRAMS += tests/check_machine
TESTS += tests/check_machine
tests_check_machine_SOURCES = tests/check_machine.c tests/dffwriter.h
tests_check_machine_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_machine_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_cp
TESTS += tests/check_cp
tests_check_cp_SOURCES = tests/check_cp.c tests/dffwriter.h tests/log_machine.h
tests_check_cp_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_cp_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_tev
TESTS += tests/check_tev
tests_check_tev_SOURCES = tests/check_tev.c tests/tevpe.h tests/oracle/random.h tests/oracle/tev_oracle.c tests/oracle/tev_oracle.h
tests_check_tev_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_tev_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_pe
TESTS += tests/check_pe
tests_check_pe_SOURCES = tests/check_pe.c tests/tevpe.h tests/oracle/random.h tests/oracle/pe_oracle.c tests/oracle/pe_oracle.h
tests_check_pe_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_pe_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_exact
TESTS += tests/check_exact
tests_check_exact_SOURCES = tests/check_exact.c tests/tevpe.h tests/oracle/random.h
tests_check_exact_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_exact_LDADD = $(TEST_LIBS)
noinst_PROGRAMS += tests/bench_tev
tests_bench_tev_SOURCES = tests/bench/bench_tev.c
tests_bench_tev_LDADD = src/libqscore.la

check_PROGRAMS += tests/check_copy
TESTS += tests/check_copy
tests_check_copy_SOURCES = tests/check_copy.c tests/tevpe.h tests/oracle/random.h tests/oracle/copy_oracle.c tests/oracle/copy_oracle.h
tests_check_copy_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_copy_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_xfb
TESTS += tests/check_xfb
tests_check_xfb_SOURCES = tests/check_xfb.c tests/tevpe.h tests/oracle/random.h tests/oracle/copy_oracle.c tests/oracle/copy_oracle.h
tests_check_xfb_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_xfb_LDADD = $(TEST_LIBS) -lm


if FUZZ
noinst_PROGRAMS += tests/fuzz_steps
tests_fuzz_steps_SOURCES = tests/fuzz/fuzz_steps.c tests/fuzz/steps_script.h tests/dffwriter.h
tests_fuzz_steps_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_fuzz_steps_LDADD = src/libqscore.la
tests_fuzz_steps_LDFLAGS = -fsanitize=fuzzer
endif
check_PROGRAMS += tests/replay_steps
TESTS += tests/replay_steps
tests_replay_steps_SOURCES = tests/fuzz/fuzz_steps.c tests/fuzz/steps_script.h tests/fuzz/replay.c tests/oracle/random.h tests/dffwriter.h
tests_replay_steps_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_steps_LDADD = src/libqscore.la

if INSPECTOR
check_PROGRAMS += tests/check_worker
TESTS += tests/check_worker
tests_check_worker_SOURCES = tests/check_worker.c
tests_check_worker_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/inspector
tests_check_worker_CFLAGS = $(TEST_CFLAGS) $(GTK_CFLAGS)
tests_check_worker_LDADD = inspector/libqssession.la src/libquadscope.la $(CHECK_LIBS) $(GTK_LIBS)

check_PROGRAMS += tests/check_inspector
TESTS += tests/check_inspector
tests_check_inspector_SOURCES = tests/check_inspector.c tests/sample.h
tests_check_inspector_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/inspector
tests_check_inspector_CFLAGS = $(TEST_CFLAGS) $(GTK_CFLAGS)
tests_check_inspector_LDADD = inspector/libqssession.la src/libquadscope.la $(CHECK_LIBS) $(GTK_LIBS)


check_PROGRAMS += tests/check_stream
TESTS += tests/check_stream
tests_check_stream_SOURCES = tests/check_stream.c tests/sample.h
tests_check_stream_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/inspector
tests_check_stream_CFLAGS = $(TEST_CFLAGS) $(GTK_CFLAGS)
tests_check_stream_LDADD = inspector/libqssession.la src/libquadscope.la $(CHECK_LIBS) $(GTK_LIBS)

check_PROGRAMS += tests/check_canvas
TESTS += tests/check_canvas
tests_check_canvas_SOURCES = tests/check_canvas.c tests/oracle/random.h \
	inspector/canvas/depth-stats.c inspector/canvas/setup-quad.c
tests_check_canvas_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/inspector -I$(srcdir)/tests
tests_check_canvas_CFLAGS = $(TEST_CFLAGS) $(GTK_CFLAGS)
tests_check_canvas_LDADD = inspector/libqssession.la src/libquadscope.la $(CHECK_LIBS) $(GTK_LIBS) -lm

TESTS += tests/ui/window tests/ui/compare tests/ui/gfx3d tests/ui/panels tests/ui/pictures tests/ui/scripting tests/ui/units
endif
dist_check_SCRIPTS += tests/ui/window tests/ui/compare tests/ui/gfx3d tests/ui/panels tests/ui/pictures tests/ui/scripting tests/ui/units
EXTRA_DIST += tests/valgrind tests/valgrind.supp
EXTRA_DIST += tests/ui/compare.py tests/ui/gfx3d.py tests/ui/inspector.py tests/ui/panels.py tests/ui/pictures.py tests/ui/scripting.py tests/ui/uilib.py tests/ui/units.py

noinst_PROGRAMS += tests/bench_vertex
tests_bench_vertex_SOURCES = tests/bench/bench_vertex.c
tests_bench_vertex_LDADD = src/libqscore.la

noinst_PROGRAMS += tests/bench_scenes
tests_bench_scenes_SOURCES = tests/bench/bench_scenes.c
tests_bench_scenes_LDADD = src/libqscore.la

noinst_PROGRAMS += tests/bench_frames
tests_bench_frames_SOURCES = tests/bench/bench_frames.c tests/corpus.h
tests_bench_frames_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_bench_frames_LDADD = src/libqscore.la
