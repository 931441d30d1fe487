/// An editor that has a client of its own.
enum TextEditor: CaseIterable {
  case emacs, vim, neovim

  var name: String {
    switch self {
    case .emacs: "Emacs"
    case .vim: "Vim"
    case .neovim: "Neovim"
    }
  }

  var program: String {
    switch self {
    case .emacs: "emacs"
    case .vim: "vim"
    case .neovim: "nvim"
    }
  }

  /// The works that are measured in the editor.
  var works: (unlock: Work, key: Work, allRows: Work) {
    switch self {
    case .emacs: (.emacsUnlock, .emacsKey, .emacsAllRows)
    case .vim: (.vimUnlock, .vimKey, .vimAllRows)
    case .neovim: (.neovimUnlock, .neovimKey, .neovimAllRows)
    }
  }

  /// The version; nil if the editor is not installed.
  var version: String? {
    try? output(of: program, ["--version"])
  }

  /// The directory of the client in the project.
  var client: String {
    self == .emacs ? "clients/emacs" : "clients/vim"
  }

  /// The arguments that start the editor in a terminal, without a user's configuration, to measure its client.
  ///
  /// - Parameters:
  ///   - scripts: the directory of the scripts that measure.
  ///   - client: the directory of the client.
  func arguments(scripts: String, client: String) -> [String] {
    switch self {
    case .emacs: ["-nw", "-Q", "-L", client, "-l", scripts + "/measure.el"]
    case .vim, .neovim: ["-i", "NONE", "-u", scripts + "/measure.vim"]
    }
  }
}
