"""Completion with the Tab key."""

import os

from cases import both
from pictures import png
from world import CLIENT, PASSWORD


@both
class Completion:
    def completed(self, terminal, line, *wanted):
        """Types the beginning of a line and Tab, waits for the expected text, and clears the line."""
        terminal.child.send(line + "\t")
        for text in wanted:
            terminal.child.expect_exact(text)
        terminal.child.send("\x15\n" if self.shell == "zsh" else "\x05\x15\n")
        terminal.child.expect_exact("ready-for-qv> ")
        terminal.run("true")

    def ready(self):
        before = ([f"fpath=({CLIENT} $fpath)", "autoload -Uz compinit && compinit -u -D"] if self.shell == "zsh"
                  else [f". {CLIENT}/qv.bash"])
        return self.unlocked(before=before, line_editor=True)

    def setUp(self):
        super().setUp()
        self.world.add("Meeting room", "text", tags=["office"])
        self.world.add("会议室", "text")

    def test_r20_commands_options_and_values(self):
        terminal = self.ready()
        self.completed(terminal, "qv sear", "ch ")
        self.completed(terminal, "qv copy --templ", "ate ")
        self.completed(terminal, "qv list --group com", "pany ")
        self.completed(terminal, "qv list --tag off", "ice ")
        self.completed(terminal, "qv new inv", "oice ")
        self.completed(terminal, "qv edit x postal", "Code=")
        self.completed(terminal, "qv settings autoL", "ockSeconds=")

    def test_options_and_values_in_one_word(self):
        os.mkdir(self.world.path("home", "files"))
        other = self.world.path("home", "other.quickvault")
        for words in (["init", "--kdf", "pbkdf2", "--iterations", "100000"], ["new", "text", "--title", "Elsewhere", "text=x"]):
            self.assertEqual(self.world.qv(*words, password=PASSWORD, vault=other)[0], 0)
        self.world.add("-dash title", "text")
        terminal = self.ready()
        terminal.run(f"qv --vault {other} unlock", ("password: ", PASSWORD))
        self.completed(terminal, "qv list --group=com", "pany ")
        self.completed(terminal, "qv export --format=mark", "down ")
        self.completed(terminal, "qv save x --to=fil", "es")
        self.completed(terminal, f"qv --vault={other} show Else", "where ")
        self.completed(terminal, "qv --vault ~/other.quickvault show Else", "where ")
        self.completed(terminal, "qv show -- -da", "sh\\ title ")

    def test_formats_and_arguments_of_commands(self):
        terminal = self.ready()
        self.completed(terminal, "qv import --format kee", "pass-xml ")
        self.completed(terminal, "qv export --format mark", "down ")
        self.completed(terminal, "qv password --kdf arg", "on2id ")
        self.completed(terminal, "qv devices rev", "oke ")
        self.completed(terminal, "qv fingerprint sta", "tus ")

    def test_programs_and_their_files(self):
        self.world.install("own-program", "")
        os.mkdir(self.world.path("home", "files"))
        terminal = self.ready()
        self.completed(terminal, "qv run --env-f", "ile ")
        self.completed(terminal, "qv run --env-file fil", "es")
        self.completed(terminal, "qv run -- own-pro", "gram")
        self.completed(terminal, "qv run --yes -- own-program fil", "es")
        self.completed(terminal, "qv fill --in=fil", "es")

    def test_attachments_of_a_card(self):
        for name, side in (("front.png", 64), ("back side.png", 80)):
            with open(self.world.path("home", name), "wb") as file:
                file.write(png(side, side))
        status, _, errors = self.world.qv("attach", "Meeting room", "front.png", "back side.png", password=PASSWORD)
        self.assertEqual(status, 0, errors)
        os.rename(self.world.path("home", "front.png"), self.world.path("home", "front-elsewhere.png"))
        terminal = self.ready()
        self.completed(terminal, "qv open Meeting\\ room fr", "ont.png ")
        self.completed(terminal, "qv watermark 'Meeting room' fr", "ont.png ")
        self.completed(terminal, "qv detach meeting ba", "ck\\ side.png ")

    def test_titles_while_unlocked(self):
        terminal = self.ready()
        self.completed(terminal, "qv show Mee", "ting\\ room ")
        self.completed(terminal, "qv show 会", "议室 ")
        terminal.child.send("qv show Meet\t\n")
        terminal.child.expect_exact("text · personal")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 0)

    def test_titles_with_a_colon_or_an_equals_sign(self):
        field = {"label": "Door: code", "value": "4711", "concealed": True}
        self.world.add("Office: Beijing", "text", extraFields=[field])
        self.world.add("Office: Shenzhen", "text")
        self.world.add("a=b title", "text")
        terminal = self.ready()
        self.completed(terminal, "qv show Office:\\ S", "henzhen ")
        self.completed(terminal, "qv show 'Office: S", "henzhen")
        self.completed(terminal, "qv show a=b", "\\ title ")
        self.completed(terminal, "qv copy Office:\\ Beijing -f Do", "or:\\ code ")
        self.completed(terminal, "qv edit Office:\\ Beijing Door:", "\\ code=")

    def test_titles_inside_quotation_marks(self):
        titles = ['One "; touch ran; "', "Two '; touch ran; '", "Six $(touch ran) `touch ran` !! \\z"]
        for title in titles:
            self.world.add(title, "text of " + title[:3])
        terminal = self.ready()
        for title in titles:
            for quotation in "\"'":
                terminal.child.send(f"qv show -f text {quotation}{title[:3]}\t\n")
                terminal.child.expect_exact(f"text of {title[:3]}\r\n")
                terminal.child.expect_exact("ready-for-qv> ")
        # Here the quotation begins again after the mark.
        terminal.child.send("qv show -f text 'Two '\\''; tou\t\n")
        terminal.child.expect_exact("text of Two\r\n")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertFalse(os.path.exists(self.world.path("home", "ran")))

    def test_quotation_marks_of_the_other_kind(self):
        self.world.add("Lin's \"back\\door\"", "text of Lin")
        terminal = self.ready()
        for beginning in ('"Lin\'s ', "'Lin'\\''s \"back", "'Lin'\\''s \"back\\d", '"Lin\'s \\"back\\\\d', "Lin\\'s\\ "):
            terminal.child.send(f"qv show -f text {beginning}\t\n")
            terminal.child.expect_exact("text of Lin\r\n")
            terminal.child.expect_exact("ready-for-qv> ")

    def test_no_prompt_while_locked(self):
        terminal = self.ready()
        terminal.run("qv lock")
        terminal.child.send("qv show Mee\t\x15")
        self.assertIn("\nlocked", terminal.run("qv status"))

    def test_labels_of_the_card(self):
        field = {"label": "Door code", "value": "4711", "concealed": True}
        self.world.add("Lobby", "text", extraFields=[field])
        terminal = self.ready()
        self.completed(terminal, "qv show Lobby -f Do", "or\\ code ")
        self.completed(terminal, "qv edit Lobby te", "xt=")
