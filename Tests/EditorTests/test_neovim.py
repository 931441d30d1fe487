"""Typed keys to inserted text in the real Neovim, with the lines of protocol/EDITORS.md (A)."""

import os
import signal
import unittest

from editors import Neovim, Surroundings, eventually, recipe
from language_client import PIN, TAX_ID

QUIET = "vim.o.swapfile = false\n"
MENU = "pumvisible()"


def bare_configuration():
    """The page's configuration without what makes accepting an item run a command."""
    first = recipe("lua").split("-- Neovim does not run")[0]
    bare = first.replace('init_options = { quickvault = { completion = "bareCommand" } },', "")
    assert "init_options" not in bare
    return bare


class NeovimCase(unittest.TestCase):
    def start(self, configuration=None):
        self.surroundings = Surroundings(self)
        return Neovim(self, self.surroundings, QUIET + (configuration or recipe("lua")))

    def open_menu(self, editor, keys):
        editor.type(keys + "<C-x><C-o>")
        eventually(lambda: editor.eval(MENU) == "1", lambda: "no menu: " + editor.eval("execute('messages')"))

    def accept(self, editor, keys):
        self.open_menu(editor, keys)
        editor.type("<C-n><C-y>")

    def leave(self, editor):
        self.open_menu(editor, "A ;;gsfp")
        editor.type("<Esc>")
        eventually(lambda: editor.eval("mode()") == "n", editor.terminal.screen)
        # An insertion would be done before this is answered.
        editor.eval("luaeval('vim.lsp.buf_request_sync(0, \"card/list\", {}, 60000)[1].error')")
        editor.await_text("Dear all ;;gsfp")


class Recipe(NeovimCase):
    """With the command of an accepted item run by CompleteDone."""

    def test_a_completion_and_undo(self):
        editor = self.start()
        self.accept(editor, "A 😀;;gsfp.tax")
        editor.await_text(f"Dear all 😀{TAX_ID}")
        editor.type("<Esc>u")
        editor.await_text("Dear all")

    def test_a_leaving_the_menu_inserts_nothing(self):
        self.leave(self.start())

    def test_a_one_server_for_all_buffers(self):
        editor = self.start()
        editor.type(":set filetype=mail<CR>:edit " + str(self.surroundings.home / "another.txt") + "<CR>:set filetype=text<CR>")
        eventually(lambda: editor.eval("luaeval('#vim.lsp.buf_get_clients()')") == "1", editor.terminal.screen)
        self.assertEqual(len(self.surroundings.relays()), 1)
        self.accept(editor, "A;;gsfp.tax")
        editor.await_text(TAX_ID)

    def test_a_the_menu_of_a_locked_vault_asks_for_no_password_in_this_terminal(self):
        editor = self.start()
        self.surroundings.call("session/lock")
        self.open_menu(editor, "A ;;gsfp")
        editor.terminal.await_screen("Unlock QuickVault…")
        editor.type("<C-n><C-y>")
        editor.terminal.await_screen("Run qv clients allow in a terminal")
        editor.type("<CR><Esc>")
        # A pinentry would take some of the keys.
        editor.terminal.type("o", "correct horse battery staple")
        editor.await_text("Dear all ;;gsfp|correct horse battery staple")

    def test_a_a_concealed_field_asks(self):
        editor = self.start()
        self.accept(editor, "A ;;gsfp.pin")
        editor.answer("Insert 公司发票 · PIN", "2<CR>")
        editor.await_text(f"Dear all {PIN}")

    def test_a_refusal_keeps_the_text(self):
        editor = self.start()
        self.accept(editor, "A ;;gsfp.pin")
        editor.answer("Insert 公司发票 · PIN", "1<CR><Esc>")
        editor.await_text("Dear all ;;gsfp.pin")

    def test_a_typing_between_the_command_and_its_edit_inserts_nothing(self):
        editor = self.start()
        self.open_menu(editor, "A ;;gsfp.tax")
        server = self.surroundings.relays()
        for process in server:
            os.kill(process, signal.SIGSTOP)
        editor.type("<C-n><C-y>, and more")
        editor.await_text("Dear all ;;gsfp.tax, and more")
        for process in server:
            os.kill(process, signal.SIGCONT)
        eventually(lambda: "newer than edits" in editor.eval("execute('messages')"), lambda: editor.eval("execute('messages')"))
        self.assertEqual(editor.text(), "Dear all ;;gsfp.tax, and more")

    def test_a_a_changed_place_is_an_error_in_words(self):
        editor = self.start()
        editor.type("A ;;gsfp.tax<Esc>")
        editor.await_text("Dear all ;;gsfp.tax")
        arguments = editor.eval(
            "luaeval('vim.json.encode(vim.lsp.buf_request_sync(0, \"textDocument/completion\", "
            "{textDocument = vim.lsp.util.make_text_document_params(), position = {line = 0, character = 19}}, 60000)[1]"
            ".result.items[1].command.arguments)')")
        editor.type("0iTo: <Esc>")
        editor.await_text("To: Dear all ;;gsfp.tax")
        editor.type(f":lua vim.lsp.buf.execute_command({{command = 'quickvault.insert', arguments = vim.json.decode([==[{arguments}]==])}})<CR>")
        editor.terminal.await_screen("The text has changed since")
        self.assertEqual(editor.text(), "To: Dear all ;;gsfp.tax")

    def test_a_two_words_and_several_lines(self):
        editor = self.start()
        self.accept(editor, "A ;;gsfp.tax")
        editor.await_text(f"Dear all {TAX_ID}")
        self.accept(editor, "<Esc>A ;;meet")
        editor.await_text(f"Dear all {TAX_ID} first line|second line")


