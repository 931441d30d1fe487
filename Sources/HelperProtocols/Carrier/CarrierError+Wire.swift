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
    .tooLarge(1_500_000), .forbidden, .locked, .listIncomplete, .digestOnly, .renameRefused(502),
    .overwriteHost,
  ]

  /// The words of the message, the same in both languages.
  package var words: [String: String] {
    switch self {
    case .rateLimited(let seconds?): ["seconds": "\(seconds)"]
    case .serverFailed(let status), .renameRefused(let status): ["status": "\(status)"]
    case .tooLarge(let size): ["size": Self.megabytes(size)]
    case .folder(let number), .certificateFile(let number):
      unsafe ["cause": String(cString: strerror(number))]
    case .providerError(let provider): ["text": provider.text]
    default: [:]
    }
  }

  /// A size with one digit after the point, rounded up.
  private static func megabytes(_ size: Int) -> String {
    let tenths = size / 100_000 + (size % 100_000 > 0 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
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
    case .serverFailed(let status), .renameRefused(let status): [.init("status", .integer(status))]
    case .tooLarge(let size): [.init("size", .integer(size))]
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
  package init?(_ response: ResponseError) { self.init(response.data) }

  /// Reads ``json``; nil for anything else.
  package init?(_ data: JSON?) {
    let kind = data?["kind"]?.string
    guard let example = Self.examples.first(where: { $0.kind == kind }) else { return nil }
    switch example {
    case .rateLimited: self = .rateLimited(retryAfter: data?["retryAfterSeconds"]?.integer)
    case .serverFailed: self = .serverFailed(data?["status"]?.integer ?? 500)
    case .renameRefused: self = .renameRefused(data?["status"]?.integer ?? 500)
    case .tooLarge: self = .tooLarge(data?["size"]?.integer ?? 0)
    case .folder: self = .folder(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .certificateFile: self = .certificateFile(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .providerError: self = .providerError(ProviderText(data?["text"]?.string ?? ""))
    default: self = example
    }
  }
}

extension CarrierError: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    guard let error = Self(value) else { throw ParameterError(path, .object) }
    return error
  }
}
