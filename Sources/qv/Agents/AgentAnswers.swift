import Wire

/// What the server adds to its answers.
extension AgentServer {
  static let serverInfo: JSON = [
    "name": "quickvault", "title": "QuickVault", "version": .string(CommandLineProgram.version),
  ]

  static let discovery: JSON = [
    "supportedVersions": [.string(statelessVersion)], "capabilities": ["tools": [:]],
    "instructions": .string(AgentTool.instructions),
  ]

  static func complete(_ result: JSON) -> JSON {
    let kind: [JSON.Member] = result["resultType"] == nil ? [.init("resultType", "complete")] : []
    return .object(result.members + kind + [.init("_meta", [metadata + "serverInfo": serverInfo])])
  }

  static func cacheable(_ result: JSON) -> JSON {
    .object(result.members + [.init("ttlMs", 0), .init("cacheScope", "private")])
  }
}

extension ResponseError {
  static func invalidRequest(_ reason: String) -> ResponseError {
    ResponseError(code: -32_600, message: "Invalid request: \(reason)")
  }

  static func invalidParameters(_ reason: String) -> ResponseError {
    ResponseError(code: -32_602, message: "Invalid parameters: \(reason)")
  }
}

/// What the client has to answer before a tool can run, by the version without a conversation.
struct InputRequired: Error {
  let requests: JSON
}

/// Why a tool has done nothing, for the agent.
struct ToolError: Error {
  let text: String

  init(_ text: String) { self.text = text }

  static let noVault = ToolError("There is no vault yet. The person can make one with qv init.")

  /// The error of the vault in words that name nothing of a card.
  init(_ error: RequestError) {
    let seconds = error.data["retryAfterSeconds"]?.integer ?? 60
    text =
      switch error.kind {
      case "vault.locked", "vault.changed":
        "The vault is locked. Ask the person to unlock it, with qv unlock in a terminal of their own or in their editor, and then try again."
      case "auth.nobodyToAsk":
        "Nobody answered, or can be asked. Ask the person to run: qv clients allow in another terminal, or to unlock the vault in their editor or on a display; then try again."
      case "auth.admissionRefused": "The person or a setting refuses this. Do not ask again."
      case "auth.askedTooOften", "auth.tooManyLocks":
        "That was too often. Try again in \(seconds) s at the earliest."
      case "card.notFound": "There is no such card. find_cards shows the titles."
      case "card.ambiguous": "Several cards have this title. Use the id that find_cards shows."
      case "card.fieldNotFound": "The card has no such field. find_cards shows the names of its fields."
      case "card.invalid": "A card cannot be made of this text: a required part is missing or wrong."
      case "rpc.invalidParameters": "This is too long or too much."
      default: "QuickVault could not do that (\(error.kind))."
      }
  }
}
