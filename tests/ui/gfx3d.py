# SPDX-License-Identifier: GPL-2.0-or-later
"""Panels of a Gfx3D capture say what the terminal program says; with a VirGL host both sides stand beside each other."""
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, Atspi, Inspector, capture, wait  # noqa: E402

CAPTURE = "gfx3d-textured.qsc"
PIXEL = (162, 44)
WRITER = "1/1/4/108/0"  # that writes it last


def qscope(command, name, *arguments):
    done = subprocess.run([os.path.join(BUILD, "qscope"), command, capture(name), "--json", *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stdout, done.stderr
    return json.loads(done.stdout)


def click(ui, node):
    x, y, width, height = wait("a place on the screen", lambda: ui.place(node)[2] > 4 and ui.place(node))
    ui.click(x + width / 2, y + height / 2)
    time.sleep(0.3)


def showing(node):
    return node.get_state_set().contains(Atspi.StateType.VISIBLE)


def tabs(ui):
    """Labels of the tabs that can be seen."""
    return [node.get_name() for page in ui.nodes(rows=False) if page.get_role_name() == "page tab" and showing(page)
            for node in ui.nodes(page) if node.get_role_name() == "label"]


def show(ui, tab):
    click(ui, wait("the tab " + tab, lambda: next(node for page in ui.nodes(rows=False) if page.get_role_name() == "page tab" and showing(page)
                                                  for node in ui.nodes(page) if node.get_name() == tab)))


def panel(ui, name):
    return wait("the panel " + name, lambda: next(node for node in ui.nodes(rows=False)
                                                  if node.get_name() == name and node.get_role_name() == "filler" and showing(node)))


def said(ui, top, start):
    for node in ui.nodes(panel(ui, top), rows=False):
        if node.get_role_name() == "label" and node.get_name().startswith(start):
            return node.get_name()
    return None


def press(ui, top, name):
    click(ui, wait("the button " + name, lambda: next(node for node in ui.nodes(panel(ui, top), rows=False)
                                                     if node.get_name() == name and "button" in node.get_role_name() and showing(node))))


def choose_vertex(ui, index):
    """Presses until the vertex is shown: while a window is being laid out a click may go where the button was."""
    for _ in range(10):
        press(ui, "Program", "Vertex")
        try:
            return wait("a vertex", lambda: said(ui, "Program", "vertex %d of the mesh" % index), 4)
        except AssertionError:
            pass
    raise AssertionError("waited in vain: vertex %d" % index)


def cells(ui):
    """Every cell of the program by its name: "instruction 4 result" -> "0.251 0.7529 1 1"."""
    sheet = ui.need("Instructions", rows=False)
    found = {}
    for i in range(sheet.get_child_count()):
        name, colon, value = sheet.get_child_at_index(i).get_name().partition(": ")
        if colon:
            found[name] = value
    return found


def heads(ui):
    """Titles of the program's columns."""
    sheet = ui.need("Instructions", rows=False)
    return [sheet.get_child_at_index(i).get_name() for i in range(min(sheet.get_child_count(), 8))]


def rows(ui, table):
    """What the rows of a table say, without the titles."""
    top = wait("the table " + table, lambda: next(node for node in ui.nodes(rows=False) if node.get_name() == table and
                                                 node.get_role_name() == "tree table" and showing(node)))
    return [[label.get_name().strip() for label in ui.nodes(node) if label.get_role_name() == "label"]
            for node in ui.nodes(top, rows=False) if node.get_role_name() == "table row"][1:]


def program_of(ui, moment):
    """Goes to a moment in a fragment; the program is that fragment's."""
    ui.go_to(moment)
    ui.wait_moment(moment)
    wait("the program of " + moment, lambda: any(node.get_role_name() == "label" and node.get_name().endswith(" " + moment)
                                                 for node in ui.nodes(panel(ui, "Program"), rows=False)))


def first_difference(ui):
    """What the sentence above the instructions names; they are asked for in order, so it is not taken back."""
    text = wait("what differs first", lambda: said(ui, "Program", "VirGL: instruction "), 60)
    return int(re.match(r"VirGL: instruction (\d+) differs first", text)[1]), text


def near(text, expected):
    """Four significant digits of the same numbers; a cell shows the lanes that count."""
    shown, numbers = [float(word) for word in text.split()], [float(word) for word in expected.split()]
    return 0 < len(shown) <= len(numbers) and all(abs(a - b) <= 6e-4 * max(1, abs(b)) for a, b in zip(shown, numbers))


def test_tabs(ui):
    names = tabs(ui)
    assert "Program" in names and "Vertices" in names and "TEV" not in names, names
    assert names.count("Registers") == 1 and names.count("Textures") == 1, names


def test_program(ui):
    """Operands and results of the fragment shader are those of qscope trace; keys go from instruction to instruction."""
    trace = qscope("trace", CAPTURE, "--at", WRITER)
    ui.go_to(WRITER)
    ui.wait_moment(WRITER)
    wait("the writer's program", lambda: WRITER in (said(ui, "Program", "%d,%d" % PIXEL) or ""))
    shown = wait("results", lambda: len(cells(ui)) > 10 and cells(ui))
    compared = 0
    for step in trace["gfx3d"]["steps"]:
        name = "instruction %d" % step["stage"]
        assert shown[name + " instruction"].split("\n")[-1].strip().endswith(step["text"]), (shown[name + " instruction"], step)
        for column in ("a", "b", "result"):
            if column in step:
                assert near(shown["%s %s" % (name, column)], step[column]), (name, column, shown, step)
                compared += 1
    assert compared > 8, compared
    assert said(ui, "Program", "written: #ff40c0ff"), "no verdict"
    # at an instruction, what comes later has not run
    ui.go_to(WRITER + "/4")
    ui.wait_moment(WRITER + "/4")
    wait("instruction 5 is still to come", lambda: cells(ui).get("instruction 5 result") == "·" and cells(ui)["instruction 4 result"] != "·")
    ui.key("F11")
    ui.wait_moment(WRITER + "/5")
    wait("instruction 5 has run", lambda: cells(ui).get("instruction 5 result", "·") != "·")


def test_vertex_shader(ui):
    """The vertex shader's store is the clip position that set-up got."""
    setup = qscope("trace", CAPTURE, "--at", WRITER)["setup"]
    ui.go_to(WRITER)
    ui.wait_moment(WRITER)
    choose_vertex(ui, setup["vertices"][0]["index"])
    shown = cells(ui)
    store = next(name for name, value in shown.items() if name.endswith(" instruction") and "store_pos" in value)
    clip = " ".join(str(number) for number in setup["vertices"][0]["clip"])
    assert near(shown[store.replace(" instruction", " result")], clip), (shown, clip)
    press(ui, "Program", "Fragment")


def test_state(ui):
    """Values with the commands that wrote them; what changed since the draw before."""
    ui.go_to("1/1")
    ui.wait_moment("1/1")
    press(ui, "Registers", "Uniforms")
    shown = wait("uniforms", lambda: [row for row in rows(ui, "State") if "stretch" in row])
    assert shown[0][3].startswith("2 2 -0.5 -0.5") and shown[0][4] == "1@0xefc", shown
    press(ui, "Registers", "Changed")
    changed = wait("what changed", lambda: (lambda found: len(found) < 8 and found)(rows(ui, "State")))
    assert {row[1] for row in changed} == {"mvp[3]", "stretch"}, changed
    press(ui, "Registers", "Changed")
    press(ui, "Registers", "Objects")
    wait("objects", lambda: [row for row in rows(ui, "State") if row[3].startswith("16 x 16, 1 level")])
    press(ui, "Registers", "All")


def test_vertices(ui):
    """Attributes, varyings and clip positions; a row leads to its primitive."""
    show(ui, "Vertices")
    wait("the table", lambda: said(ui, "Vertices", "12 primitives, 36 corners"))
    shown = wait("rows", lambda: len(rows(ui, "Vertices")) > 5 and rows(ui, "Vertices"))
    assert shown[4][3:5] == ["1 1 1 1", "1 1"], shown[4]
    top = ui.need("Vertices", "tree table", rows=False)
    line = [node for node in ui.nodes(top, rows=False) if node.get_role_name() == "table row"][1 + 4]
    click(ui, next(node for node in ui.nodes(line) if node.get_role_name() == "label" and node.get_name() == "1 1 1 1"))
    ui.wait_moment("1/1/1")
    show(ui, "Program")


def test_textures(ui):
    ui.go_to(WRITER)
    ui.wait_moment(WRITER)
    show(ui, "Textures")
    text = wait("what was read", lambda: said(ui, "Textures", "0x00010001  16 × 16"))
    wait("the texel", lambda: "instruction 4 reads at 0.7993, -0.39943, texel 12,0: 0.251 0.7529 1 1" in said(ui, "Textures", "0x00010001"))
    assert "read as image" in text, text


def test_models(ui):
    """Another model draws something else; its quirks are listed."""
    ui.go_to("1/0")
    ui.wait_moment("1/0")
    show(ui, "Model")
    wait("quirks of Gfx3D", lambda: [row for row in rows(ui, "Quirks") if row and row[0] == "opt_matrix"])
    ui.go_to("0,0")
    before = wait("a colour", lambda: re.search(r"#[0-9a-f]{6}", ui.frame()))[0]
    assert before == "#191926", ui.frame()  # truncated by chrisos; rounded it is #1a1a26
    model = ui.need("Model", "combo box", rows=False)
    click(ui, model)
    ui.key("Down", "Down", "Return")
    wait("the corrected model", lambda: said(ui, "Model", "corrected"))
    wait("another clear colour", lambda: re.search(r"#[0-9a-f]{6}", ui.frame())[0] == "#1a1a26")
    click(ui, model)
    ui.key("Up", "Up", "Return")
    wait("chrisos again", lambda: said(ui, "Model", "chrisos"))


def test_host(ui):
    """Both sides in the compare tab as qscope diff has them, and the host's registers in the program."""
    expected = qscope("diff", CAPTURE, "--a", "cpu", "--b", "virgl")
    show(ui, "Compare")
    summary = wait("both pictures", lambda: next(node.get_name() for node in ui.nodes(panel(ui, "Compare"), rows=False) if
                                                 node.get_role_name() == "label" and "pixels of the copy equal" in node.get_name()), 60)
    assert summary.startswith("%d of %d pixels" % (expected["equal_pixels"], expected["pixels"])), (summary, expected["equal_pixels"])
    press(ui, "Compare", "Explain")
    report = wait("the reasons", lambda: next(node.get_name() for node in ui.nodes(panel(ui, "Compare"), rows=False) if
                                              node.get_role_name() == "label" and "Divergences by draw" in node.get_name()), 120)
    for cause in expected["causes"]:
        assert cause["quirk"] in report, (cause, report)
    assert "1/0 " in report and "1/1 " in report, report
    # a pixel in both pictures
    x, y, width, height = ui.place(ui.need("Compared picture", "image", top=panel(ui, "Compare")))
    ui.click(x + width / 2, y + height / 2)
    wait("both values", lambda: re.search(r"\d+,\d+   A  #[0-9a-f]{8}   B  #[0-9a-f]{8}   (apart|equal)", next(
        node.get_name() for node in ui.nodes(panel(ui, "Compare"), rows=False) if node.get_name().count("   B  #"))))
    show(ui, "Frame")
    show(ui, "Program")
    program_of(ui, WRITER)
    host = wait("the host's registers", lambda: (lambda found: "instruction 5 VirGL" in found and found)(cells(ui)), 60)
    assert near(host["instruction 1 VirGL"], host["instruction 1 result"]), host
    # chrisos rounds to a texel where the host takes the floor, and has its rows the other way round
    program_of(ui, "1/0/9/24/3")  # a pixel where that gives another texel
    number, text = first_difference(ui)
    assert number == 4 and "%4 = sample" in text, text
    assert near(cells(ui)["instruction 4 VirGL"], "0.941176 0.878431 0.752941 1"), cells(ui)
    # the host's own pictures in the frame
    pipeline = ui.need("Pipeline", "combo box", rows=False)
    ui.go_to("1/0")
    ui.wait_moment("1/0")
    ui.go_to("0,0")
    wait("the CPU's corner", lambda: re.search(r"#[0-9a-f]{6}", ui.frame())[0] == "#191926")
    click(ui, pipeline)
    ui.key("Down", "Return")
    wait("the host's corner", lambda: re.search(r"#[0-9a-f]{6}", ui.frame())[0] == "#1a1a26", 60)


def test_large_target():
    """Beyond the size of an EFB a pixel has its history, too."""
    ui = Inspector(capture("gfx3d-city.qsc"), "--at", "1/60")
    try:
        ui.wait_moment("1/60")
        history = qscope("history", "gfx3d-city.qsc", "--pixel", "1344,755")
        ui.go_to("1344,755")
        wait("its history", lambda: said(ui, "Pixel history", "pixel 1344,755 in frame 1: %d fragments" %
                                         sum(row["kind"] == "fragment" for row in history["rows"])), 60)
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()


def test_vertex_host():
    """The vertex shader's registers on the host, for each corner; the first that differs is the one that qscope diff finds."""
    name = "differences/vertex-root.qsc"
    first = qscope("diff", name, "--a", "cpu", "--b", "virgl")["first"]
    result = next(operand for operand in first["operands"] if operand["name"] == "result")
    vertices = qscope("trace", name, "--at", first["moment"])["setup"]["vertices"]
    ui = Inspector(capture(name), "--at", first["moment"])
    try:
        program_of(ui, first["moment"])
        choose_vertex(ui, vertices[0]["index"])
        if any(cell == "VirGL" for cell in heads(ui)):  # as it was left
            press(ui, "Program", "VirGL")
        wait("no host", lambda: cells(ui) and not any(cell.endswith(" VirGL") for cell in cells(ui)) and not said(ui, "Program", "VirGL:"))
        press(ui, "Program", "VirGL")
        for corner in range(3):
            if corner:
                click(ui, ui.need("Corner", "combo box", top=panel(ui, "Program")))
                ui.key("Down", "Return")
                wait("another vertex", lambda: said(ui, "Program", "vertex %d of the mesh" % vertices[corner]["index"]))
            number, text = first_difference(ui)
            assert number == first["stage"] and first["text"].endswith(text.split("differs first, ")[1]), (text, first)
            # the corner's own position, which is equal, is the host's, too
            shown = cells(ui)
            store = next(cell for cell, value in shown.items() if cell.endswith(" instruction") and "store_pos" in value).split()[1]
            shown = wait("the last values", lambda: (lambda found: "instruction %s VirGL" % store in found and found)(cells(ui)), 60)
            clip = " ".join(str(number) for number in vertices[corner]["clip"])
            assert near(shown["instruction %s VirGL" % store], clip) and near(shown["instruction %s result" % store], clip), (shown, clip)
            mine, other = shown["instruction %d result" % number], shown["instruction %d VirGL" % number]
            assert near(mine, result["a"]) and near(other, result["b"]) and not near(other, result["a"]), (mine, other, result)
            assert "≠" in " ".join(shown["instruction %d" % number].split()), shown["instruction %d" % number]
            assert sum("≠" in value for value in shown.values()) == 1, shown
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()


def main():
    ui = Inspector(capture(CAPTURE), "--at", "1/1")
    try:
        ui.wait_moment("1/1")
        test_tabs(ui)
        test_program(ui)
        test_vertex_shader(ui)
        test_state(ui)
        test_vertices(ui)
        test_textures(ui)
        test_models(ui)
        if shutil.which("virgl_test_server"):
            test_host(ui)
        else:
            print("skipped: the host's side, virgl_test_server is not installed (Debian: virgl-server)")
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()
    if shutil.which("virgl_test_server"):
        test_vertex_host()
    test_large_target()
    print("Panels of a Gfx3D capture say what the terminal program says")


main()
