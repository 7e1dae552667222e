# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts as a person uses them: prompt, history, completion, editor, run, errors, stop, plots, a probe of the menu."""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, WORK, Inspector, capture, wait  # noqa: E402

NAME = "animation-six-frames.dff"
MOMENT = "2/0"


class Scripting(Inspector):
    """Looks for things in their panel, once: the whole tree takes seconds on a busy machine."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.kept = {}

    def inside(self, panel, name=None, role=None, text=None):
        if panel not in self.kept:
            self.kept[panel] = self.need(panel, "filler")
        return self.find(name, role, text, self.kept[panel])

    def part(self, panel, name, role):
        if name not in self.kept:
            self.kept[name] = wait(name, lambda: self.inside(panel, name, role))
        return self.kept[name]

    def editor(self):
        return self.part("Script", "Script editor", "text")

    def output(self):
        return self.content(self.part("Console", "Console output", "text"))

    def prompt(self, line):
        self.key("ctrl+grave")
        time.sleep(0.3)
        self.type(line)
        self.key("Return")

    def wait_output(self, text):
        wait("output %r" % text, lambda: text in self.output())

    def write(self, text):
        """Into the editor, instead of what is there."""
        self.key("ctrl+e")
        wait("the editor", lambda: self.place(self.editor())[2] > 20)
        time.sleep(0.3)
        self.key("ctrl+a")
        self.type(text)
        wait("the text is in the editor", lambda: self.content(self.editor()) == text)


def terminal(lua):
    """What the terminal program prints for the same script at the same moment."""
    path = os.path.join(WORK, "probe.lua")
    with open(path, "w") as file:
        file.write(lua)
    run = subprocess.run([os.path.join(BUILD, "qscope"), "run", path, capture(NAME)], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_prompt(ui):
    ui.prompt("qs.regs.bp.GEN_MODE.ntev")
    expected = terminal('qs.seek("%s") print(qs.regs.bp.GEN_MODE.ntev)' % MOMENT)
    assert re.fullmatch(r"\d+", expected), expected
    ui.wait_output("> qs.regs.bp.GEN_MODE.ntev\n%s\n" % expected)
    ui.prompt("for i = 1, 2 do")
    ui.wait_output("> for i = 1, 2 do\n")
    wait("the prompt wants more", lambda: ui.inside("Console", ">>", "label"))
    ui.prompt("print('row', i) end")
    ui.wait_output("row\t1\nrow\t2\n")
    wait("the prompt is ready", lambda: ui.inside("Console", ">", "label"))
    ui.prompt("nothing.at_all")
    ui.wait_output("console:1: attempt to index a nil value")


def test_history_and_completion(ui):
    entry = ui.part("Console", "Lua prompt", "text")
    ui.key("ctrl+grave", "Up")
    wait("the last line", lambda: ui.content(entry) == "nothing.at_all")
    ui.key("Up", "Up")
    wait("lines before", lambda: ui.content(entry) == "for i = 1, 2 do")
    ui.key("ctrl+a", "BackSpace")
    ui.type("qs.regs.bp.GEN_MO")
    ui.key("Tab")
    wait("the only candidate", lambda: ui.content(entry) == "qs.regs.bp.GEN_MODE")
    ui.key("ctrl+a", "BackSpace")
    ui.type("qs.plot.")
    ui.key("Tab")
    wait("a list of candidates", lambda: ui.inside("Console", "qs.plot.heat", "label"))
    ui.key("Down", "Return")
    wait("the second candidate", lambda: ui.content(entry) == "qs.plot.hist")
    ui.key("ctrl+a", "BackSpace")


def test_moving(ui):
    """The window goes where a script goes."""
    ui.prompt("qs.seek('4/0')")
    ui.wait_moment("4/0")
    ui.prompt("qs.seek('%s')" % MOMENT)
    ui.wait_moment(MOMENT)


def test_editor(ui):
    lua = "print('draws', qs.capture.draws, qs.moment)"
    ui.write(lua)
    ui.key("ctrl+Return")
    expected = terminal('qs.seek("%s") %s' % (MOMENT, lua))
    assert MOMENT in expected
    ui.key("ctrl+grave")
    ui.wait_output(expected + "\n")
    ui.wait_output("untitled.lua ran in")
    ui.write("local x = 1 error('wrong')")
    ui.key("ctrl+Return")
    wait("the error below the editor", lambda: ui.inside("Script", text="untitled.lua:1: wrong", role="label"))


def test_stop(ui):
    ui.write("while true do end")
    ui.key("ctrl+Return")
    time.sleep(0.5)
    ui.key("ctrl+grave")
    # The window lives: a prompt line is refused, with a reason.
    ui.prompt("1 + 1")
    ui.wait_output("A script is running.")
    ui.key("ctrl+a", "BackSpace", "Escape")
    ui.wait_output("Stopped: untitled.lua:1:")
    ui.prompt("20 + 22")
    ui.wait_output("\n42\n")


def test_plots(ui):
    ui.prompt("qs.plot.line('squares', {1, 4, 9})")
    ui.wait_output("squares  line, 3 values, minimum 1, maximum 9")
    ui.key("ctrl+p")
    wait("the plot says what it shows", lambda: ui.inside("Plots", "Plot", "image").get_description() ==
         "squares: line, 3 values, minimum 1, maximum 9")
    ui.prompt("qs.table({{draw = 7, quads = 12}}, {'draw', 'quads'}, 'counts')")
    ui.wait_output("draw  quads\n   7     12\n")


def test_draft():
    """Text that was not saved is there again."""
    ui = Scripting(capture(NAME), "--at", MOMENT)
    try:
        ui.wait_moment(MOMENT)
        ui.key("ctrl+e")
        wait("the draft", lambda: ui.content(ui.editor()) == "while true do end")
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()


def main():
    ui = Scripting(capture(NAME), "--at", MOMENT)
    try:
        ui.wait_moment(MOMENT)
        test_prompt(ui)
        test_history_and_completion(ui)
        test_moving(ui)
        test_editor(ui)
        test_stop(ui)
        test_plots(ui)
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()
    test_draft()
    print("scripts do in the window what they should")


main()
