src_libqscore_la_SOURCES += src/gx/machine.h src/gx/quirks.def src/gx/su.h src/gx/su.c src/gx/su_edge.c src/gx/ras.c src/gx/draw.c src/gx/parallel.h \
	src/gx/parallel.c
src_libqscore_la_SOURCES += src/gx/vertex_size.c
src_libqscore_la_SOURCES += src/gx/texfmt.h src/gx/texfmt.c src/gx/tx.h src/gx/tx.c src/gx/tx_lod.c src/gx/tx_level.c \
	src/gx/tx_cache.c src/gx/tx_record.c src/gx/tx_load.c src/gx/tx_view.c src/gx/tx_tiles.c src/gx/tx_map.c src/gx/tags.c
src_libqscore_la_SOURCES += src/gx/front.h src/gx/machine.c src/gx/quirks.c src/gx/memory.c src/gx/cp.c src/gx/vertex.c \
	src/gx/xf.c src/gx/light.c src/gx/texgen.c src/gx/clip.c
src_libqscore_la_SOURCES += src/gx/registers.def src/gx/registers_bp.def src/gx/registers_pe_bp.def src/gx/registers_tx.def \
	src/gx/registers_tev.def src/gx/registers_cp.def src/gx/registers_xf.def src/gx/registers_pe.def \
	src/gx/registers_table.h src/gx/registers_table.c src/gx/registers_index.h src/gx/registers.c
noinst_PROGRAMS += src/gx/mkregs
src_gx_mkregs_SOURCES = src/gx/mkregs.c src/gx/registers_table.c
src_libqscore_la_SOURCES += src/gx/lanes.h src/gx/tev.h src/gx/tev.c src/gx/tev_decode.c src/gx/indirect.c src/gx/fog.c src/gx/pe.h src/gx/pe.c src/gx/pe_z.c src/gx/blend.c \
	src/gx/efb.c src/gx/copy.h src/gx/copy.c src/gx/copy_texture.c src/gx/copy_texel.c src/gx/xfb.c
src_libqscore_la_SOURCES += src/gx/lint.h src/gx/lint.c src/gx/lint_vertex.c src/gx/lint_pixel.c
src_libqscore_la_SOURCES += src/gx/cpu.c src/trace/access.c
