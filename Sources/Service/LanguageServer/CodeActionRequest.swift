package import Wire

/// `textDocument/codeAction` (LSP 3.17): what can be done where the cursor stands.
package struct CodeActionRequest: RequestType {
  package static let method = "textDocument/codeAction"
  package typealias Response = JSON

  package let uri: String
  package let range: DocumentRange
  /// Whether the client wants actions of this kind.
  package let wantsActions: Bool
  /// Whether the user asked for actions; false if the client asks by itself, such as at each move of the cursor.
  package let isInvoked: Bool

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    defer { parameters.ignoreRest() }
    uri = try parameters.documentURI()
    range = try parameters.required("range")
    let context: JSON? = try parameters.optional("context")
    isInvoked = context?["triggerKind"]?.integer != Self.automatic
    guard case .array(let kinds) = context?["only"] else {
      wantsActions = true
      return
    }
    wantsActions = kinds.compactMap(\.string).contains { kind in
      CodeAction.kind == kind || kind.isEmpty || CodeAction.kind.hasPrefix(kind + ".")
    }
  }

  /// `CodeActionTriggerKind.Automatic` (LSP 3.17).
  private static let automatic = 2
}

/// An entry of the answer to ``CodeActionRequest`` (LSP 3.17, `CodeAction`).
package struct CodeAction: Sendable {
  package static let kind = "refactor.rewrite"

  private let title: String
  private let command: JSON

  package init(_ title: String, _ command: VaultCommand) {
    self.title = title
    self.command = command.json(title: title)
  }

  package init(_ title: String, opening command: VaultCommand.Name) {
    self.title = title
    self.command = ["title": .string(title), "command": .string(command.rawValue)]
  }

  /// - Parameter takesActions: whether the client knows more than commands.
  package func json(takesActions: Bool) -> JSON {
    takesActions ? ["title": .string(title), "kind": .string(Self.kind), "command": command] : command
  }
}
