"""The clipboard: filled, cleared after the timeout, left alone if it has changed (R18)."""

import base64
import io
import os
import signal

from cases import both
from compositor import Compositor
from display import Display
from world import PASSWORD, wait_for

TEXT = "line one\n\n第二行  \n"

# Without a Mac to test with, these programs keep the text in a file.
FILES = """#!/bin/sh
place={place}
case "${{0##*/}} $1" in
  'pbcopy ') cat >"$place" ;;
  'pbpaste ') cat "$place" ;;
  *) exit 64 ;;
esac
"""


@both
class Clipboard:
    def setUp(self):
        super().setUp()
        self.world.add("Note", TEXT)
        self.world.add("Other", "something else")

    def with_display(self):
        display = Display()
        self.addCleanup(display.close)
        self.world.environment["DISPLAY"] = display.name
        return display

    def without(self, program):
        """Replaces a program by one that fails."""
        self.world.install(program, "#!/bin/sh\nexit 1\n")

    def copy(self, terminal, seconds="5"):
        """Copies the note, and stops the process that will clear the clipboard until the test has looked. Returns its id."""
        before = set(self.world.clearers())
        terminal.run(f"qv settings clipboardClearSeconds={seconds}")
        self.assertIn(f"cleared in {seconds} s", terminal.run("qv copy Note"))
        clearer, = wait_for(lambda: set(self.world.clearers()) - before, "a process waits to clear the clipboard")
        os.kill(clearer, signal.SIGSTOP)
        return clearer

    def go_on(self, clearer):
        """Lets it go on, and waits for its end."""
        os.kill(clearer, signal.SIGCONT)
        wait_for(lambda: clearer not in self.world.clearers(), "the process that clears the clipboard has exited")

    def test_r18_a_concealed_field_is_copied_on_request(self):
        field = {"label": "Door code", "value": "4711-hidden", "concealed": True}
        self.world.add("Room", "Floor 12", extraFields=[field])
        _, output, errors = self.world.qv("copy", "Room", "--print", password=PASSWORD)
        self.assertEqual(output, "Floor 12")
        self.assertIn("left out: Door code (--concealed", errors)
        _, output, errors = self.world.qv("copy", "Room", "--print", "--concealed", password=PASSWORD)
        self.assertEqual(output, "Floor 12\nDoor code: 4711-hidden")
        self.assertEqual(errors, "")

    def copies_and_clears(self, display):
        clearer = self.copy(self.unlocked())
        # xsel returns before it owns the clipboard.
        wait_for(lambda: display.content() == TEXT, "the clipboard is filled")
        self.go_on(clearer)
        wait_for(lambda: not display.content(), "the clipboard is cleared")

    def test_r18_cleared_after_the_time(self):
        self.copies_and_clears(self.with_display())

    def test_r18_cleared_after_the_time_under_wayland(self):
        compositor = Compositor(self.world.environment)
        self.addCleanup(compositor.close)
        self.copies_and_clears(compositor)

    def test_r18_wl_copy_marks_a_secret_if_it_can(self):
        # Debian's wl-copy is older than the option, so this one stands before it, and leaves its arguments.
        place = self.world.path("arguments")
        self.world.install("wl-copy", f"""#!/bin/sh
echo "$*" >>{place}
cat >/dev/null
""")
        self.world.install("wl-paste", "#!/bin/sh\necho other\n")
        self.world.environment["WAYLAND_DISPLAY"] = "wayland-0"
        status, _, errors = self.world.qv("copy", "Note", password=PASSWORD)
        self.assertEqual((status, self.world.read("arguments").split()), (0, ["--sensitive"]), errors)

    def test_r18_xsel_is_used_if_xclip_fails(self):
        display = self.with_display()
        self.without("xclip")
        self.copies_and_clears(display)

    def test_r18_cleared_by_a_lock(self):
        display = self.with_display()
        terminal = self.unlocked()
        terminal.run("qv settings clipboardClearSeconds=3600")
        before = set(self.world.clearers())
        terminal.run("qv copy Note")
        wait_for(lambda: set(self.world.clearers()) - before, "a process waits to clear the clipboard")
        wait_for(lambda: display.content() == TEXT, "the clipboard is filled")
        self.assertEqual(self.world.qv("lock")[0], 0)
        wait_for(lambda: not display.content(), "the clipboard is cleared")
        wait_for(lambda: not set(self.world.clearers()) - before, "the process ends")

    def test_r18_left_alone_when_it_changed(self):
        display = self.with_display()
        clearer = self.copy(self.unlocked())
        open_files = [os.readlink(f"/proc/{clearer}/fd/{name}") for name in os.listdir(f"/proc/{clearer}/fd")]
        self.assertEqual([path for path in open_files if path.startswith("/dev/pts")], [])
        display.fill("not ours")
        self.go_on(clearer)
        self.assertEqual(display.content(), "not ours")

    def test_r18_cleared_after_the_shell_has_exited(self):
        display = self.with_display()
        terminal = self.unlocked()
        clearer = self.copy(terminal)
        terminal.close()
        self.assertEqual(display.content(), TEXT)
        self.go_on(clearer)
        wait_for(lambda: not display.content(), "the clipboard is cleared")

    def test_a_later_copy_of_the_same_text_has_its_own_timeout(self):
        display = self.with_display()
        terminal = self.unlocked()
        first = self.copy(terminal)
        self.copy(terminal, "3600")
        self.go_on(first)
        self.assertEqual(display.content(), TEXT)

    def test_r18_never_cleared_when_set_so(self):
        display = self.with_display()
        terminal = self.unlocked()
        terminal.run("qv settings clipboardClearSeconds=never")
        self.assertNotIn("cleared in", terminal.run("qv copy Note"))
        self.assertEqual(display.content(), TEXT)
        self.assertEqual(self.world.clearers(), [])

    def test_r18_through_the_terminal_without_a_clipboard_program(self):
        terminal = self.unlocked()
        terminal.child.logfile_read = io.StringIO()
        shown = terminal.run("qv copy Other")
        self.assertIn("copied Other through the terminal", shown)
        self.assertNotIn("something else", shown)
        code = base64.b64encode(b"something else").decode()
        self.assertIn(f"\x1b]52;c;{code}\x07", terminal.child.logfile_read.getvalue())
        self.assertEqual(self.world.qv("copy", "Note", "--print", password=PASSWORD)[1], TEXT)

    def test_r18_never_printed_unasked(self):
        terminal = self.unlocked()
        shown = terminal.run("TERM=dumb qv copy Other")
        self.assertIn("there is no clipboard here", shown)
        self.assertNotIn("something else", shown)
        self.assertEqual(terminal.status(), 1)

    def test_r18_a_command_of_the_user(self):
        terminal = self.unlocked()
        shown = terminal.run("qv copy Other --clipboard-command 'tr a-z A-Z >~/copied'")
        self.assertIn("copied Other with tr", shown)
        self.assertEqual(self.world.read("home", "copied"), "SOMETHING ELSE")
        terminal.run("qv copy Other --clipboard-command false")
        self.assertEqual(terminal.status(), 1)

    def test_typed_without_the_clipboard(self):
        self.world.install("xdotool", "#!/bin/sh\necho \"$@\" >>~/words\ncat >>~/typed\n")
        self.world.add("Two scripts", "second — 第二!")
        terminal = self.unlocked()
        terminal.run("qv type Other")
        self.assertEqual(terminal.status(), 1)
        terminal.run("DISPLAY=:77 qv type Other")
        self.assertEqual(terminal.status(), 0)
        terminal.run("DISPLAY=:77 qv type Two scripts")
        self.assertEqual(terminal.status(), 0)
        # A character that is not on the keyboard gets more time: a busy window looks late at the layout made for it.
        words = "".join(f"type --clearmodifiers --delay {delay} --file -\n" for delay in [12, 12, 100, 12, 100, 12])
        for name, expected in [("typed", "something elsesecond — 第二!"), ("words", words)]:
            self.assertEqual(self.world.read("home", name), expected)

    def test_a_failure_half_way_is_told(self):
        self.world.install("xdotool", "#!/bin/sh\ncat >>~/typed\ngrep -q 第 ~/typed && exit 1\nexit 0\n")
        self.world.add("Two scripts", "second 第二!")
        terminal = self.unlocked()
        self.assertIn("only part of the text was typed", terminal.run("DISPLAY=:77 qv type Two scripts"))
        self.assertEqual(terminal.status(), 1)
        self.assertEqual(self.world.read("home", "typed"), "second 第二")

    def test_r18_the_programs_of_a_mac(self):
        place = self.world.path("pbcopy")
        for name in ("pbcopy", "pbpaste"):
            self.world.install(name, FILES.format(place=place))
        clearer = self.copy(self.unlocked())
        with open(place, encoding="utf-8") as file:
            self.assertEqual(file.read(), TEXT)
        self.go_on(clearer)
        wait_for(lambda: os.path.getsize(place) == 0, "the clipboard is cleared")

    def test_r18_styles_fields_and_templates(self):
        self.world.qv("new", "invoice", "--title", "Bill", "companyName=Harbor", "taxId=91440300MA5FA6HQ20",
                      "address=1 Road", "phone=0755-26543210", "bankName=ICBC", "bankAccount=755912", password=PASSWORD)
        terminal = self.unlocked()
        self.assertEqual(terminal.run("qv copy Bill -p -f bankAccount").strip(), "755912")
        self.assertEqual(terminal.run("qv copy Bill -p --template '{bankName}/{taxId}'").strip(),
                         "ICBC/91440300MA5FA6HQ20")
        self.assertIn('"bankName"', terminal.run("qv copy Bill -p -s json"))
        terminal.run("qv copy Bill -p --template '{nothing}'")
        self.assertEqual(terminal.status(), 9)
        terminal.run("qv copy Bill -p -f nothing")
        self.assertEqual(terminal.status(), 3)
