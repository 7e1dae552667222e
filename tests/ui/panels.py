# SPDX-License-Identifier: GPL-2.0-or-later
"""TEV, registers, pixel history and doctor in the window say what the terminal program says."""
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, Atspi, Inspector, capture, wait  # noqa: E402

CAPTURE = "tour.dff"
PIXEL = (195, 210)
PARTS = {}
COLUMNS = {"a": "a", "b": "b", "c": "c", "d": "d", "stored": "result", "texture": "tex", "raster": "ras", "konst": "konst"}


def qscope(command, *arguments):
    done = subprocess.run([os.path.join(BUILD, "qscope"), command, capture(CAPTURE), "--json", *arguments],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stdout, done.stderr
    return json.loads(done.stdout)


def part(ui, name, role=None):
    """A widget of the panels; the tree is large, so it is looked for once."""
    if (name, role) not in PARTS:
        PARTS[name, role] = ui.need(name, role, rows=False)
    return PARTS[name, role]


def said(ui, panel, start):
    """Text of the panel's label that begins so."""
    for node in ui.nodes(part(ui, panel, "filler"), rows=False):
        if node.get_role_name() == "label" and node.get_name().startswith(start):
            return node.get_name()
    return None


def cells(ui):
    """Every cell of the TEV sheet by its name: "stage 0 colour a" -> "tex.rgb ef 94 33"."""
    sheet = part(ui, "TEV stages")
    found = {}
    for i in range(sheet.get_child_count()):
        name, colon, value = sheet.get_child_at_index(i).get_name().partition(": ")
        if colon:
            found[name] = value
    return found


def cell(ui, name):
    return wait("cell " + name, lambda: next(node for node in ui.nodes(part(ui, "TEV stages")) if node.get_name().startswith(name + ":")))


def click(ui, node):
    x, y, width, height = ui.place(node)
    ui.click(x + width / 2, y + height / 2)
    time.sleep(0.3)


def press(ui, panel, name):
    activate(ui.need(name, "push button", top=part(ui, panel, "filler"), rows=False))


def activate(node):
    assert Atspi.Action.do_action(node, 0), "no action on %r" % node.get_name()


def lines(ui, name):
    """Row nodes of a table, without the titles."""
    found = [node for node in ui.nodes(part(ui, name, "tree table"), rows=False) if node.get_role_name() == "table row"]
    return found[1:]


def texts(ui, line):
    return [label.get_name().strip() for label in ui.nodes(line) if label.get_role_name() == "label"]


def title(ui, line):
    """What the first cell says."""
    return next((label.get_name().strip("▸ ") for label in ui.nodes(line) if label.get_role_name() == "label"), None)


def line(ui, table, first):
    return wait("row %s of %s" % (first, table), lambda: next((node for node in lines(ui, table) if title(ui, node) == first), None))


def row(ui, table, first):
    return texts(ui, line(ui, table, first))


def numbers(text, count, base):
    return [int(word, base) for word in text.split()[-count:]]


def compare_stages(ui, trace, base):
    """All values of all stages, and the registers after each."""
    shown, compared = cells(ui), 0
    for stage in trace["quad"]["fragments"][0]["stages"]:
        for column, key in COLUMNS.items():
            value = [pair["value"] for pair in [stage["inputs"][key]]][0] if key in "abcd" else stage[key]
            for part, count, expected in (("colour", 3, value[:3]), ("alpha", 1, value[3:])):
                name = "stage %d %s %s" % (stage["stage"], part, column)
                assert numbers(shown[name], count, base) == expected, (name, shown[name], expected)
                compared += 1
        for column, key in (("PREV", "prev"), ("C0", "c0"), ("C1", "c1"), ("C2", "c2")):
            name = "stage %d colour %s" % (stage["stage"], column)
            assert numbers(shown[name], 3, base) == stage["registers"][key][:3], (name, shown[name])
            compared += 1
        for letter in "abcd":
            name = "stage %d colour %s" % (stage["stage"], letter)
            assert shown[name].split()[0] == stage["inputs"][letter]["rgb_from"].replace("_", "."), (name, shown[name])
    assert compared == 20 * len(trace["quad"]["fragments"][0]["stages"]) > 0, compared


def test_tev(ui):
    """The picked pixel's last writer, in hexadecimal and decimal."""
    ui.go_to("%d,%d" % PIXEL)
    moment = wait("the last writer", lambda: re.match(r"%d,%d\s+last written by (\S+)" % PIXEL,
                                                     said(ui, "TEV", "%d,%d  last written by" % PIXEL)))[1]
    trace = qscope("trace", "--at", moment)
    wait("cells", lambda: len(cells(ui)) > 40)
    compare_stages(ui, trace, 16)
    press(ui, "TEV", "Decimal")
    wait("decimal values", lambda: numbers(cells(ui)["stage 0 colour c"], 3, 10) == trace["quad"]["fragments"][0]["stages"][0]["inputs"]["c"]["value"][:3])
    compare_stages(ui, trace, 10)
    press(ui, "TEV", "Decimal")
    shown = cells(ui)
    assert shown["depth test"].endswith(("passed, stored", "passed, not stored")), shown["depth test"]
    assert "→" in shown["pixel"] and "written" in shown["pixel"], shown["pixel"]
    return moment, trace


def test_cause(ui, moment):
    """From the pixel to the register write: a click on the cell, then the previous change of what it selected."""
    node = cell(ui, "stage 1 colour c")
    assert "konst" in node.get_name(), node.get_name()
    registers = {r["name"]: r for r in qscope("state", "--at", moment, "--unit", "bp")["registers"]}
    konst = registers["TEV_KONSTL_0"]
    detail = wait("what chose the value", lambda: (click(ui, node), said(ui, "TEV", "stage 1 colour  input c"))[1])
    assert "TEV_COLOR_ENV_1.c" in detail and "TEV_KONSTL_0 = 0x%06x" % konst["value"] in detail, detail
    assert "written at" in detail, detail
    shown = row(ui, "Registers", "TEV_KONSTL_0")
    assert int(shown[2], 16) == konst["value"], (shown, konst)
    wait("the register is selected", lambda: [title(ui, node) for node in lines(ui, "Registers") if
                                             node.get_state_set().contains(Atspi.StateType.SELECTED)] == ["TEV_KONSTL_0"])
    # "[" leads to the write itself.
    ui.key("bracketleft")
    written = wait("the write", lambda: "@" in ui.moment() and ui.moment())
    at = {r["name"]: r for r in qscope("state", "--at", written, "--unit", "bp")["registers"]}
    assert at["TEV_KONSTL_0"]["value"] == konst["value"] and at["TEV_KONSTL_0"]["commands_ago"] == 0, at["TEV_KONSTL_0"]


def test_stages(ui, moment):
    """A stage's cell goes to its moment; what comes later is pending."""
    ui.go_to(moment)
    ui.wait_moment(moment)
    wait("a traced fragment", lambda: said(ui, "TEV", "%d,%d  fragment %s" % (*PIXEL, moment)))
    activate(cell(ui, "stage 1 colour"))
    ui.wait_moment(moment + "/1")
    wait("stage 2 pending", lambda: cells(ui)["stage 2 colour stored"] == "·")
    assert cells(ui)["stage 1 colour stored"] != "·"
    ui.key("F11")
    ui.wait_moment(moment + "/2")
    wait("stage 2 done", lambda: cells(ui)["stage 2 colour stored"] != "·")


def test_source(ui, moment):
    """Activating an input that an earlier stage made goes to that result."""
    ui.go_to(moment)
    ui.wait_moment(moment)
    activate(cell(ui, "stage 1 colour d"))
    wait("the result is described", lambda: said(ui, "TEV", "stage 0 colour  stored result"))


def expand(ui, name):
    activate(ui.need("Show what is inside", "push button", top=line(ui, "Registers", name)))


def search(ui, text):
    click(ui, part(ui, "Find registers"))
    ui.key("ctrl+a", "BackSpace")
    if text:
        ui.type(text)
    time.sleep(0.3)


def test_registers(ui):
    """Search, fields, values, writers and what changed since the draw before."""
    moment = "1/46"
    ui.go_to(moment)
    ui.wait_moment(moment)
    state = {r["name"]: r for r in qscope("state", "--at", moment, "--unit", "bp")["registers"]}
    search(ui, "zmode")
    shown = row(ui, "Registers", "PE_ZMODE")
    assert int(shown[2], 16) == state["PE_ZMODE"]["value"], (shown, state["PE_ZMODE"])
    assert shown[4].split() == [str(state["PE_ZMODE"]["draws_ago"]), "d"] and state["PE_ZMODE"]["draws_ago"] > 1, (shown, state["PE_ZMODE"])
    assert shown[5] == state["PE_ZMODE"]["writer"], (shown, state["PE_ZMODE"])
    expand(ui, "PE_ZMODE")
    func = row(ui, "Registers", "func")
    assert state["PE_ZMODE"]["fields"]["func"] in func[3], (func, state["PE_ZMODE"])
    assert int(func[2], 16) == state["PE_ZMODE"]["value"] >> 1 & 7, (func, state["PE_ZMODE"])
    search(ui, "")
    press(ui, "Registers", "Changed")
    expected = {r["name"] for r in qscope("state", "--at", moment, "--changed")["registers"]}
    assert expected
    wait("their number", lambda: said(ui, "Registers", str(len(expected))) == str(len(expected)))
    shown = [texts(ui, node) for node in lines(ui, "Registers")]
    names = {r[0] for r in shown if len(r) > 2 and re.match(r"0x\w{6,}$", r[2]) and not r[1].startswith("[")}
    assert names == expected, (names, expected)
    press(ui, "Registers", "Changed")


def test_history(ui):
    """A row of the pixel history is a moment to go to."""
    history = qscope("history", "--frame", "1", "--pixel", "%d,%d" % PIXEL)
    moments = [r["moment"] for r in history["rows"] if r.get("verdict")]
    wait("all rows", lambda: set(moments) <= {title(ui, node) for node in lines(ui, "Pixel history")})
    result = next(label for label in ui.nodes(line(ui, "Pixel history", moments[1])) if label.get_name() == "written")
    wait("moment " + moments[1], lambda: (click(ui, result), ui.key("Return"), time.sleep(0.5), ui.moment() == moments[1])[3])


def test_doctor(ui):
    messages = qscope("lint")["messages"]
    assert messages
    ui.key("d")
    wait("the tab beside it", lambda: ui.find("Mark A", "push button", top=part(ui, "Differences", "filler"), rows=False))
    tab = ui.need("Doctor", "label", rows=False)
    shown = wait("messages", lambda: (click(ui, tab), [texts(ui, node) for node in lines(ui, "Messages")])[1])
    assert len(shown) == len(messages), shown
    for message, cell_texts in zip(messages, shown):
        assert cell_texts[2] == message["text"] and cell_texts[4] == message["check"], (cell_texts, message)
    wait("their number", lambda: said(ui, "Doctor", "%d message" % len(messages)))
    count = sum(m["severity"] == "note" for m in messages)
    press(ui, "Doctor", "Notes %d" % count)
    wait("notes are hidden", lambda: said(ui, "Doctor", "%d of %d" % (len(messages) - count, len(messages))))


def test_quirks(ui):
    """A click on another model's value takes over that one quirk; Reset goes back."""
    ui.key("q")
    wait("the quirks", lambda: lines(ui, "Quirks"))
    names = wait("a row", lambda: texts(ui, line(ui, "Quirks", "sample_point")))
    assert names[1] == names[2], names
    value = [node for node in ui.nodes(line(ui, "Quirks", "sample_point")) if node.get_role_name() == "label"][3]
    x, y, _, height = ui.place(value)
    wait("one quirk", lambda: (ui.click(x + 5, y + height / 2), time.sleep(0.5), said(ui, "Model", "hardware with 1 quirk changed"))[2])
    changed = texts(ui, line(ui, "Quirks", "sample_point"))
    assert changed[1] == names[3], (changed, names)
    press(ui, "Model", "Reset")
    wait("none", lambda: texts(ui, line(ui, "Quirks", "sample_point")) == names)


def main():
    ui = Inspector(capture(CAPTURE), "--at", "1/110")
    try:
        ui.wait_moment("1/110")
        moment, _ = test_tev(ui)
        test_cause(ui, moment)
        test_stages(ui, moment)
        test_source(ui, moment)
        test_registers(ui)
        test_history(ui)
        test_doctor(ui)
        test_quirks(ui)
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()
    print("TEV, registers, history and doctor say what the terminal program says")


main()
