import VaultInterface
package import Wire

/// The properties of a language client, from its `initialize`.
package struct LanguageClient: Sendable, Hashable, JSONObject {
  /// `clientInfo.name`; nil if it gave none.
  package var name: String?
  package var encoding: PositionEncoding
  package var shape: CompletionShape
  /// The texts that begin a search, such as `;;`.
  package var triggers: [String]
  /// Whether edits name the version of the document, so that the client refuses one that came too late.
  package var takesVersions: Bool
  /// Whether code actions may be objects with a command, and not only commands.
  package var takesActions: Bool
  /// Whether the server may show progress that no request asked for.
  package var showsProgress: Bool
  /// Whether the client asked for `positionEncoding` in the answer (LSP 3.17).
  package var namesEncodings: Bool

  /// Whether the client shows the error of a command. Helix and Kate only log it.
  package var showsErrors: Bool { !["helix", "kate"].contains(name?.lowercased()) }

  /// `；；` is what a Chinese input method makes of `;;`.
  package static let defaultTriggers = [";;", "；；"]
  /// The longest trigger, in code points.
  private static let maximumTriggerLength = 8

  package static let coder = ObjectCoder(
    Self.init, .optional("name", \.name), .required("encoding", \.encoding), .required("shape", \.shape),
    .required("triggers", \.triggers), .required("takesVersions", \.takesVersions),
    .required("takesActions", \.takesActions), .required("showsProgress", \.showsProgress),
    .required("namesEncodings", \.namesEncodings))
}

extension LanguageClient {
  /// Reads the parameters of `initialize`; nil if the client does not speak the Language Server Protocol.
  package init?(initialize parameters: JSON?) {
    guard let capabilities = parameters?["capabilities"],
      let text = capabilities["textDocument"]?.unlessNull
    else { return nil }
    let options = parameters?["initializationOptions"]?["quickvault"]
    let offered = capabilities["general"]?["positionEncodings"].map(Self.strings) ?? []
    let name = parameters?["clientInfo"]?["name"]?.string?.asProgramName
    let edits = capabilities["workspace"]?["workspaceEdit"]
    self.init(
      name: name, encoding: PositionEncoding(offered: offered),
      shape: CompletionShape(
        wanted: options?["completion"]?.string, client: name,
        hasSnippets: text["completion"]?["completionItem"]?["snippetSupport"] == true),
      triggers: Self.triggers(options?["trigger"]),
      // Neovim 0.7 takes versions without saying so.
      takesVersions: edits?["documentChanges"] == true || name == "Neovim",
      takesActions: text["codeAction"]?["codeActionLiteralSupport"]?.unlessNull != nil,
      showsProgress: capabilities["window"]?["workDoneProgress"] == true, namesEncodings: !offered.isEmpty)
  }

  private static func triggers(_ option: JSON?) -> [String] {
    let wanted = option.map { option in option.string.map { [$0] } ?? strings(option) } ?? []
    let usable = wanted.filter { trigger in
      (1...maximumTriggerLength).contains(trigger.unicodeScalars.count)
        && !trigger.contains(where: \.isWhitespace)
    }
    return usable.isEmpty ? defaultTriggers : usable
  }

  private static func strings(_ value: JSON) -> [String] {
    guard case .array(let values) = value else { return [] }
    return values.compactMap(\.string)
  }
}

extension PositionEncoding: JSONCodable {}
extension CompletionShape: JSONCodable {}

extension LanguageClient {
  /// The `capabilities` of the answer to `initialize` (LSP 3.17, `ServerCapabilities`).
  ///
  /// - Parameter experimental: what the server says of itself beside them.
  package func capabilities(experimental: JSON) -> [String: JSON] {
    var capabilities: [String: JSON] = [
      // 1: each change brings the whole text, so that nothing of it need be kept over a lock.
      "textDocumentSync": ["openClose": true, "change": 1],
      "codeActionProvider": takesActions ? ["codeActionKinds": [.string(CodeAction.kind)]] : true,
      "executeCommandProvider": [
        "commands": .array(VaultCommand.Name.allCases.map { .string($0.rawValue) }), "workDoneProgress": true,
      ],
      "experimental": experimental,
    ]
    if shape != .none {
      let characters = Set(triggers.compactMap { $0.last.map(String.init) } + ["."]).sorted()
      capabilities["completionProvider"] = ["triggerCharacters": .array(characters.map(JSON.string))]
    }
    if namesEncodings { capabilities["positionEncoding"] = encoding.json }
    return capabilities
  }
}
