import Wire

/// A client that measures the time from sending a request to receiving its answer.
final class Client {
  /// A request with its header, ready to send.
  struct Request {
    let id: Int
    let bytes: [UInt8]

    init(id: Int, _ method: String, _ parameters: JSON? = nil) {
      var members: [JSON.Member] = [
        .init("jsonrpc", "2.0"), .init("id", .integer(id)), .init("method", .string(method)),
      ]
      if let parameters { members.append(.init("params", parameters)) }
      let body = JSON.object(members).utf8
      self.id = id
      bytes = Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// The usual beginning of the answer.
    fileprivate var usualAnswer: [UInt8] { Array(#"{"jsonrpc":"2.0","id":\#(id),"#.utf8) }
  }

  /// An answer and the nanoseconds from before the write of its request.
  struct Exchange {
    let nanoseconds: Int64
    let body: [UInt8]
  }

  private let peer: Peer
  private var frames = FrameBuffer()
  private var lastID = 0

  /// The process ID of the server.
  var process: Int32 { peer.process }

  init(_ peer: Peer) {
    self.peer = peer
  }

  /// Makes a request with a new ID.
  func request(_ method: String, _ parameters: JSON? = nil) -> Request {
    lastID += 1
    return Request(id: lastID, method, parameters)
  }

  /// Sends a request and does not wait for its answer.
  func send(_ request: Request) throws {
    try peer.write(request.bytes)
  }

  /// Sends a request and waits for its answer, which may be an error.
  func exchange(_ request: Request) throws -> Exchange {
    try takeNotifications()
    let usual = request.usualAnswer
    let start = now()
    try peer.write(request.bytes)
    let answer = try awaitAnswer(to: request.id, usual)
    let end = now()
    return Exchange(nanoseconds: end - start, body: Array(frames[answer]))
  }

  /// Sends a request and returns the nanoseconds until its answer.
  ///
  /// - Throws: ``BenchmarkError/refused(answer:)`` if the answer is an error.
  func time(_ method: String, _ parameters: JSON? = nil) throws -> Int64 {
    let exchange = try exchange(request(method, parameters))
    _ = try Self.result(of: exchange.body)
    return exchange.nanoseconds
  }

  /// Sends a request and returns its result.
  ///
  /// - Throws: ``BenchmarkError/refused(answer:)`` if the answer is an error.
  func ask(_ method: String, _ parameters: JSON? = nil) throws -> JSON {
    try Self.result(of: exchange(request(method, parameters)).body)
  }

  /// Returns the names of the server's methods.
  func methods() throws -> Set<String> {
    guard case .array(let methods)? = try ask("rpc.discover")["methods"] else {
      throw BenchmarkError.wrong("rpc.discover without methods")
    }
    return Set(methods.compactMap { $0["name"]?.string })
  }

  /// Sends several requests at once, at most 64 KiB, and waits for all answers.
  func ask(all requests: [(method: String, parameters: JSON)]) throws {
    let requests = requests.map { request($0.method, $0.parameters) }
    try peer.write(requests.flatMap(\.bytes))
    for request in requests {
      let answer = try awaitAnswer(to: request.id, request.usualAnswer)
      _ = try Self.result(of: Array(frames[answer]))
    }
  }

  /// Sends a notification.
  func notify(_ method: String, _ parameters: JSON? = nil) throws {
    let members: [JSON.Member] = [.init("jsonrpc", "2.0"), .init("method", .string(method))]
    let body = JSON.object(members + (parameters.map { [.init("params", $0)] } ?? [])).utf8
    try peer.write(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  /// Sends `shutdown` and `exit`.
  func end() throws {
    _ = try ask("shutdown")
    try notify("exit")
    let status = try peer.end()
    guard status == 0 else { throw BenchmarkError.wrong("the server's exit status is \(status)") }
  }

  /// Closes the pipes and waits for the end of the program.
  func close() throws {
    try peer.end()
  }

  // MARK: Reading

  private func awaitAnswer(to id: Int, _ usual: [UInt8]) throws -> Range<Int> {
    while true {
      while let body = try frames.next() {
        if frames[body].starts(with: usual) || Self.isAnswer(frames[body], to: id) { return body }
      }
      try fill()
    }
  }

  /// Reads pending notifications, so that they do not count for the next request.
  private func takeNotifications() throws {
    while try frames.next() != nil || peer.hasOutput && fill() {}
  }

  @discardableResult private func fill() throws -> Bool {
    guard try unsafe frames.fill({ try unsafe peer.read(into: $0) }) > 0 else {
      throw BenchmarkError.ended(program: peer.program)
    }
    return true
  }

  private static func isAnswer(_ body: ArraySlice<UInt8>, to id: Int) -> Bool {
    guard let message = try? JSONReader.read(Array(body)) else { return false }
    return message["method"] == nil && message["id"]?.integer == id
  }

  private static func result(of body: [UInt8]) throws -> JSON {
    guard let result = try? JSONReader.read(body)["result"] else {
      throw BenchmarkError.refused(answer: String(decoding: body.prefix(500), as: UTF8.self))
    }
    return result
  }
}

extension Client {
  /// Starts the server on a vault. It knows of no copy of it elsewhere, as on a machine of its own.
  convenience init(server: String, vault: String) throws {
    let state = try "\(absolute(vault.directory))/\(vault.split(separator: "/").last ?? "").state"
    try self.init(Peer(server, ["--vault", vault], environment: ["XDG_STATE_HOME": state]))
  }

  /// Sends `initialize` and `initialized`.
  func initialize() throws {
    _ = try ask("initialize", Self.introduction)
    try notify("initialized")
  }

  /// The parameters of `initialize`.
  static let introduction: JSON = [
    "processId": nil, "clientInfo": ["name": "quickvault-benchmark"], "locale": "en",
  ]
}
