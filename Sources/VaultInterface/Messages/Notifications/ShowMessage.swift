package import Wire

/// `window/showMessage`: a short message that a client shows for 2 seconds (R19).
package struct ShowMessage: VaultNotification, Hashable {
  package static let method = "window/showMessage"

  /// The MessageType of LSP 3.17.
  package enum Severity: Int, JSONCodable {
    case error = 1
    case information = 3

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Severity {
      guard let severity = Severity(rawValue: try Int.read(value, at: path)) else {
        throw ParameterError(path, .integer)
      }
      return severity
    }

    package var json: JSON { .integer(rawValue) }
  }

  package var severity: Severity
  /// The event, such as `card.created`, or an error's kind.
  package var kind: String
  package var message: LocalizedMessage

  package static let coder = ObjectCoder(
    Self.init, .required("type", \.severity), .required("kind", \.kind), .members(\.message))
}

extension ShowMessage {
  package init(_ severity: Severity, kind: String, message: Localized, language: Language) {
    self.init(severity: severity, kind: kind, message: LocalizedMessage(message, in: language))
  }
}