class WithoutRecipe(NeovimCase):
    """The omnifunc alone: a marker is replaced after consent."""

    def test_a_a_marker_is_replaced(self):
        editor = self.start(bare_configuration())
        self.accept(editor, "A ;;gsfp.tax")
        editor.answer("Insert 公司发票 · Tax ID", "2<CR>")
        editor.await_text(f"Dear all {TAX_ID}")
        # The question ended the insertion: the first undo gives the marker back, which is asked for only once.
        editor.type("<Esc>u")
        editor.await_text("Dear all ;;gsfp.tax公司发票 · Tax ID⟨1⟩")
        editor.type("u")
        editor.await_text("Dear all")

    def test_a_leaving_the_menu_inserts_nothing(self):
        self.leave(self.start(bare_configuration()))

    def test_a_refusal_removes_the_marker(self):
        editor = self.start(bare_configuration())
        self.accept(editor, "A ;;gsfp.pin")
        editor.answer("Insert 公司发票 · PIN", "1<CR><Esc>")
        editor.await_text("Dear all ;;gsfp.pin")


class Actions(NeovimCase):
    def test_a_a_word_in_normal_mode(self):
        editor = self.start()
        editor.type("A ;;gsfp.tax<Esc>")
        editor.await_text("Dear all ;;gsfp.tax")
        editor.type(":lua vim.lsp.buf.code_action()<CR>")
        editor.answer("Insert 公司发票 · Tax ID", "1<CR>")
        editor.await_text(f"Dear all {TAX_ID}")

    def test_a_a_placeholder_is_filled(self):
        editor = self.start()
        self.surroundings.call("card/list")
        editor.type("A {{qv:公司发票.税号}}<Esc>0")
        editor.await_text("Dear all {{qv:公司发票.税号}}")
        action = (
            "luaeval('vim.lsp.buf_request_sync(0, \"textDocument/codeAction\", vim.tbl_extend(\"force\", "
            "vim.lsp.util.make_range_params(), {context = {diagnostics = {}}}), 60000)[1].result[1].title')")
        self.assertEqual(editor.eval(action), "Fill in 公司发票.税号")
        editor.type(":lua vim.lsp.buf.code_action()<CR>")
        editor.answer("Fill in 公司发票.税号", "1<CR>")
        editor.await_text(f"Dear all {TAX_ID}")


if __name__ == "__main__":
    unittest.main()
