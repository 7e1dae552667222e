# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare panel: figures, causes and pixels are those of `qscope diff`; the views share pointer and place."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from uilib import BUILD, Inspector, capture, wait  # noqa: E402

CAPTURE = "triangle-gouraud.dff"


def difference():
    run = subprocess.run([os.path.join(BUILD, "qscope"), "diff", capture(CAPTURE), "--a", "hardware", "--b", "dolphin", "--json"],
                         check=False, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    return json.loads(run.stdout)


def panel(ui):
    return ui.need("Compare", "filler", rows=False)


def show(ui, tab):
    label = wait("the tab " + tab, lambda: next(node for page in ui.nodes(rows=False) if page.get_role_name() == "page tab"
                                                for node in ui.nodes(page) if node.get_name() == tab))
    x, y, width, height = ui.place(label)
    ui.click(x + width / 2, y + height / 2)


def press(ui, name):
    x, y, width, height = ui.place(next(node for node in ui.nodes(panel(ui)) if node.get_name() == name and "button" in node.get_role_name()))
    ui.click(x + width / 2, y + height / 2)


def text_with(ui, start):
    return wait(start, lambda: next(node.get_name() for node in ui.nodes(panel(ui)) if node.get_role_name() == "label"
                                    and start in (node.get_name() or "")))


def described(ui, name):
    return ui.need(name, "image", top=panel(ui)).get_description()


def main():
    expected = difference()
    ui = Inspector(capture(CAPTURE), "--at", "1/0")
    try:
        ui.wait_moment("1/0")
        show(ui, "Compare")
        summary = text_with(ui, "pixels of the copy equal")
        assert summary.startswith("%d of %d pixels" % (expected["equal_pixels"], expected["pixels"])), summary
        press(ui, "Explain")
        report = text_with(ui, "First divergence")
        for cause in expected["causes"]:
            assert cause["quirk"] in report, (cause, report)
        assert "With them every pixel is equal." in report, report
        worst = expected["worst"][0]
        assert "%d,%d" % (worst["x"], worst["y"]) in report and expected["first"]["moment"] in report, report

        # a pixel is the same one in all views
        x, y, width, height = ui.place(ui.need("Compared picture", "image", top=panel(ui)))
        ui.click(x + width / 2, y + height / 2)
        pixel = wait("a picked pixel", lambda: next(part for part in described(ui, "Compared picture").split(", ") if part.startswith("pixel ")))
        wait("the same pixel in B", lambda: pixel in described(ui, "Second picture"))
        assert "A #" in described(ui, "Compared picture") and "B #" in described(ui, "Second picture")
        press(ui, "Difference")
        wait("the difference", lambda: described(ui, "Compared picture").startswith("difference"))
        press(ui, "Wipe")
        wait("the wipe", lambda: described(ui, "Compared picture").startswith("wipe"))
        assert ui.quit() == 0
    finally:
        if ui.process.poll() is None:
            ui.process.terminate()
    print("The compare panel says what qscope diff says")


main()
