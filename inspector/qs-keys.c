/* qs-keys.c - every key of the window, in one table
 *
 * Keys that no text field wants are accelerators of the application.  The others (letters, digits, brackets, word motion)
 * are caught before the focused widget sees them, unless it is a text field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-window-private.h"
#include "canvas/qs-canvas.h"

static const struct {
	const char *action;
	const char *keys[4];
} accelerators[] = {
	{"win.open", {"<Control>o"}},
	{"app.quit", {"<Control>q"}},
	{"win.close", {"<Control>w"}},
	{"win.run(1)", {"F5"}},
	{"win.run(-1)", {"<Shift>F5"}},
	{"win.step(('draw',1))", {"F10"}},
	{"win.step(('draw',-1))", {"<Shift>F10"}},
	{"win.into", {"F11"}},
	{"win.back", {"<Shift>F11"}},
	{"win.out", {"<Control>F11"}},
	{"win.step(('quad',1))", {"F6"}},
	{"win.step(('quad',-1))", {"<Shift>F6"}},
	{"win.step(('primitive',1))", {"F7"}},
	{"win.step(('primitive',-1))", {"<Shift>F7"}},
	{"win.step(('frame',1))", {"F8"}},
	{"win.step(('frame',-1))", {"<Shift>F8"}},
	{"win.breakpoint", {"F9"}},
	{"win.run-to-selection", {"<Control>F10"}},
	{"win.go-to", {"<Control>g", "<Control>l"}},
	{"win.find", {"<Control>f"}},
	{"win.find-next(1)", {"F3"}},
	{"win.find-next(-1)", {"<Shift>F3"}},
	{"win.bookmark", {"<Control>d"}},
	{"win.mark(uint32 0)", {"<Control><Shift>a"}},
	{"win.mark(uint32 1)", {"<Control><Shift>b"}},
	{"win.show-left", {"<Control>1"}},
	{"win.show-bottom", {"<Control>2"}},
	{"win.show-right", {"<Control>3"}},
	{"win.show-panel('console')", {"<Control>grave"}},
	{"win.show-panel('script')", {"<Control>e"}},
	{"win.show-panel('plots')", {"<Control>p"}},
	{"win.show-panel('breakpoints')", {"<Control>b"}},
	{"script.run", {"<Control>Return"}},
	{"script.scene", {"<Control><Shift>Return"}},
	{"script.reload", {"<Control>r"}},
	{"win.show-help-overlay", {"<Control>question", "F1"}},
	{"win.save", {"<Control>s"}},
	{"win.information", {"<Control>i"}},
	{"win.menu", {"F12"}}, /* GTK's own F10 is taken */
};

static const struct {
	guint key;
	GdkModifierType modifiers;
	const char *action;
} plain[] = {
	{GDK_KEY_Left, GDK_CONTROL_MASK, "win.step(('draw',-1))"},
	{GDK_KEY_Right, GDK_CONTROL_MASK, "win.step(('draw',1))"},
	{GDK_KEY_Left, GDK_ALT_MASK, "win.visited(-1)"},
	{GDK_KEY_Right, GDK_ALT_MASK, "win.visited(1)"},
	{GDK_KEY_bracketleft, 0, "win.change(-1)"},
	{GDK_KEY_bracketright, 0, "win.change(1)"},
	{GDK_KEY_0, 0, "frame.channel('all')"},
	{GDK_KEY_1, 0, "frame.channel('red')"},
	{GDK_KEY_2, 0, "frame.channel('green')"},
	{GDK_KEY_3, 0, "frame.channel('blue')"},
	{GDK_KEY_4, 0, "frame.channel('alpha')"},
	{GDK_KEY_z, 0, "frame.zoom-pixel"},
	{GDK_KEY_f, 0, "frame.zoom-fit"},
	{GDK_KEY_plus, 0, "frame.zoom-in"},
	{GDK_KEY_equal, 0, "frame.zoom-in"},
	{GDK_KEY_KP_Add, 0, "frame.zoom-in"},
	{GDK_KEY_minus, 0, "frame.zoom-out"},
	{GDK_KEY_KP_Subtract, 0, "frame.zoom-out"},
	{GDK_KEY_o, 0, "frame.overlays"},
	{GDK_KEY_d, 0, "win.diff"},
	{GDK_KEY_q, 0, "win.quirks"},
};

