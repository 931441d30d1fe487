import CWeb
import Glibc
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

/// What is used of the header of a response.
struct ResponseHeader {
  private(set) var status = 0
  private var retry: String?
  private var date: String?
  private var challenges: [String] = []
  private var links: [String] = []

  /// Takes a line. A status line begins a new header.
  mutating func add(_ line: String) {
    if line.hasPrefix("HTTP/") {
      self = ResponseHeader()
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
      return
    }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return }
    let value = parts[1].drop(while: \.isWhitespace)
    let text = String(value.prefix { !$0.isNewline })
    switch parts[0].lowercased() {
    case "retry-after": retry = text
    case "date": date = text
    case "www-authenticate": challenges.append(text.lowercased())
    case "link": links.append(text)
    default: break
    }
  }

  /// The seconds of the header `Retry-After`, which may be a date: it is compared with the server's own clock. Nil for none.
  var retryAfter: Int? {
    guard let retry else { return nil }
    let digits = retry.filter { !$0.isWhitespace }
    if digits.allSatisfy(\.isASCIINumber) { return Int(digits) }
    guard let end = Self.time(retry) else { return nil }
    return max(end - (date.flatMap(Self.time) ?? Glibc.time(nil)), 0)
  }

  private static func time(_ text: String) -> Int? {
    let time = unsafe curl_getdate(text, nil)
    return time >= 0 ? time : nil
  }

  /// Whether it asks for a sign-in by HTTP Digest authentication (RFC 7616), and for no other that is known here.
  var takesOnlyDigest: Bool {
    func offers(_ scheme: String) -> Bool {
      challenges.contains { $0.hasPrefix(scheme) || $0.contains(", \(scheme)") }
    }
    return offers("digest ") && !offers("basic") && !offers("bearer")
  }

  /// The reference to the next page of a list (RFC 8288).
  var next: String? {
    for link in links {
      var rest = link[...]
      while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
        let reference = rest[rest.index(after: start)..<end]
        rest = rest[rest.index(after: end)...]
        let parameters = rest.prefix { $0 != "<" }.lowercased().filter { $0 != " " && $0 != "\"" }
        if parameters.split(whereSeparator: { $0 == ";" || $0 == "," }).contains("rel=next") {
          return String(reference)
        }
      }
    }
    return nil
  }
}

extension Character {
  fileprivate var isASCIINumber: Bool { ("0"..."9").contains(self) }
}

/// The credentials of a request.
///
/// The secret is in the memory of this process and of libcurl, never in an argument, the environment, a log or an error.
package enum Credentials: Sendable {
  /// HTTP Basic authentication (RFC 7617), such as with an app password.
  case password(user: String, password: String)
  /// An access token (RFC 6750).
  case token(String)
}

extension Credentials: Redacted {}

/// A point in time, which a wrong clock or a sleep does not move.
struct Deadline {
  private let end: Int

  /// - Parameter seconds: from now.
  init(_ seconds: Int) {
    end = Self.now() + seconds
  }

  var secondsLeft: Int { max(end - Self.now(), 0) }

  /// How long ago it was.
  var secondsPassed: Int { max(Self.now() - end, 0) }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec
  }
}

enum Network {
  /// Returns whether this machine has an address besides its own loopback.
  static func isConnected() -> Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return true }
    defer { unsafe freeifaddrs(first) }
    var next = unsafe first
    while let entry = unsafe next {
      let family = unsafe entry.pointee.ifa_addr.map { unsafe Int32($0.pointee.sa_family) }
      let isLoopback = unsafe entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      if !isLoopback, family == AF_INET || family == AF_INET6 { return true }
      unsafe next = entry.pointee.ifa_next
    }
    return false
  }
}
