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
  /// The seconds of the header `Retry-After`; nil for none, and for a date.
  var retryAfter: Int?

  /// What a status means that was not expected.
  var error: CarrierError {
    switch status {
    case 401, 403: .refused
    case 408: .timedOut
    case 413, 507: .noQuota
    case 423: .serverFailed(423)
    case 429: .rateLimited(retryAfter: retryAfter)
    case 503 where retryAfter != nil: .rateLimited(retryAfter: retryAfter)
    case 501, 505: .wrongServer
    case 500...: .serverFailed(status)
    default: .wrongServer
    }
  }
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
