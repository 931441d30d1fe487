import Glibc
package import Wire

extension CarrierError {
  /// A name that never changes.
  package var kind: String { "carrier." + ErrorKind.caseName(self) }

  private var row: ErrorKind? { Self.kinds.first { $0.name == kind } }

  /// One error of each kind.
  package static let examples: [CarrierError] = [
    .offline, .nameNotFound, .unreachable, .certificate, .clockWrong, .refused, .wrongServer, .redirected,
    .noQuota, .rateLimited(retryAfter: 30), .rateLimited(retryAfter: nil), .timedOut, .interrupted,
    .serverFailed(500), .cancelled, .folder(2), .folderInUse, .signInAgain, .signInRefused, .signInExpired,
    .providerError(ProviderText("unknown client")), .certificateFile(2),
  ]

  /// The words of the message, the same in both languages.
  package var words: [String: String] {
    switch self {
    case .rateLimited(let seconds?): ["seconds": "\(seconds)"]
    case .serverFailed(let status): ["status": "\(status)"]
    case .folder(let number), .certificateFile(let number):
      unsafe ["cause": String(cString: strerror(number))]
    case .providerError(let provider): ["text": provider.text]
    default: [:]
    }
  }

  /// What decides on the message of the kind.
  package var reason: String? {
    if case .rateLimited(let seconds?) = self, seconds <= 86_400 { "seconds" } else { nil }
  }

  /// What happened, and what to do.
  package var message: CarrierText {
    let text: ErrorKind.Text = row?.message(reason: reason, words.mapValues { ($0, $0) }) ?? (kind, kind)
    return CarrierText(text.english, text.chinese)
  }

  /// What belongs to the kind.
  private var values: [JSON.Member] {
    switch self {
    case .rateLimited(let seconds?): [.init("retryAfterSeconds", .integer(seconds))]
    case .serverFailed(let status): [.init("status", .integer(status))]
    case .folder(let number), .certificateFile(let number): [.init("errno", .integer(Int(number)))]
    case .providerError(let provider): [.init("text", .string(provider.text))]
    default: []
    }
  }

  /// The kind, what belongs to it, and the message in both languages.
  package var json: JSON {
    let texts: JSON = ["en": .string(message.english), "zh-Hans": .string(message.chinese)]
    return .object([.init("kind", .string(kind))] + values + [.init("messages", texts)])
  }

  package var response: ResponseError {
    ResponseError(code: row?.code ?? 0, message: message.english, data: json)
  }

  /// Recognizes an error by the kind in its data; nil for one that is not of the carrier.
  package init?(_ response: ResponseError) {
    let (data, kind) = (response.data, response.data?["kind"]?.string)
    guard let example = Self.examples.first(where: { $0.kind == kind }) else { return nil }
    switch example {
    case .rateLimited: self = .rateLimited(retryAfter: data?["retryAfterSeconds"]?.integer)
    case .serverFailed: self = .serverFailed(data?["status"]?.integer ?? 500)
    case .folder: self = .folder(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .certificateFile: self = .certificateFile(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .providerError: self = .providerError(ProviderText(data?["text"]?.string ?? ""))
    default: self = example
    }
  }
}
