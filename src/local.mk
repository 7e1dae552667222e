# The engine: libqscore.la has every symbol (tests link it), libquadscope.la exports the public ones.
public_headers = src/quadscope.h src/qs_base.h src/qs_register.h src/qs_capture.h src/qs_record.h src/qs_expr.h src/qs_timeline.h \
	src/qs_break.h src/qs_compare.h src/qs_lint.h
noinst_LTLIBRARIES += src/libqscore.la
src_libqscore_la_SOURCES = $(public_headers)
src_libqscore_la_CFLAGS = $(AM_CFLAGS) $(CORE_WARN_CFLAGS) $(VECTOR_CFLAGS) $(PNG_CFLAGS) $(ZSTD_CFLAGS)
src_libqscore_la_LIBADD = $(PNG_LIBS) $(ZSTD_LIBS) -lm -lpthread

include src/core/local.mk
include src/file/local.mk
include src/gx/local.mk
include src/virgl/local.mk
include src/trace/local.mk
include src/gfx3d/local.mk

lib_LTLIBRARIES += src/libquadscope.la
include_HEADERS += $(public_headers) src/qs_shader.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = src/quadscope.pc
src_libquadscope_la_SOURCES =
src_libquadscope_la_LIBADD = src/libqscore.la
src_libquadscope_la_LDFLAGS = -export-symbols-regex '^qs_' -version-info 0:0:0 -no-undefined

include src/cli/local.mk
