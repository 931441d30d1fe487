public import JSON
public import JSONRPC
public import VaultModel

/// `window/showMessage`: a short notification that a client shows and lets go after 2 seconds (R19).
public struct ShowMessage: OutgoingNotification {
  /// The notification's name.
  public static let method = "window/showMessage"

  /// How it is meant, numbered as language servers number it (LSP 3.17, MessageType).
  public enum Severity: Int, Sendable {
    /// Something failed.
    case error = 1
    /// Something was done.
    case information = 3
  }

  /// How it is meant.
  public var severity: Severity
  /// What happened, such as `card.created` or an error's kind.
  public var kind: String
  /// One sentence for a person.
  public var message: Localized
  /// The language of the conversation.
  public var language: Language

  /// A notification of the given parts.
  public init(_ severity: Severity, kind: String, message: Localized, language: Language) {
    self.severity = severity
    self.kind = kind
    self.message = message
    self.language = language
  }

  /// The notification on the wire.
  public var json: JSON {
    [
      "type": .integer(severity.rawValue),
      "kind": .string(kind),
      "message": .string(message[language]),
      "messages": message.json,
    ]
  }
}
