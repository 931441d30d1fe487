import CWeb
import Glibc

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
