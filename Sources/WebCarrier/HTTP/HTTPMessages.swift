import HelperProtocols

/// A request of HTTP.
struct HTTPRequest {
  var method: String
  var url: String
  var headers: [String] = []
  var body: [UInt8]?
  static let defaultLimit = 65_536
  /// The longest response, in bytes.
  var limit = defaultLimit
}

/// A response of HTTP, whatever its status.
struct HTTPResponse {
  var status: Int
  var body: [UInt8]
  var head = ResponseHeader()

  /// What a status means that was not expected.
  var error: CarrierError {
    switch status {
    case 401 where head.takesOnlyDigest: .digestOnly
    case 401, 403: .refused
    case 408: .timedOut
    case 423: .locked
    case 429: .rateLimited(retryAfter: head.retryAfter)
    case 503 where head.retryAfter != nil || isBlocked: .rateLimited(retryAfter: head.retryAfter)
    case 507: .noQuota
    case 501, 505: .wrongServer
    case 500...: .serverFailed(status)
    default: .wrongServer
    }
  }

  /// Whether a server says in its own words that there were too many requests, as Nutstore does.
  private var isBlocked: Bool { body.firstRange(of: Array("BlockedTemporarily".utf8)) != nil }
}

/// How long a server may take.
package struct HTTPTimeouts: Sendable {
  /// Until there is a connection, and how long nothing may move, in seconds.
  var stall: Int
  /// For a whole transfer, in seconds, plus one second for each 16 KiB moved.
  var total: Int

  package init(stall: Int) {
    (self.stall, total) = (stall, 4 * stall)
  }
}
