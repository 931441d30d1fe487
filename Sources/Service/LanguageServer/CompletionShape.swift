/// How a completion item must look so that accepting it in a client leads to the command that inserts a value.
///
/// No one shape works in all clients: some run an item's command, others do not; some show only items that begin with
/// what was typed, others ask the filter text. `protocol/EDITORS.md` lists the tested clients.
package enum CompletionShape: String, Sendable, CaseIterable {
  /// The item leaves the text as it is and has a command, which the client runs when the item is accepted.
  case command
  /// The same without a filter text: the client matches what the item would insert.
  case bareCommand
  /// The item appends a marker, which the server replaces after the user's consent: the client runs no command.
  case marker
  /// No items: the client's code actions do the same.
  case none

  /// The shape for a client.
  ///
  /// - Parameters:
  ///   - wanted: the client's `initializationOptions.quickvault.completion`; it wins.
  ///   - client: `clientInfo.name`.
  ///   - hasSnippets: whether the client declares `completionItem.snippetSupport`.
  package init(wanted: String?, client: String?, hasSnippets: Bool) {
    if let wanted = wanted.flatMap(CompletionShape.init) {
      self = wanted
      return
    }
    switch client {
    // Neovim 0.7.2: its omnifunc runs no command and declares no snippets; nvim-cmp (2023-06) does both.
    case "Neovim": self = hasSnippets ? .command : .marker
    // Eglot 1.9 gives no name and later ones this: its completion at point runs no command.
    case nil, "Eglot": self = .none
    default: self = .command
    }
  }
}
