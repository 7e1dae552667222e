# Scripts: a convenience library over the public interface, for the terminal program and the inspector.
noinst_LTLIBRARIES += lua/libqslua.la
lua_libqslua_la_SOURCES = lua/engine.h lua/script.h lua/record.h lua/builder.h lua/api.def \
	lua/engine.c lua/sandbox.c lua/pattern.c lua/api.c lua/record.c lua/event.c lua/hooks.c lua/replay.c lua/names.c lua/builder.c \
	lua/bind_regs.c lua/bind_time.c lua/bind_state.c lua/bind_pixel.c lua/bind_memory.c lua/bind_plot.c lua/explain.c \
	lua/complete.c lua/api_scene.def lua/scene.h lua/scene.c lua/scene_draw.c lua/scene_texture.c lua/scene_open.c lua/bind_compare.c
# The part of scenes that is written in Lua, as a string.
EXTRA_DIST += lua/scene.lua
BUILT_SOURCES += lua/scene_lua.h
CLEANFILES += lua/scene_lua.h
$(lua_libqslua_la_OBJECTS): lua/scene_lua.h
lua/scene_lua.h: $(srcdir)/lua/scene.lua
	$(AM_V_GEN)$(MKDIR_P) lua && sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $(srcdir)/lua/scene.lua > $@.tmp && mv $@.tmp $@
lua_libqslua_la_SOURCES += lua/bind_efb.c lua/bind_gfx3d.c
lua_libqslua_la_CFLAGS = $(AM_CFLAGS) $(CORE_WARN_CFLAGS) $(LUA_CFLAGS) -I$(top_srcdir)
lua_libqslua_la_LIBADD = $(LUA_LIBS)

noinst_PROGRAMS += lua/mkapi
lua_mkapi_SOURCES = lua/mkapi.c
lua_mkapi_CFLAGS = $(AM_CFLAGS) $(LUA_CFLAGS) -I$(top_srcdir)
lua_mkapi_LDADD = lua/libqslua.la src/libquadscope.la $(LUA_LIBS)
