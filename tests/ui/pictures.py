# SPDX-License-Identifier: GPL-2.0-or-later
"""Setup, depth and textures panels: what they show is what the engine says, by mouse and by keyboard."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, Atspi, Inspector, capture, wait  # noqa: E402


def trace(name, moment):
    out = subprocess.run([os.path.join(BUILD, "qscope"), "trace", capture(name), "--at", moment, "--json"],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


# What a table's text has in it: a label is its own name.
TABLES = {"Primitive": "in draw ", "Quad": "quad ", "Vertices": "vertex  ", "Edges": "inside where", "Planes": "d/dx", "Depth values": "0..1",
          "Depth test": "depth test of", "Texel": " level ", "Map": "wrap ", "Fetched texels": "fetched by"}


def panel(ui):
    """The panel in front, where everything is looked for: walks through the whole window take long."""
    if ui.panel is None:
        ui.panel = ui.need(ui.tab, "filler", rows=False)
    return ui.panel


def table(ui, name):
    return ui.need(text=TABLES[name], role="label", top=panel(ui)).get_name()


def image(ui, name):
    return ui.need(name, "image", top=panel(ui))


def picture(ui, name):
    return image(ui, name).get_description()


def spin(ui, name):
    return ui.need(name, "spin button", top=panel(ui))


def value(node):
    return Atspi.Value.get_current_value(node)


def press(ui, name):
    assert Atspi.Action.do_action(ui.need(name, "push button", top=panel(ui)), 0)


def show(ui, tab):
    """Brings a panel to the front by its tab."""
    label = wait("the tab " + tab, lambda: next(node for page in ui.nodes(rows=False) if page.get_role_name() == "page tab"
                                                for node in ui.nodes(page) if node.get_name() == tab))
    x, y, width, height = ui.place(label)
    ui.click(x + width / 2, y + height / 2)
    ui.tab, ui.panel = tab, None


def middle(ui, name):
    x, y, width, height = ui.place(image(ui, name))
    return x + width / 2, y + height / 2


def focus(ui, name):
    """Keyboard to a picture, pointer away from it."""
    x, y = middle(ui, name)
    ui.click(x, y, 2)
    ui.xdotool("mousemove", "--window", ui.window, "2", "2")


# ---- setup ----

def quad_values(ui):
    """Mask and edge values of the quad that the setup picture describes."""
    text = picture(ui, "Setup")
    found = re.search(r"(hovered|current) quad (\d+) at (\d+),(\d+) mask ([0-9a-f]{3})", text)
    values = re.findall(r"pixel \d+,\d+ sample \d: ([-+.\d]+) ([-+.\d]+) ([-+.\d]+)", text)
    return found and {"how": found[1], "number": int(found[2]), "x": int(found[3]), "y": int(found[4]), "mask": int(found[5], 16),
                      "edges": [[float(v) for v in row] for row in values]}


def same_quad(shown, engine):
    assert shown["mask"] == engine["coverage"], (shown, engine["coverage"])
    assert (shown["x"], shown["y"]) == (engine["x"], engine["y"])
    assert len(shown["edges"]) == 4
    for mine, its in zip(shown["edges"], engine["edge_values"]):
        assert all(abs(a - b) <= 0.0001 + abs(b) * 1e-9 for a, b in zip(mine, its)), (mine, its)


def test_setup_tables(ui, name):
    engine = trace(name, "1/0/0/100")["setup"]
    edges = table(ui, "Edges")
    assert "e0 v0→v1 top-left" in edges and edges.count("top-left") == 2, edges  # once in the heading
    numbers = [re.findall(r"([+−]) ([\d.]+)(·x|·y)?", line) for line in edges.splitlines()[2::2]]
    for row, edge in zip(numbers, engine["edges"]):
        shown = [(-1 if sign == "−" else 1) * float(number) for sign, number, _ in row]
        assert len(shown) == 3, row
        for value, key in zip(shown, ("dx", "dy", "c")):
            assert abs(value - edge[key]) <= 0.01, (row, edge)
    vertices = table(ui, "Vertices")
    assert re.search(r"v0 0 +320\.0000 +40\.0000 +8388607\.5 +1\.0", vertices), vertices
    assert "ff0000ff" in vertices and "0000ffff" in vertices and "00ff00ff" in vertices
    assert re.search(r"c0 g/w +0\.0+ +0\.455357 +0\.31875", table(ui, "Planes")), table(ui, "Planes")
    primitive = table(ui, "Primitive")
    assert "112000.0014 px, clockwise (front)" in primitive and "drawn: 28180 quads, 112040 pixels" in primitive, primitive
    assert "box      40,40 to 599,439" in primitive, primitive


def test_setup_quads(ui, name):
    ui.go_to("1/0/0/100")
    ui.wait_moment("1/0/0/100")
    wait("the current quad", lambda: quad_values(ui)["number"] == 100)
    same_quad(quad_values(ui), trace(name, "1/0/0/100")["quad"])
    # By keyboard: to the right of it, then to its moment.
    focus(ui, "Setup")
    ui.key("Right")
    hovered = wait("the quad beside it", lambda: quad_values(ui)["how"] == "hovered" and quad_values(ui))
    assert (hovered["x"], hovered["y"]) == (314, 62), hovered
    ui.key("Return")
    ui.wait_moment("1/0/0/%d" % hovered["number"])
    engine = trace(name, "1/0/0/%d" % hovered["number"])["quad"]
    same_quad(hovered, engine)
    assert "mask %03x" % engine["coverage"] in table(ui, "Quad")
    ui.key("Escape")


def test_setup_pointer(ui, name):
    """What is under the pointer is said, and a click goes there."""
    ui.go_to("1/0")
    ui.wait_moment("1/0")
    press(ui, "Fit triangle")
    x, y = middle(ui, "Setup")
    ui.xdotool("mousemove", "--window", ui.window, str(int(x)), str(int(y) - 3))
    ui.xdotool("mousemove", "--window", ui.window, str(int(x)), str(int(y)))
    hovered = wait("a hovered quad", lambda: quad_values(ui))
    assert hovered["how"] == "hovered" and hovered["mask"] == 0xfff, hovered
    assert abs(hovered["x"] - 320) < 24 and abs(hovered["y"] - 240) < 24, hovered
    ui.click(x, y)
    ui.wait_moment("1/0/0/%d" % hovered["number"])
    same_quad(hovered, trace(name, "1/0/0/%d" % hovered["number"])["quad"])


def test_setup_parts(ui):
    """A clipped triangle has several parts; one that is culled says so."""
    ui.go_to("1/2")
    wait("two parts", lambda: "part 1 of 2" in picture(ui, "Setup"))
    part = spin(ui, "Part")
    Atspi.Value.set_current_value(part, 2)
    wait("the second", lambda: "part 2 of 2" in picture(ui, "Setup"))
    assert "made" in table(ui, "Vertices")


# ---- depth ----

def test_depth(ui, name):
    ui.go_to("1/0/0/100/0")
    ui.wait_moment("1/0/0/100/0")
    show(ui, "Depth")
    ui.go_to("312,62")
    wait("the picked pixel", lambda: re.search(r"picked +7fffff +8388607 +0\.500000 +at 312,62", table(ui, "Depth values")))
    test = wait("the test", lambda: "passed" in table(ui, "Depth test") and table(ui, "Depth test"))
    assert "0x7fffff lequal 0xffffff: passed" in test and "written" in test and "early depth test" in test, test
    assert "PE_ZMODE" in test
    # Range: the frame's smallest and largest; all; by hand.
    low, high = spin(ui, "Lower end"), spin(ui, "Upper end")
    wait("range of the frame", lambda: (value(low), value(high)) ==
         (0x7fffff, 0xffffff))
    assert "range 0x7fffff to 0xffffff" in picture(ui, "Depth")
    press(ui, "Whole range")
    wait("all", lambda: "range 0x000000 to 0xffffff" in picture(ui, "Depth"))
    Atspi.Value.set_current_value(low, 0x123456)
    wait("by hand", lambda: "range 0x123456 to 0xffffff" in picture(ui, "Depth"))
    assert "range 0x123456 to 0xffffff" in picture(ui, "Histogram")
    assert "depths 0x7fffff to 0xffffff" in picture(ui, "Histogram")
    press(ui, "Range of the draw")
    wait("of the draw, which has only begun", lambda: "range 0x7fffff to 0xffffff" in picture(ui, "Depth"))
    ui.go_to("1/0")
    wait("of the whole draw", lambda: "range 0x7ffffe to 0x7fffff" in picture(ui, "Depth"))  # flat: one step is left
    # Keyboard: the picked pixel moves.
    focus(ui, "Depth")
    ui.key("Up")
    wait("one up", lambda: "pixel 312,61 is 0x7fffff" in picture(ui, "Depth"))


# ---- textures ----

def test_textures(ui):
    show(ui, "Textures")
    wait("the size", lambda: "map 0, 64 x 64 RGB565, 7 levels" in picture(ui, "Texture"))
    info = table(ui, "Map")
    assert "TEV 0" in info and "64 × 64" in info and "TX_SETIMAGE3_0" in info, info
    focus(ui, "Texture")
    ui.key("Right")
    found = wait("a texel", lambda: re.search(r"texel (\d+),(\d+) of level 0", picture(ui, "Texture")))
    s, t = int(found[1]), int(found[2])
    ui.key("Right", "Down")
    wait("the next texel", lambda: "texel %d,%d of level 0" % (s + 1, t + 1) in picture(ui, "Texture"))
    assert "%d,%d level 0" % (s + 1, t + 1) in table(ui, "Texel")
    ui.key("Next")
    wait("the level below", lambda: "texel %d,%d of level 1" % ((s + 1) // 2, (t + 1) // 2) in picture(ui, "Texture"))


def test_fetched(ui, name):
    """The texels of the traced fragment are the engine's."""
    moment = "1/5/0/200/0"
    ui.go_to(moment)
    ui.wait_moment(moment)
    engine = trace(name, moment)
    text = wait("what was fetched", lambda: "TEV 0" in table(ui, "Fetched texels") and moment in table(ui, "Fetched texels") and
                table(ui, "Fetched texels"))
    shown = [(int(a), int(b), int(c)) for a, b, c in re.findall(r"level (\d+) +(\d+),(\d+)", text)]
    expected = [(t["level"], t["s"], t["t"]) for t in first_texels(engine)]
    assert shown == expected and shown, (shown, expected)
    assert "%d texels marked" % len(shown) in picture(ui, "Texture"), picture(ui, "Texture")


