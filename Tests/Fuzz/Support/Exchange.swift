import Foundation
import Glibc
import Service
import Vault
package import Wire

/// Complete conversations with a server in the fuzz target's own process, on a real file.
package enum Exchange {
  /// A time that stands still, later by so many milliseconds than the beginning of a run.
  private struct StandingClock: Clock {
    var later: Int64
    var wall: Int64 { 1_795_243_812_345 + later }
    var boot: Int64 { 1_000_000 + later }
    var bootIdentifier: String { "6d0c5b5a-3f0e-4c55-9f0e-1f2a3b4c5d6e" }
  }

  /// What the reading thread has read.
  private final class Reader: @unchecked Sendable {
    var bytes: [UInt8] = []
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Sends lines to a server, says that nothing follows, and serves until it ends.
  ///
  /// - Parameter later: by how many milliseconds the clocks are ahead, so that a wait has passed.
  /// - Returns: the messages that came, notifications left out.
  package static func hold(_ lines: [[UInt8]], vault: String, later: Int64 = 0) -> [JSON] {
    let (input, output) = (makePipe(), makePipe())
    let reader = Reader()
    Thread {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while case let count = read(output.reading, &buffer, buffer.count), count > 0 {
        reader.bytes += buffer[..<count]
      }
      reader.isDone.signal()
    }.start()
    Thread {
      var rest: ArraySlice<UInt8> = ArraySlice(lines.joined(separator: [0x0A]) + [0x0A])
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(input.writing, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(input.writing)
    }.start()
    let configuration = Server.Configuration(
      vault: vault, locale: "C", clock: StandingClock(later: later))
    serve(configuration, input: input.reading, output: output.writing)
    close(output.writing)
    reader.isDone.wait()
    close(input.reading)
    close(output.reading)
    return reader.bytes.split(separator: 0x0A).compactMap { line in
      guard let message = try? JSONReader.read(Array(line)) else { fatalError("an answer is not JSON") }
      if case .object = message, message["method"] != nil { return nil }
      return message
    }
  }

  /// Sends one request.
  package static func ask(_ method: String, _ parameters: JSON, vault: String, later: Int64 = 0) -> JSON {
    hold([request(0, method, parameters).utf8], vault: vault, later: later).first ?? .null
  }

  /// A request.
  package static func request(_ id: Int, _ method: String, _ parameters: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": parameters]
  }

  /// Serves to the end; where the vault locks, a new server goes on as a new process would.
  private static func serve(_ configuration: Server.Configuration, input: Int32, output: Int32) {
    var handoffState = HandoffState()
    while true {
      guard
        let server = try? Server(
          configuration, .pipes(input: input, output: output), resuming: handoffState)
      else {
        fatalError("no server")
      }
      switch server.run() {
      case .ended(_, let message):
        if let message { fatalError("the conversation broke: \(message)") }
        return
      case .handedOff(let next):
        guard let decoded = HandoffState(decoding: next.encoded) else {
          fatalError("the handoffState cannot be read")
        }
        handoffState = decoded
      }
    }
  }

  private static func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { fatalError("pipe: \(errno)") }
    return (ends[0], ends[1])
  }
}
