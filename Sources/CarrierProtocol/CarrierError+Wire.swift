package import JSON
package import JSONRPC

extension CarrierError {
  /// The code and the kind on the wire.
  package var wire: (code: Int, kind: String) {
    switch self {
    case .offline: (2201, "carrier.offline")
    case .nameNotFound: (2202, "carrier.nameNotFound")
    case .unreachable: (2203, "carrier.unreachable")
    case .certificate: (2204, "carrier.certificate")
    case .clockWrong: (2205, "carrier.clockWrong")
    case .refused: (2206, "carrier.refused")
    case .wrongServer: (2207, "carrier.wrongServer")
    case .redirected: (2208, "carrier.redirected")
    case .noQuota: (2209, "carrier.noQuota")
    case .rateLimited: (2210, "carrier.rateLimited")
    case .timedOut: (2211, "carrier.timedOut")
    case .interrupted: (2212, "carrier.interrupted")
    case .serverFailed: (2213, "carrier.serverFailed")
    case .cancelled: (-32800, "carrier.cancelled")
    case .folder: (2214, "carrier.folder")
    case .folderInUse: (2215, "carrier.folderInUse")
    case .signInAgain: (2216, "carrier.signInAgain")
    case .signInRefused: (2217, "carrier.signInRefused")
    case .signInExpired: (2218, "carrier.signInExpired")
    case .providerError: (2219, "carrier.providerError")
    case .certificateFile: (2220, "carrier.certificateFile")
    }
  }

  /// One error of each kind.
  package static let examples: [CarrierError] = [
    .offline, .nameNotFound, .unreachable, .certificate, .clockWrong, .refused, .wrongServer, .redirected,
    .noQuota, .rateLimited(retryAfter: 30), .rateLimited(retryAfter: nil), .timedOut, .interrupted,
    .serverFailed(500), .cancelled, .folder(2), .folderInUse, .signInAgain, .signInRefused, .signInExpired,
    .providerError(ProviderText("unknown client")), .certificateFile(2),
  ]

  /// The kind, what belongs to it, and the message in both languages.
  package var json: JSON {
    var members: [JSON.Member] = [.init("kind", .string(kind))]
    switch self {
    case .rateLimited(let seconds?): members.append(.init("retryAfterSeconds", .integer(seconds)))
    case .serverFailed(let status): members.append(.init("status", .integer(status)))
    case .folder(let number), .certificateFile(let number):
      members.append(.init("errno", .integer(Int(number))))
    case .providerError(let provider): members.append(.init("text", .string(provider.text)))
    default: break
    }
    let texts: JSON = ["en": .string(message.english), "zh-Hans": .string(message.chinese)]
    return .object(members + [.init("messages", texts)])
  }

  package var response: ResponseError {
    ResponseError(code: wire.code, message: message.english, data: json)
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