static gboolean typing(QsWindow *self)
{
	GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self));

	return focus && (GTK_IS_EDITABLE(focus) || GTK_IS_TEXT_VIEW(focus));
}

static gboolean hold_space(QsWindow *self, gboolean down)
{
	GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self));

	if (down && (typing(self) || GTK_IS_BUTTON(focus) || GTK_IS_TOGGLE_BUTTON(focus) || GTK_IS_CHECK_BUTTON(focus) ||
		GTK_IS_SWITCH(focus)))
		return FALSE;
	if (down != self->space_held) {
		self->space_held = down;
		gtk_widget_activate_action(GTK_WIDGET(self), "frame.before", "b", down);
	}
	return TRUE;
}

static gboolean key_pressed(QsWindow *self, guint key, guint code, GdkModifierType state)
{
	const GdkModifierType modifiers = state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);

	(void)code;
	/* GTK gives F10 to menus before any accelerator. */
	if (key == GDK_KEY_F10) {
		if (state & GDK_CONTROL_MASK)
			gtk_widget_activate_action(GTK_WIDGET(self), "win.run-to-selection", NULL);
		else
			gtk_widget_activate_action(GTK_WIDGET(self), "win.step", "(si)", qs_level_name(QS_LEVEL_DRAW),
				state & GDK_SHIFT_MASK ? -1 : 1);
		return TRUE;
	}
	if (typing(self))
		return FALSE;
	if (key == GDK_KEY_space && modifiers == 0)
		return hold_space(self, TRUE);
	for (guint i = 0; i < G_N_ELEMENTS(plain); i++) {
		g_autoptr(GVariant) target = NULL;
		g_autofree char *name = NULL;

		if (gdk_keyval_to_lower(key) != plain[i].key || modifiers != plain[i].modifiers)
			continue;
		if (g_str_has_prefix(plain[i].action, "frame.zoom") && QS_IS_CANVAS(gtk_window_get_focus(GTK_WINDOW(self))))
			return FALSE; /* that picture zooms */
		if (g_action_parse_detailed_name(plain[i].action, &name, &target, NULL))
			gtk_widget_activate_action_variant(GTK_WIDGET(self), name, target);
		return TRUE;
	}
	return FALSE;
}

/* After popovers and search entries had their turn. */
static gboolean escape_pressed(QsWindow *self, guint key)
{
	if (key != GDK_KEY_Escape)
		return FALSE;
	gtk_widget_activate_action(GTK_WIDGET(self), "win.stop", NULL);
	return TRUE;
}

static void key_released(QsWindow *self, guint key)
{
	if (key == GDK_KEY_space && self->space_held)
		hold_space(self, FALSE);
}

static void focus_left(QsWindow *self)
{
	if (!gtk_window_is_active(GTK_WINDOW(self)) && self->space_held)
		hold_space(self, FALSE);
}

void qs_window_add_keys(QsWindow *self)
{
	GtkEventController *keys = gtk_event_controller_key_new(), *escape = gtk_event_controller_key_new();

	g_signal_connect_object(escape, "key-pressed", G_CALLBACK(escape_pressed), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self), escape);
	gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
	g_signal_connect_object(keys, "key-pressed", G_CALLBACK(key_pressed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(keys, "key-released", G_CALLBACK(key_released), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self), keys);
	g_signal_connect(self, "notify::is-active", G_CALLBACK(focus_left), NULL);
}

void qs_keys_set_accelerators(GtkApplication *application)
{
	for (guint i = 0; i < G_N_ELEMENTS(accelerators); i++)
		gtk_application_set_accels_for_action(application, accelerators[i].action, accelerators[i].keys);
}
