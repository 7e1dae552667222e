# SPDX-License-Identifier: GPL-2.0-or-later
"""Drives the inspector through accessibility and xdotool; used by the scripts beside it."""
import os
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

BUILD = os.environ.get("QS_UI_BUILD", ".")
WORK = os.environ.get("QS_UI_WORK", "/tmp")
DATA = os.environ.get("QS_DATA", "data")
PATIENCE = float(os.environ.get("QS_UI_PATIENCE", "20"))


def capture(name):
    return os.path.join(DATA, "captures", name)


def wait(what, test, patience=PATIENCE):
    """The first true value of test(); fails with the text otherwise."""
    end = time.time() + patience
    while True:
        try:
            value = test()
        except Exception:  # a node may vanish while it is looked at
            value = None
        if value:
            return value
        if time.time() > end:
            raise AssertionError("waited in vain: " + what)
        time.sleep(0.05)


class Inspector:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([os.path.join(BUILD, "inspector", "quadscope"), *arguments])
        self.moment_entry = None
        self.application = wait("the application is on the accessibility bus", self._find)
        self.window = wait("a window", lambda: self.xdotool("search", "--onlyvisible", "--pid", str(self._pid())).split()[-1])
        self.xdotool("windowfocus", "--sync", self.window)

    def _pid(self):
        return self.application.get_process_id()

    def _find(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child and child.get_name() == "quadscope":
                return child
        return None

    @staticmethod
    def xdotool(*arguments):
        return subprocess.run(["xdotool", *arguments], check=True, capture_output=True, text=True).stdout

    # ---- nodes ----
    def nodes(self, top=None, limit=20000, rows=True):
        """All nodes below top; rows=False: not what is inside the rows of lists, of which GTK keeps some 200 each."""
        stack = [top or self.application]
        while stack and limit:
            node = stack.pop()
            limit -= 1
            yield node
            if not rows and node.get_role_name() in ("table row", "list item"):
                continue
            try:
                children = [node.get_child_at_index(i) for i in range(min(node.get_child_count(), 400))]
            except Exception:
                children = []
            stack.extend(child for child in reversed(children) if child)

    def find(self, name=None, role=None, text=None, top=None, rows=True):
        """First node with exactly this name (or that contains text) and role."""
        for node in self.nodes(top, rows=rows):
            try:
                if role and node.get_role_name() != role:
                    continue
                label = node.get_name()
            except Exception:
                continue
            if (name is not None and label == name) or (text is not None and text in label):
                return node
        return None

    def need(self, name=None, role=None, text=None, top=None, rows=True):
        return wait("node %r %r %r" % (name, role, text), lambda: self.find(name, role, text, top, rows))

    @staticmethod
    def content(node):
        # GTK 4.8 gives nothing for an end of -1.
        return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))

    def press(self, name, role="push button"):
        node = self.need(name, role)
        assert Atspi.Action.do_action(node, 0), "no action on %r" % name

    # ---- keyboard and pointer ----
    def key(self, *keys):
        self.xdotool("key", "--clearmodifiers", *keys)

    def type(self, text):
        self.xdotool("type", "--delay", "15", text)

    def place(self, node):
        """Left, top, width, height on the screen: the window stands at the origin (no window manager)."""
        box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return box.x, box.y, box.width, box.height

    def click(self, x, y, button=1):
        self.xdotool("mousemove", "--window", self.window, str(int(x)), str(int(y)), "click", str(button))

    def click_in(self, node):
        """Clicks its middle, once it is there."""
        x, y, width, height = wait("a place on the screen", lambda: self.place(node)[2] > 20 and self.place(node))
        self.click(x + width / 2, y + height / 2)

    # ---- what the tests ask ----
    def moment(self):
        if not self.moment_entry:
            self.moment_entry = self.need("Moment", "text", rows=False)
        return self.content(self.moment_entry)

    def wait_moment(self, text):
        wait("moment %s (is %s)" % (text, self.moment()), lambda: self.moment() == text)

    def go_to(self, text):
        self.key("ctrl+g")
        time.sleep(0.2)
        self.key("ctrl+a")
        self.type(text)
        self.key("Return")

    def frame(self):
        """Description of the picture: buffer, moment, pixel, colour, depth, zoom."""
        return self.need("Frame", "image", rows=False).get_description()

    def status(self, start):
        node = self.find(text=start, role="label")
        return node.get_name() if node else None

    def quit(self):
        self.key("ctrl+q")
        return self.process.wait(timeout=PATIENCE)
