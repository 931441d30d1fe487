/// The input of a connection that another process is to answer, and its unwritten output.
///
/// Of the input, only the beginning of a message that is half read may hold a password. The output holds nothing of the vault but
/// the rest of a message that was begun before.
package struct StreamState: Sendable, Hashable {
  /// The rest of a frame over the limit, which is to be discarded.
  package enum Skipping: Sendable, Hashable {
    case nothing
    case content(left: Int)
    /// Everything to the end of the line.
    case line
  }

  /// Nil before the first byte.
  package var framing: Framing?
  /// The messages without parameters that wait.
  package var frames: [Frame]
  /// The bytes to discard after the frames.
  package var skipping: Skipping
  /// The bytes that were read after that.
  package var bytes: [UInt8]
  /// The bytes that are still to be written.
  package var output: [UInt8]

  package init(
    framing: Framing? = nil, frames: [Frame] = [], skipping: Skipping = .nothing, bytes: [UInt8] = [],
    output: [UInt8] = []
  ) {
    self.framing = framing
    self.frames = frames
    self.skipping = skipping
    self.bytes = bytes
    self.output = output
  }
}

extension StreamState {
  /// The state in bytes, for a process of the same version only.
  package var encoded: [UInt8] {
    var output: [UInt8] = []
    func put(_ number: Int) {
      unsafe withUnsafeBytes(of: number.bigEndian) { unsafe output.append(contentsOf: $0) }
    }
    put(framing == nil ? 0 : framing == .headers ? 1 : 2)
    switch skipping {
    case .nothing: put(-2)
    case .line: put(-1)
    case .content(let left): put(left)
    }
    put(frames.count)
    for frame in frames {
      switch frame {
      case .tooLarge: put(-1)
      case .message(let bytes):
        put(bytes.count)
        output += bytes
      }
    }
    put(self.output.count)
    return output + self.output + bytes
  }

  /// Reads ``encoded``; nil if it is invalid.
  package init?(decoding input: [UInt8]) {
    var position = 0
    func number() -> Int? {
      guard input.count - position >= 8 else { return nil }
      defer { position += 8 }
      return input[position..<position + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    guard let framing = number(), let skipping = number(), let count = number(), (0...2).contains(framing)
    else {
      return nil
    }
    self.framing = framing == 0 ? nil : framing == 1 ? .headers : .lines
    switch skipping {
    case -2: self.skipping = .nothing
    case -1: self.skipping = .line
    case 0...: self.skipping = .content(left: skipping)
    default: return nil
    }
    guard count >= 0 else { return nil }
    frames = []
    for _ in 0..<count {
      guard let length = number(), (-1...input.count - position).contains(length) else { return nil }
      frames.append(length < 0 ? .tooLarge : .message(Array(input[position..<position + max(length, 0)])))
      position += max(length, 0)
    }
    guard let length = number(), (0...input.count - position).contains(length) else { return nil }
    output = Array(input[position..<position + length])
    bytes = Array(input[(position + length)...])
  }
}
