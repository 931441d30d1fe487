import Glibc
import HelperProtocols

/// Waits on 127.0.0.1 for the browser to come back from the provider (RFC 8252, section 7.3).
///
/// It answers every connection that asks for anything else, and never more than a few at a time.
final class LoopbackListener {
  private struct IncomingConnection {
    var descriptor: Int32
    var bytes: [UInt8] = []
  }

  private static let incomingConnectionLimit = 16
  private static let maximumRequestLength = 16_384

  private let descriptor: Int32
  private var incomingConnections: [IncomingConnection] = []
  /// Where the browser is sent.
  let url: String

  init() throws(CarrierError) {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/quickvault"
    guard descriptor >= 0, isListening else {
      let number = errno
      close(descriptor)
      throw .folder(number)
    }
  }

  deinit {
    for caller in incomingConnections { close(caller.descriptor) }
    close(descriptor)
  }

  /// Waits for the parameters that `isExpected` accepts, and answers the browser with a page.
  func receive(
    until deadline: Deadline, _ cancellation: any CancellationSource,
    where isExpected: ([String: String]) -> Bool
  ) throws(CarrierError) -> [String: String] {
    while deadline.secondsLeft > 0 {
      if cancellation.isCancelled() { throw .cancelled }
      var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      polled += incomingConnections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polled, nfds_t(polled.count), 500) > 0 else { continue }
      for index in incomingConnections.indices.reversed() where polled[index + 1].revents != 0 {
        guard let request = read(from: &incomingConnections[index]) else { continue }
        let parameters = Self.parameters(of: request)
        let isDone = parameters.map(isExpected) ?? false
        end(incomingConnections.remove(at: index), isDone ? Self.page : Self.notFound)
        if isDone, let parameters { return parameters }
      }
      if polled[0].revents != 0 { accept() }
    }
    throw .signInExpired
  }

  private func accept() {
    let caller = Glibc.accept(descriptor, nil, nil)
    guard caller >= 0 else { return }
    _ = fcntl(caller, F_SETFL, O_NONBLOCK)
    // A browser opens connections that it never uses.
    if incomingConnections.count == Self.incomingConnectionLimit {
      close(incomingConnections.removeFirst().descriptor)
    }
    incomingConnections.append(IncomingConnection(descriptor: caller))
  }

  /// Returns the head of the request once it is there; an empty one if it is too long or cut off.
  private func read(from caller: inout IncomingConnection) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe recv(caller.descriptor, $0.baseAddress, $0.count, 0)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    guard count > 0, caller.bytes.count + count <= Self.maximumRequestLength else { return "" }
    caller.bytes += buffer[..<count]
    let head = String(decoding: caller.bytes, as: UTF8.self)
    return head.contains("\r\n\r\n") ? head : nil
  }

  private func end(_ caller: IncomingConnection, _ answer: String) {
    var answer = answer
    answer.withUTF8 { bytes in
      _ = unsafe Glibc.send(caller.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    shutdown(caller.descriptor, Int32(SHUT_RDWR))
    close(caller.descriptor)
  }

  /// The parameters in the first line of a request; nil for another path, and for one of them twice.
  private static func parameters(of request: String) -> [String: String]? {
    let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/quickvault?") else { return nil }
    var parameters: [String: String] = [:]
    for part in words[1].dropFirst("/quickvault?".count).split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let plain = pair.map {
        $0.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20")
      }
      guard let name = plain.first.flatMap({ WebAddress.decode($0[...]) }),
        let value = WebAddress.decode((plain.count > 1 ? plain[1] : "")[...]),
        parameters.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return parameters
  }

  private static let page = answer(
    "200 OK",
    """
    <!DOCTYPE html><meta charset="utf-8"><title>QuickVault</title>
    <p>QuickVault has the provider's answer. You can close this page.</p>
    <p lang="zh-Hans">随取已收到登录服务的答复。您可以关闭此页面。</p>
    """)

  private static let notFound = answer("404 Not Found", "")

  private static func answer(_ status: String, _ body: String) -> String {
    [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
      "Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer",
      "Cache-Control: no-store",
      "Connection: close", "", body,
    ].joined(separator: "\r\n")
  }
}
