package import HelperProtocols

/// A collection on a WebDAV server (RFC 4918), and what is beneath it.
///
/// Names are relative, of characters that need no percent-encoding. Requests that may succeed in a moment are repeated.
struct WebFolder {
  private let client: HTTPClient
  var retry: Retry

  init(_ client: HTTPClient, _ retry: Retry) {
    (self.client, self.retry) = (client, retry)
  }

  var address: WebAddress { client.address }

  private static let properties = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getetag/><getlastmodified/></prop></propfind>
    """.utf8)

  /// Returns the members of a collection; nil if there is none of this name. A list that comes in pages (RFC 8288) is read to its end.
  func members(of name: String) throws(CarrierError) -> [Multistatus.Member]? {
    let url = client.address.url(name.isEmpty ? "" : name + "/")
    guard let path = WebAddress.components(of: url) else { throw .wrongServer }
    var (members, pages, next) = ([Multistatus.Member](), Set<String>(), url as String?)
    while let page = next {
      guard pages.insert(page).inserted, members.count <= Multistatus.longest else { throw .listIncomplete }
      let response = try request(
        HTTPRequest(
          method: "PROPFIND", url: page, headers: ["Depth: 1", "Content-Type: application/xml"],
          body: Self.properties, limit: 67_108_864), accepting: [207, 404])
      guard response.status == 207 else {
        if members.isEmpty { return nil }
        throw .listIncomplete
      }
      members += try Multistatus(response.body, of: path).members
      next = try response.head.next.map { (reference) throws(CarrierError) in
        guard let page = client.address.url(reference, in: page) else { throw .listIncomplete }
        return page
      }
    }
    return members
  }

  /// Returns the bytes of a file; nil if there is none.
  ///
  /// - Parameter limit: the longest file, in bytes.
  func read(_ name: String, limit: Int) throws(CarrierError) -> [UInt8]? {
    let response = try request(
      HTTPRequest(method: "GET", url: client.address.url(name), limit: limit), accepting: [200, 404, 410])
    return response.status == 200 ? response.body : nil
  }

  /// Makes a collection, if there is none.
  func makeCollection(_ name: String) throws(CarrierError) {
    // 405: there is one.
    _ = try request(
      HTTPRequest(method: "MKCOL", url: client.address.url(name.isEmpty ? "" : name + "/")),
      accepting: [200, 201, 405])
  }

  func remove(_ name: String) throws(CarrierError) {
    _ = try request(
      HTTPRequest(method: "DELETE", url: client.address.url(name)), accepting: [200, 202, 204, 404, 410])
  }

  private func request(
    _ request: HTTPRequest, accepting statuses: Set<Int>
  ) throws(CarrierError) -> HTTPResponse {
    try retry.run { () throws(CarrierError) in try send(request, accepting: statuses) }
  }

  /// Sends a request once.
  func send(_ request: HTTPRequest, accepting statuses: Set<Int>) throws(CarrierError) -> HTTPResponse {
    let response = try client.send(request)
    guard !statuses.contains(response.status) else { return response }
    // A list shows whether the sign-in is accepted.
    if response.status == 403, request.method != "PROPFIND" { throw .forbidden }
    if response.status == 413 { throw .tooLarge(request.body?.count ?? 0) }
    throw response.error
  }
}

/// Retries requests after transient errors.
package struct Retry {
  private let attempts: Int
  private let wait: (_ seconds: Int) throws(CarrierError) -> Void

  /// - Parameters:
  ///   - attempts: how often a request is made at most.
  ///   - wait: waits, or throws ``CarrierError/cancelled``.
  package init(attempts: Int, wait: @escaping (_ seconds: Int) throws(CarrierError) -> Void) {
    (self.attempts, self.wait) = (attempts, wait)
  }

  /// The same without repetitions.
  var once: Retry { Retry(attempts: 1, wait: wait) }

  /// The longest time to wait for a server that asks for it, in seconds.
  private static let longest = 60

  /// Runs `body` until it succeeds, with 1, 2, 4 … seconds between, or as many as the server asks for.
  ///
  /// - Throws: what `body` threw last, or at once if it was for good or the server asks for more than a minute.
  package func run<Result>(_ body: () throws(CarrierError) -> Result) throws(CarrierError) -> Result {
    for attempt in 1..<max(attempts, 1) {
      do {
        return try body()
      } catch {
        guard error.isTransient else { throw error }
        var seconds = 1 << min(attempt - 1, 5)
        if case .rateLimited(let after?) = error { seconds = max(seconds, after) }
        guard seconds <= Self.longest else { throw error }
        try wait(seconds)
      }
    }
    return try body()
  }
}
