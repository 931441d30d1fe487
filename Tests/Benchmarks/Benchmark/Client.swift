import JSON
import JSONRPC

/// A client of the server: it sends requests, waits for their answers, and takes the time of both together.
final class Client {
  /// A request as it goes over the pipe.
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

    /// How the answer begins, unless its members come in another order.
    fileprivate var usualAnswer: [UInt8] { Array(#"{"jsonrpc":"2.0","id":\#(id),"#.utf8) }
  }

  /// An answer, and the nanoseconds from before the request was written until the answer was there.
  struct Exchange {
    let nanoseconds: Int64
    let body: [UInt8]
  }

  private let peer: Peer
  private var frames = FrameBuffer()
  private var lastID = 0

  /// The process that is spoken to.
  var process: Int32 { peer.process }

  init(_ peer: Peer) {
    self.peer = peer
  }

  /// A request with an id of its own.
  func request(_ method: String, _ parameters: JSON? = nil) -> Request {
    lastID += 1
    return Request(id: lastID, method, parameters)
  }

  /// Sends a request and waits for its answer, whatever it is.
  func exchange(_ request: Request) throws -> Exchange {
    try takeNotifications()
    let usual = request.usualAnswer
    let start = now()
    try peer.write(request.bytes)
    let answer = try awaitAnswer(to: request.id, usual)
    let end = now()
    return Exchange(nanoseconds: end - start, body: Array(frames[answer]))
  }

  /// The nanoseconds that a request and its answer take.
  ///
  /// - Throws: ``BenchmarkError/refused(answer:)`` where the answer is an error.
  func time(_ method: String, _ parameters: JSON? = nil) throws -> Int64 {
    let exchange = try exchange(request(method, parameters))
    _ = try Self.result(of: exchange.body)
    return exchange.nanoseconds
  }

  /// The result of a request.
  ///
  /// - Throws: ``BenchmarkError/refused(answer:)`` where the answer is an error.
  func ask(_ method: String, _ parameters: JSON? = nil) throws -> JSON {
    try Self.result(of: exchange(request(method, parameters)).body)
  }

  /// The methods that the server knows.
  func methods() throws -> Set<String> {
    guard case .array(let methods)? = try ask("rpc.discover")["methods"] else {
      throw BenchmarkError.wrong("rpc.discover without methods")
    }
    return Set(methods.compactMap { $0["name"]?.string })
  }

  /// Sends several requests at once and waits for the answers to all; no more than fit a pipe, 64 KiB.
  func ask(all requests: [(method: String, parameters: JSON)]) throws {
    let requests = requests.map { request($0.method, $0.parameters) }
    try peer.write(requests.flatMap(\.bytes))
    for request in requests {
      let answer = try awaitAnswer(to: request.id, request.usualAnswer)
      _ = try Self.result(of: Array(frames[answer]))
    }
  }

  /// Sends a notification.
  func notify(_ method: String) throws {
    let body = JSON.object([.init("jsonrpc", "2.0"), .init("method", .string(method))]).utf8
    try peer.write(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  /// Ends the conversation as a language server's client does.
  func end() throws {
    _ = try ask("shutdown")
    try notify("exit")
    let status = try peer.end()
    guard status == 0 else { throw BenchmarkError.wrong("the server's exit status is \(status)") }
  }

  /// Closes the pipes, as the end of a program that speaks no JSON-RPC.
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

  /// Reads what came unasked since the last answer, so that the next request does not pay for it.
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
  /// Starts the server on a vault.
  convenience init(server: String, vault: String) throws {
    try self.init(Peer(server, ["--vault", vault]))
  }

  /// Begins the conversation.
  func initialize() throws {
    _ = try ask("initialize", Self.introduction)
    try notify("initialized")
  }

  /// What a client says of itself.
  static let introduction: JSON = [
    "processId": nil, "clientInfo": ["name": "quickvault-benchmark"], "locale": "en",
  ]
}
