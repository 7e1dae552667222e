# SPDX-License-Identifier: GPL-2.0-or-later
"""Units that report through taps, as the window shows them, against what the terminal program says."""
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, Inspector, capture, wait  # noqa: E402


def qscope(command, name, *arguments):
    done = subprocess.run([os.path.join(BUILD, "qscope"), command, capture(name), "--json", *arguments], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr
    return json.loads(done.stdout)


def panel(ui, name):
    """Looked for once: the whole tree takes seconds on a busy machine."""
    if name not in ui.kept:
        ui.kept[name] = ui.need(name, "filler", rows=False)
    return ui.kept[name]


def labels(ui, name, rows=False):
    return [node.get_name() for node in ui.nodes(panel(ui, name), rows=rows) if node.get_role_name() == "label"]


def said(ui, name, text, rows=False):
    return wait("%s says %r" % (name, text), lambda: next((label for label in labels(ui, name, rows) if text in label), None))


def show(ui, tab):
    label = wait("the tab " + tab, lambda: next(node for page in ui.nodes(rows=False) if page.get_role_name() == "page tab"
                                                for node in ui.nodes(page) if node.get_name() == tab))
    x, y, width, height = ui.place(label)
    ui.click(x + width / 2, y + height / 2)


def cells(ui):
    sheet = ui.need("TEV stages", top=panel(ui, "TEV"))
    return dict(sheet.get_child_at_index(i).get_name().partition(": ")[::2] for i in range(sheet.get_child_count()))


def picture(ui, tab, name):
    return ui.need(name, "image", top=panel(ui, tab), rows=False).get_description()


def prompt(ui, line):
    ui.key("ctrl+grave")
    time.sleep(0.3)
    ui.type(line)
    ui.key("Return")


# ---- opening ----

def test_opening(ui):
    """Nobody has pressed a key: TEV, history, setup and registers are about a pixel that was drawn."""
    title = said(ui, "TEV", "written by")
    x, y, moment = re.match(r"(\d+),(\d+)\s+last written by (\S+)", title).groups()
    assert "1/110 does not touch it" in title, title
    trace = qscope("trace", "tour.dff", "--at", moment)["quad"]["fragments"][0]
    shown = wait("values", lambda: cells(ui) if len(cells(ui)) > 20 else None)
    stage = trace["stages"][0]
    assert [int(v, 16) for v in shown["stage 0 colour stored"].split()[-3:]] == stage["result"][:3], shown["stage 0 colour stored"]
    # The nearest to the middle: every pixel that is nearer was never written.
    assert abs(int(x) - 320) <= 8 and abs(int(y) - 264) <= 8, (x, y)
    history = qscope("history", "tour.dff", "--frame", "1", "--pixel", "%s,%s" % (x, y))["rows"]
    fragments = [row for row in history if row["kind"] == "fragment"]
    said(ui, "Pixel history", "pixel %s,%s in frame 1: %d fragment" % (x, y, len(fragments)))
    said(ui, "Setup", "wrote %s,%s last" % (x, y))
    said(ui, "Setup", "drawn: ")
    assert "e0 v0→v1" in said(ui, "Setup", "inside where")
    # A draw that does touch the pixel: its fragment, and its triangle.
    ui.go_to("/".join(moment.split("/")[:2]))
    wait("the fragment", lambda: said(ui, "TEV", "fragment " + moment))
    said(ui, "Setup", "covers %s,%s" % (x, y))


def test_plan(ui):
    """Before anything is drawn: the stages as they are set up."""
    ui.go_to("1/0")
    ui.wait_moment("1/0")
    ui.go_to("2,500")
    said(ui, "TEV", "nothing drawn here in this frame yet · stages as set up at 1/0")
    shown = cells(ui)
    bp = {r["name"]: r["value"] for r in qscope("state", "tour.dff", "--at", "1/0", "--unit", "bp")["registers"]}
    assert "stage %d colour a" % (bp["GEN_MODE"] >> 10 & 15) in shown, sorted(shown)
    assert "start colour PREV" in shown and "depth test" in shown
    assert not re.search(r"[0-9a-f]{2} [0-9a-f]{2}$", shown["stage 0 colour stored"]), shown["stage 0 colour stored"]


# ---- copies ----

def test_copy(ui):
    name, at = "copy-half-rgb565.dff", "1@0xc5"
    ui.go_to(at)
    ui.wait_moment(at)
    show(ui, "Copy")
    whole = qscope("trace", name, "--at", at, "--texel", "32,32")
    info = said(ui, "Copy", "copy to a texture")
    assert "RGB565" in info and "0,0 to 127,127" in info and "half size" in info and "64 × 64 at 0x00100000" in info, info
    text = said(ui, "Copy", "texel 32,32")
    taps = [tap for pixel in whole["texel"]["pixels"] for tap in pixel["taps"] if tap["weight"]]
    shown = re.findall(r"(\d+),(\d+) +(\d+)/64 +([0-9a-f]{8})", text)
    assert [(int(a), int(b), int(c)) for a, b, c, _ in shown] == [(t["x"], t["y"], t["weight"]) for t in taps] and shown, (text, taps)
    assert "0x%08x" % whole["texel"]["stored"][0]["address"] in text if "stored" in whole["texel"] else "at 0x0010" in text, text
    assert "64 x 64" in picture(ui, "Copy", "Result of the copy") and "texel 32,32" in picture(ui, "Copy", "Result of the copy")
    assert re.search(r"128 x 128, [1-9]\d* texels marked", picture(ui, "Copy", "Source of the copy"))
    # By keyboard to the texel beside it.
    ui.click_in(ui.need("Result of the copy", "image", top=panel(ui, "Copy"), rows=False))
    ui.xdotool("mousemove", "--window", ui.window, "2", "2")
    pinned = re.search(r"texel (\d+),(\d+)", wait("a texel", lambda: picture(ui, "Copy", "Result of the copy")))
    ui.key("Right")
    said(ui, "Copy", "texel %d,%s from" % (int(pinned[1]) + 1, pinned[2]))
    # The next one is the display's; from it a draw says which is the last before.
    ui.press("Next copy")
    ui.wait_moment("1@0x333")
    assert "copy to the display" in said(ui, "Copy", "copy to the display")
    ui.go_to("1/5")
    said(ui, "Copy", "copy 1 of 2, the last before this moment")


def test_copied_texel(ui):
    """From a texel of a texture to the copy that made it."""
    ui.go_to("1/5")
    ui.wait_moment("1/5")
    show(ui, "Textures")
    view = ui.need("Texture", "image", top=panel(ui, "Textures"), rows=False)
    ui.click_in(view)
    text = said(ui, "Textures", "copied there at")
    assert "1@0xc5" in text, text
    shown = re.search(r"(\d+),(\d+) level", text)
    label = next(node for node in ui.nodes(panel(ui, "Textures"), rows=False) if node.get_name() == text)
    x, y, width, height = ui.place(label)
    line = text.splitlines().index(next(line for line in text.splitlines() if "copied there" in line))
    ui.click(x + 125, y + height * (line + 0.5) / len(text.splitlines()))  # the link is monospaced text
    ui.wait_moment("1@0xc5")
    said(ui, "Copy", "texel %s,%s from" % shown.groups())


# ---- samples ----

def test_samples(ui):
    pixel = re.search(r"pixel (\d+),(\d+), .* samples (#\w+) z (\w+) · (#\w+) z (\w+) · (#\w+) z (\w+)", wait(
        "samples of the pixel", lambda: "samples" in ui.frame() and ui.frame()))
    assert pixel, ui.frame()
    x, y = pixel[1], pixel[2]
    rows = [row for row in qscope("history", "anti-alias.dff", "--frame", "1", "--pixel", "%s,%s" % (x, y))["rows"] if row["kind"] == "fragment"]
    last = rows[-1]["sample_after"]
    assert [pixel[3], pixel[5], pixel[7]] == ["#%02x%02x%02x" % tuple(c[:3] if isinstance(c, list) else (c["r"], c["g"], c["b"])) for c in last], \
        (ui.frame(), last)
    text = wait("the samples of the fragment", lambda: cells(ui)["samples"])
    assert text.count("\n") == 2 or all("%d " % k in text for k in range(3)), text
    bits = rows[-1]["samples_passed"]
    said(ui, "Pixel history", "written %d%d%d" % (bits & 1, bits >> 1 & 1, bits >> 2 & 1), rows=True)


# ---- the processor ----

def test_poke(ui):
    ui.go_to("1/110")
    ui.wait_moment("1/110")
    prompt(ui, "qs.efb.poke(319, 263, 0xff00ff00)")
    ui.go_to("319,263")
    wait("the new pixel", lambda: "pixel 319,263, colour #00ff00ff" in ui.frame())
    said(ui, "Pixel history", "written by the processor", rows=True)
    said(ui, "Stream", "CPU pokes 319,263 = ff00ff00", rows=True)


# ---- texture memory ----

def test_tmem(ui):
    show(ui, "Textures")
    text = said(ui, "Textures", "lines cached")
    loaded = int(re.search(r"(\d+) loaded", text)[1])
    assert loaded > 0, text  # by LOADBLOCK
    node = ui.need("Texture memory", "image", top=panel(ui, "Textures"), rows=False)
    x, y, width, height = wait("its place", lambda: ui.place(node)[3] > 50 and ui.place(node))
    assert width >= 256, (x, y, width, height)


def test_hits(ui):
    show(ui, "Textures")
    text = said(ui, "Textures", "fetched by")
    assert re.search(r"line [0-9a-f]{4} (hit|miss)", text), text
    assert int(re.search(r"(\d+) lines cached", said(ui, "Textures", "lines cached"))[1]) > 0


# ---- Z texture ----

def test_z_texture(ui):
    name = "z-texture.dff"
    moment = re.search(r"(?:fragment|last written by) (\S+)", said(ui, "TEV", "stage"))[1]
    z = qscope("trace", name, "--at", moment)["quad"]["fragments"]
    z = next(f for f in z if "z_texture" in f["depth_test"])["depth_test"]
    text = wait("the Z texture", lambda: cells(ui)["Z texture"])
    assert "texel %06x + bias %06x = %06x" % (z["z_texture"]["value"], z["z_texture"]["bias"], z["z"]) in text, (text, z)
    show(ui, "Depth")
    said(ui, "Depth", "%06x" % z["z_texture"]["value"])


# ---- scenes ----

def test_scene(ui):
    ui.key("ctrl+e")
    editor = ui.need("Script editor", "text", top=panel(ui, "Script"))
    wait("the editor", lambda: ui.place(editor)[2] > 20)
    time.sleep(0.3)
    ui.key("ctrl+a")
    ui.type("local s = qs.scene() s:quad(100, 100, 300, 300) s:finish() s:save('square')")
    ui.press("Open the scene")
    wait("the scene is open", lambda: ui.status("untitled.dff"))
    wait("its quad", lambda: ui.moment().startswith("1/0"))
    assert "pixel " in ui.frame(), ui.frame()
    # A fault is shown where it is; the capture stays.
    ui.key("ctrl+e")
    time.sleep(0.3)
    ui.key("ctrl+a")
    ui.type("qs.scene().nothing.at_all = 1")
    ui.press("Open the scene")
    said(ui, "Script", "untitled.lua:1:")
    assert ui.moment().startswith("1/0")
    ui.key("ctrl+a")
    ui.type("print(1)")
    wait("no scene, no button", lambda: ui.find("Open the scene", "push button", top=panel(ui, "Script")) is None)


def run(name, *tests):
    ui = Inspector(capture(name))
    ui.kept = {}
    try:
        ui.xdotool("mousemove", "2", "2")  # a pointer over a picture would hover
        wait("a moment", ui.moment)
        for test in tests:
            test(ui)
        ui.key("ctrl+grave")
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()


def main():
    run("tour.dff", test_opening, test_poke, test_plan)
    run("copy-half-rgb565.dff", test_copy, test_copied_texel)
    run("anti-alias.dff", test_samples)
    run("tmem-preload.dff", test_tmem)
    run("tex-mipmaps.dff", test_hits)
    run("z-texture.dff", test_z_texture)
    run("triangle-gouraud.dff", test_scene)
    print("every unit that reports is seen in the window")


main()