def first_texels(value):
    """The first list of texels anywhere in the trace."""
    if isinstance(value, dict):
        if value.get("texels"):
            return value["texels"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            found = first_texels(item)
            if found:
                return found
    return None


def test_palette(ui):
    show(ui, "Textures")
    wait("a palette", lambda: picture(ui, "Palette").startswith("palette of 256 entries"))
    assert "C8" in table(ui, "Map") and "256 × RGB5A3" in table(ui, "Map"), table(ui, "Map")
    focus(ui, "Texture")
    ui.key("Right")
    wait("the entry of a texel", lambda: re.search(r"entry \d+ \(0x", table(ui, "Texel")))


def run(name, at, *tests):
    ui = Inspector(capture(name), "--at", at)
    ui.tab, ui.panel = "Setup", None
    try:
        ui.xdotool("mousemove", "2", "2")  # a pointer over a picture would hover
        ui.wait_moment(at)
        for test in tests:
            test(ui)
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()


def main():
    gouraud = "triangle-gouraud.dff"
    run(gouraud, "1/0", lambda ui: test_setup_tables(ui, gouraud), lambda ui: test_setup_quads(ui, gouraud),
        lambda ui: test_setup_pointer(ui, gouraud), lambda ui: test_depth(ui, gouraud))
    run("clipping.dff", "1/0", test_setup_parts)
    run("tex-mipmaps.dff", "1/1", test_textures, lambda ui: test_fetched(ui, "tex-mipmaps.dff"))
    run("tex-c8-rgb5a3.dff", "1/1", test_palette)
    print("setup, depth and textures show what the engine says")


main()
