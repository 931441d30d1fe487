import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// An error as the protocol describes it (R17).
struct ErrorDescriptor: Sendable {
  /// The number on the wire, which is never given to another error.
  let code: Int
  /// The stable name in `data.kind`.
  let kind: String
  /// One sentence for the user.
  let message: Localized
  /// Whether only the answer carries it, without a notification to show.
  let isSilent: Bool
  /// The error's data beyond the kind.
  private let data: @Sendable (Language) -> KeyValuePairs<String, JSON>

  init(
    _ code: Int, _ kind: String, _ english: String, _ simplifiedChinese: String,
    _ data: KeyValuePairs<String, JSON> = [:], isSilent: Bool = false
  ) {
    self.init(code, kind, Localized(english, simplifiedChinese), data, isSilent: isSilent)
  }

  init(
    _ code: Int, _ kind: String, _ message: Localized, _ data: KeyValuePairs<String, JSON> = [:],
    isSilent: Bool = false
  ) {
    self.init(code, kind, message, isSilent: isSilent) { _ in data }
  }

  /// An error whose data has texts for the user.
  init(
    _ code: Int, _ kind: String, _ message: Localized, isSilent: Bool = false,
    localizedData: @escaping @Sendable (Language) -> KeyValuePairs<String, JSON>
  ) {
    (self.code, self.kind, self.message, self.isSilent) = (code, kind, message, isSilent)
    data = localizedData
  }

  /// The error for a client, its message in the client's language.
  func response(in language: Language) -> ResponseError {
    let members: [JSON.Member] = [.init("kind", .string(kind)), .init("messages", message.json)]
    let data = data(language).map { JSON.Member($0.key, $0.value) }
    return ResponseError(code: code, message: message[language], data: .object(members + data))
  }
}

/// An error that the protocol has a code for, beyond those of JSON-RPC.
protocol ApplicationError: Error {
  var descriptor: ErrorDescriptor { get }
}

extension ErrorDescriptor {
  /// The descriptor of an error that anything below threw.
  init(_ error: any Error) {
    self = (error as? any ApplicationError ?? VaultError(error)).descriptor
  }
}
