import CLinux

/// A client that has greeted, and waits for the answer.
package struct AcceptedClient: Sendable {
  /// The socket, whose next bytes are the first of the conversation. It is closed by ``Listener/close(_:)``.
  package let descriptor: Int32
  package let greeting: Greeting
  package let peer: PeerProcess

  /// Answers the greeting.
  ///
  /// - Returns: false if the client has gone.
  package func answer(_ answer: GreetingResponse) -> Bool { answer.send(to: descriptor) }
}

extension GreetingResponse {
  /// Writes the line, for which a new socket has always room.
  func send(to socket: Int32) -> Bool {
    let line = line
    return unsafe linux_send(socket, line, line.count) == line.count
  }
}
