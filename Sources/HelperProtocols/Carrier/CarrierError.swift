import Glibc
package import Wire

/// Why files could not be mirrored, or a sign-in failed.
package enum CarrierError: Error, Hashable, Sendable {
  /// This machine has no network.
  case offline
  case nameNotFound
  /// Nothing answers at the address.
  case unreachable
  /// The server's certificate is not valid for it.
  case certificate
  /// The server's certificate begins in the future.
  case clockWrong
  /// The server did not accept the password or token, or does not allow the request.
  case refused
  /// The server does not speak the protocol as it should, or there is nothing at the address.
  case wrongServer
  /// The server sent on to another one.
  case redirected
  case noQuota
  /// The server wants fewer requests.
  case rateLimited(retryAfter: Int?)
  /// The server sent or took nothing for too long.
  case timedOut
  /// The connection ended too early, or what arrived was not what was sent.
  case interrupted
  /// An error of the server, with its HTTP status.
  case serverFailed(Int)
  case cancelled
  /// The folder cannot be read or written: an error number (errno(3)).
  case folder(Int32)
  /// Another process mirrors the folder.
  case folderInUse
  /// The provider no longer accepts the sign-in.
  case signInAgain
  /// The person, or the provider, refused the sign-in.
  case signInRefused
  /// Nobody signed in in time.
  case signInExpired
  /// The provider's own words for another error, bounded and without control characters.
  case providerError(ProviderText)
  /// The file of certificates cannot be read, or has none: an error number (errno(3)).
  case certificateFile(Int32)
  /// The server does not take files of this size, in bytes.
  case tooLarge(Int)
  /// The server accepts the sign-in, but does not let a file be written or removed.
  case forbidden
  /// Somebody has locked a file on the server, such as an upload that was cut off.
  case locked
  /// The server's list of a folder leaves out files that are there.
  case listIncomplete
  /// The server takes only sign-ins by HTTP Digest authentication.
  case digestOnly
  /// The server cannot rename files, with its HTTP status.
  case renameRefused(Int)
  /// The server names itself by addresses of another server, or without TLS.
  case overwriteHost

  /// Whether the same request may succeed in a moment.
  package var isTransient: Bool {
    switch self {
    case .timedOut, .interrupted, .serverFailed, .locked, .rateLimited(.some): true
    default: false
    }
  }

  /// Whether another file may be carried nevertheless.
  package var concernsOneFile: Bool {
    switch self {
    case .tooLarge, .forbidden, .locked, .noQuota, .wrongServer, .interrupted, .timedOut, .serverFailed,
      .renameRefused:
      true
    default: false
    }
  }

  /// Whether the same request may succeed while somebody signs in, who may change the network meanwhile.
  package var isTransientForSignIn: Bool {
    switch self {
    case .offline, .nameNotFound, .unreachable, .rateLimited: true
    default: isTransient
    }
  }
}

/// What a provider says, for a person to read: one line of at most 200 characters without control characters.
package struct ProviderText: Hashable, Sendable {
  private static let longest = 200

  package let text: String

  package init(_ text: String) {
    let visible = text.unicodeScalars.prefix(4 * Self.longest).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
        Character(" ")
      default: Character(scalar)
      }
    }
    self.text = String(String(visible).split(separator: " ").joined(separator: " ").prefix(Self.longest))
  }
}

extension CarrierError {
  /// A name that never changes.
  package var kind: String { "carrier." + ErrorKind.caseName(self) }

  private var row: ErrorKind? { ErrorKind.named(kind) }

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
