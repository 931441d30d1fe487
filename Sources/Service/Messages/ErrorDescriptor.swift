import Vault
import VaultInterface
import Wire

/// An error as the protocol describes it (R17): a row of the catalogue, and the values of this error.
struct ErrorDescriptor: Sendable {
  /// The stable name in `data.kind`.
  let kind: String
  /// The number on the wire, which is never given to another error.
  let code: Int
  /// Whether only the answer carries it, without a notification to show.
  let isSilent: Bool
  private let row: ErrorKind?
  private let reason: String?
  private let words: [String: Localized]
  /// The error's data beyond the kind.
  private let data: @Sendable (Language) -> JSON

  /// - Parameters:
  ///   - data: its texts and numbers are also the words for the message.
  ///   - reason: what decides on the text; nil for the reason in the data.
  ///   - words: further words for the message.
  init(_ kind: String, _ data: JSON = [:], reason: String? = nil, words: [String: Localized] = [:]) {
    var words = words
    for member in data.members where words[member.name] == nil {
      words[member.name] = (member.value.string ?? member.value.integer.map(String.init))
        .map { Localized(verbatim: $0) }
    }
    self.init(kind, reason: reason ?? data["reason"]?.string, words: words) { _ in data }
  }

  /// An error whose data has texts for the user, and none of the words for the message.
  init(
    _ kind: String, reason: String? = nil, words: [String: Localized] = [:],
    localizedData: @escaping @Sendable (Language) -> JSON
  ) {
    (self.kind, self.reason, self.words, data) = (kind, reason, words, localizedData)
    row = ErrorKind.named(kind)
    // A test compares all errors with the catalogue.
    (code, isSilent) = (row?.code ?? ProtocolError.internalError.code, row?.isSilent ?? false)
  }

  /// One sentence for the user.
  var message: Localized {
    let words = words.mapValues { ($0.english, $0.simplifiedChinese) }
    let text: ErrorKind.Text = row?.message(reason: reason, words) ?? (kind, kind)
    return Localized(text.english, text.chinese)
  }

  /// The error for a client, its message in the client's language.
  func response(in language: Language) -> ResponseError {
    let message = message
    let members: [JSON.Member] = [.init("kind", .string(kind)), .init("messages", message.json)]
    return ResponseError(
      code: code, message: message[language], data: .object(members + data(language).members))
  }
}

/// An error that the protocol has a code for, beyond those of JSON-RPC.
protocol ApplicationError: Error {
  var descriptor: ErrorDescriptor { get }
}

/// An error without values, whose kind is the name of its area and its own.
protocol NamedError: ApplicationError, CaseIterable {
  static var area: String { get }
}

extension NamedError {
  var descriptor: ErrorDescriptor { ErrorDescriptor("\(Self.area).\(self)") }
}

extension ErrorDescriptor {
  /// The descriptor of an error that anything below threw.
  init(_ error: any Error) {
    self = (error as? any ApplicationError ?? VaultError(error)).descriptor
  }
}
