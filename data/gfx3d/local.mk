# Sample programs of Gfx3D: each draws a picture and can be recorded; they use the installed headers only.
GFX3D_SAMPLES = data/gfx3d/constant data/gfx3d/cube data/gfx3d/textured data/gfx3d/lit data/gfx3d/branches data/gfx3d/discard data/gfx3d/city data/gfx3d/differences
noinst_PROGRAMS += $(GFX3D_SAMPLES)
data_gfx3d_constant_SOURCES = data/gfx3d/constant.c data/gfx3d/scene.h
data_gfx3d_constant_LDADD = src/libquadscope.la -lm
data_gfx3d_cube_SOURCES = data/gfx3d/cube.c data/gfx3d/scene.h
data_gfx3d_cube_LDADD = src/libquadscope.la -lm
data_gfx3d_textured_SOURCES = data/gfx3d/textured.c data/gfx3d/scene.h
data_gfx3d_textured_LDADD = src/libquadscope.la -lm
data_gfx3d_lit_SOURCES = data/gfx3d/lit.c data/gfx3d/scene.h
data_gfx3d_lit_LDADD = src/libquadscope.la -lm
data_gfx3d_branches_SOURCES = data/gfx3d/branches.c data/gfx3d/scene.h
data_gfx3d_branches_LDADD = src/libquadscope.la -lm
data_gfx3d_discard_SOURCES = data/gfx3d/discard.c data/gfx3d/scene.h
data_gfx3d_discard_LDADD = src/libquadscope.la -lm
data_gfx3d_city_SOURCES = data/gfx3d/city.c data/gfx3d/scene.h
data_gfx3d_city_LDADD = src/libquadscope.la -lm
data_gfx3d_differences_SOURCES = data/gfx3d/differences.c data/gfx3d/scene.h
data_gfx3d_differences_LDADD = src/libquadscope.la -lm
# What they recorded.
EXTRA_DIST += data/captures/gfx3d-constant.qsc data/captures/gfx3d-cube.qsc data/captures/gfx3d-textured.qsc data/captures/gfx3d-lit.qsc \
	data/captures/gfx3d-branches.qsc data/captures/gfx3d-discard.qsc data/captures/gfx3d-city.qsc
EXTRA_DIST += data/captures/differences
