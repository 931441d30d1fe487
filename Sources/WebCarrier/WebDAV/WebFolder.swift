import HelperProtocols

/// A collection on a WebDAV server (RFC 4918), and what is beneath it.
///
/// Names are relative, of characters that need no percent-encoding. Requests that may succeed in a moment are repeated.
struct WebFolder {
  private let client: HTTPClient
  private let retry: Retry

  init(_ client: HTTPClient, _ retry: Retry) {
    (self.client, self.retry) = (client, retry)
  }

  private static let properties = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/></prop></propfind>
    """.utf8)

  /// Returns the members of a collection; nil if there is none of this name.
  func members(of name: String) throws(CarrierError) -> [Multistatus.Member]? {
    let url = client.address.url(name.isEmpty ? "" : name + "/")
    let response = try request(
      HTTPRequest(
        method: "PROPFIND", url: url, headers: ["Depth: 1", "Content-Type: application/xml"],
        body: Self.properties, limit: 67_108_864), accepting: [207, 404])
    guard response.status == 207 else { return nil }
    guard let path = WebAddress.components(of: url) else { throw .wrongServer }
    return try Multistatus(response.body, of: path).members
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

  /// Writes a file that is complete as soon as it has its name: it is written under another one, read again, and moved.
  ///
  /// - Parameter temporary: another name in the same collection, which this replaces.
  /// - Returns: whether the file is there. Another one of its name is not replaced.
  func write(_ bytes: [UInt8], _ name: String, temporary: String) throws(CarrierError) -> Bool {
    // Some servers keep a truncated file when an upload is cut off, and say nothing.
    try retry.run { () throws(CarrierError) in
      let put = HTTPRequest(method: "PUT", url: client.address.url(temporary), body: bytes)
      let status = try send(put, accepting: [200, 201, 204, 404, 405]).status
      // There is a server, but it cannot write: rclone answers so when its disk is full.
      if status == 404 || status == 405 { throw .serverFailed(status) }
      let get = HTTPRequest(method: "GET", url: client.address.url(temporary), limit: bytes.count)
      guard try send(get, accepting: [200, 404]).body == bytes else { throw .interrupted }
    }
    let move = HTTPRequest(
      method: "MOVE", url: client.address.url(temporary),
      headers: ["Destination: \(client.address.url(name))", "Overwrite: F"])
    let status = try request(move, accepting: [201, 204, 403, 404, 409, 412]).status
    if status == 201 || status == 204 { return true }
    // The answer to an earlier request may have been lost, or another machine was faster.
    if let present = try read(name, limit: max(bytes.count, 1)) {
      try remove(temporary)
      return present == bytes
    }
    throw status == 403 ? .refused : .wrongServer
  }

  private func request(_ request: HTTPRequest, accepting statuses: Set<Int>) throws(CarrierError)
    -> HTTPResponse
  {
    try retry.run { () throws(CarrierError) in try send(request, accepting: statuses) }
  }

  private func send(_ request: HTTPRequest, accepting statuses: Set<Int>) throws(CarrierError) -> HTTPResponse
  {
    let response = try client.send(request)
    guard statuses.contains(response.status) else { throw response.error }
    return response
  }
}
