# SPDX-License-Identifier: GPL-2.0-or-later
"""The window as a person uses it: open, step, go to, pick, look, filter, break; names for a screen reader."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, WORK, Inspector, capture, wait  # noqa: E402


def test_steps(ui):
    ui.wait_moment("2/0")
    ui.press("Next frame")
    ui.wait_moment("2")
    ui.press("Next draw")
    ui.wait_moment("3/0")
    ui.key("shift+F10")
    ui.wait_moment("2/0")
    ui.key("F11")
    ui.wait_moment("2/0/0")
    ui.key("F11")
    ui.wait_moment("2/0/0/0")
    ui.key("F6")
    ui.wait_moment("2/0/0/1")
    ui.key("shift+F6")
    ui.wait_moment("2/0/0/0")
    ui.key("ctrl+F11")
    ui.wait_moment("2/0")


def test_visited(ui):
    for moment in ("5/0", "1", "3/0/1"):
        ui.go_to(moment)
        ui.wait_moment(moment)
    ui.key("alt+Left")
    ui.wait_moment("1")
    ui.key("alt+Left")
    ui.wait_moment("5/0")
    ui.press("Moment visited after")
    ui.wait_moment("1")


def test_go_to(ui):
    ui.go_to("4/0")
    ui.wait_moment("4/0")
    wait("the frame names the moment", lambda: "at moment 4/0" in ui.frame())
    ui.go_to("99/0")
    wait("a reason in the status bar", lambda: ui.find(text="99", role="label"))
    assert "at moment 4/0" in ui.frame()
    ui.key("Escape")
    ui.go_to("1/0")
    ui.wait_moment("1/0")


def pixel(ui):
    found = re.search(r"pixel (\d+),(\d+), colour (#\w+), depth (0x\w+)", ui.frame())
    return found and (int(found[1]), int(found[2]), found[3], found[4])


def test_pick(ui):
    x, y, width, height = ui.place(ui.need("Frame", "image"))
    ui.click(x + width / 2, y + height / 2)
    first = wait("a picked pixel", lambda: pixel(ui))
    assert abs(first[0] - 320) < 40 and abs(first[1] - 264) < 40, first
    ui.key("Right")
    wait("one to the right", lambda: pixel(ui)[:2] == (first[0] + 1, first[1]))
    ui.key("shift+Down")
    wait("a quad down", lambda: pixel(ui)[:2] == (first[0] + 1, first[1] + 2))
    now = pixel(ui)
    wait("the status bar says the same", lambda: ui.status("pixel %d,%d" % now[:2]) and ui.find(name=now[2], role="label"))
    ui.go_to("312,140")
    wait("a pixel by its coordinates", lambda: pixel(ui)[:2] == (312, 140))
    # The picked pixel stays when the moment changes.
    ui.go_to("3/0")
    ui.wait_moment("3/0")
    wait("the pixel stayed", lambda: pixel(ui)[:2] == (312, 140) and "at moment 3/0" in ui.frame())
    return pixel(ui)


def test_pixel_is_the_engine_s(ui, name, picked):
    """The terminal program gives the same value for the same pixel."""
    path = os.path.join(WORK, "frame.png")
    subprocess.run([os.path.join(BUILD, "qscope"), "render", capture(name), "--at", "3/0", "-o", path], check=True)
    picture = subprocess.run(["convert", path, "-crop", "1x1+%d+%d" % picked[:2], "txt:-"], capture_output=True, text=True)
    if picture.returncode == 0:
        hexadecimal = re.search(r"#([0-9A-Fa-f]{6})", picture.stdout)[1].lower()
        assert picked[2][1:7] == hexadecimal, (picked, picture.stdout)


def test_views(ui):
    for button, name in (("Depth", "depth"), ("Coverage", "coverage"), ("Alpha", "alpha"), ("Colour", "color")):
        ui.press(button)
        wait(button, lambda name=name: ui.frame().startswith(name + " "))
    ui.key("z")
    wait("close to the pixel", lambda: ui.frame().endswith("zoom 32"))
    ui.key("minus")
    wait("farther", lambda: ui.frame().endswith("zoom 24"))
    ui.key("f")
    wait("whole picture", lambda: not ui.frame().endswith("zoom 24"))


def test_filter(ui, name):
    """As many rows as the terminal program lists."""
    listing = subprocess.run([os.path.join(BUILD, "qscope"), "list", "--json", "--grep", "copy_dst", capture(name)],
                             capture_output=True, text=True, check=True)
    expected = str(len(json.loads(listing.stdout)["commands"]))
    assert int(expected) > 0
    ui.key("ctrl+f")
    time.sleep(0.3)
    ui.type("copy_dst")
    wait("%s matches" % expected, lambda: ui.find(name=expected, role="label"))
    ui.key("F3")
    wait("the next match", lambda: "@" in ui.moment())
    ui.key("ctrl+f", "ctrl+a", "BackSpace")
    ui.go_to("1/0")
    ui.wait_moment("1/0")


def test_break(ui):
    ui.go_to("5/0")
    ui.wait_moment("5/0")
    ui.key("ctrl+b")
    ui.key("F9")
    ui.need(name="draw 5/0", role="check box")
    ui.go_to("1/0")
    ui.wait_moment("1/0")
    ui.key("F5")
    ui.wait_moment("5/0")
    ui.press("Remove")
    wait("no breakpoint", lambda: not ui.find(name="draw 5/0", role="check box"))


def test_names(ui):
    """Whatever can be operated has a name of its own."""
    nameless = []
    for node in ui.nodes():
        role, label = node.get_role_name(), node.get_name()
        if role in ("push button", "toggle button", "check box", "combo box", "text", "entry", "slider", "image", "list"):
            if not label:
                nameless.append((role, node.get_description()))
    assert not nameless, nameless


def test_bad_file():
    with tempfile.NamedTemporaryFile(suffix=".dff", dir=WORK) as file:
        file.write(b"this is no capture at all" * 10)
        file.flush()
        ui = Inspector(file.name)
        wait("what was expected is said", lambda: ui.find(text="F0 F1 01 0D", role="label"))
        assert ui.quit() == 0


def main():
    name = "animation-six-frames.dff"
    ui = Inspector(capture(name), "--at", "2/0")
    try:
        test_steps(ui)
        test_visited(ui)
        test_go_to(ui)
        picked = test_pick(ui)
        test_pixel_is_the_engine_s(ui, name, picked)
        test_views(ui)
        test_filter(ui, name)
        test_break(ui)
        test_names(ui)
        assert ui.quit() == 0
        with open(os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")) as file:
            settings = file.read()
        assert name in settings and "last-moment='5/0'" in settings, settings
        test_bad_file()
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()
    print("the window does what it should")


main()
