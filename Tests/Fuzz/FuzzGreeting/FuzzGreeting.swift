import Glibc
import Wire

/// A line that arrives in pieces is read whole, and not a byte beyond it. A greeting or an answer that can be read is written as
/// a line that is read as the same.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let input = Array(bytes.dropFirst())
  let (line, rest) = read(input, inPiecesOf: Int(first) + 1)
  let end = input.firstIndex(of: 0x0A)
  guard line == end.map({ Array(input[..<$0]) }), rest == end.map({ Array(input[($0 + 1)...]) }) ?? [] else {
    fatalError("the line is not what was written")
  }
  if let greeting = Greeting(line: line ?? input) {
    let written = greeting.line
    guard written.last == 0x0A, Greeting(line: written.dropLast()) == greeting else {
      fatalError("what was written is not what was read")
    }
  }
  if let answer = GreetingResponse(line: line ?? input) {
    guard GreetingResponse(line: answer.line.dropLast()) == answer else {
      fatalError("what was written is not what was read")
    }
  }
  return 0
}

/// Writes bytes into a socket, and reads a line at its other end after each piece.
///
/// - Returns: the line, nil if there is none, and what is left in the socket.
private func read(_ input: [UInt8], inPiecesOf size: Int) -> (line: [UInt8]?, rest: [UInt8]) {
  var ends: [Int32] = [0, 0]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { fatalError("socketpair") }
  defer { for end in ends { close(end) } }
  var reader = LineReader(limit: Greeting.limit)
  var line: [UInt8]?
  var rest: [UInt8] = []
  var position = 0
  while position < input.count {
    let piece = Array(input[position..<min(position + size, input.count)])
    guard write(ends[0], piece, piece.count) == piece.count else { fatalError("write") }
    position += piece.count
    // A socket takes few small pieces that nobody reads.
    guard line == nil else {
      rest += unread(ends[1])
      continue
    }
    switch reader.read(from: ends[1]) {
    case .line(let whole):
      line = whole
      rest = unread(ends[1])
    case .incomplete: break
    case .tooLong, .closed: fatalError("an input of \(input.count) bytes is no line")
    }
  }
  return (line, rest)
}

/// Takes what is left in a socket.
private func unread(_ socket: Int32) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 64 << 10)
  let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
  return Array(bytes.prefix(max(count, 0)))
}
