/// One request and its response under way, as libcurl's callbacks see it.
final class Transfer {
  let sending: [UInt8]
  private var sent = 0
  private(set) var received: [UInt8] = []
  private(set) var head = ResponseHeader()
  /// Whether the response was longer than the limit.
  private(set) var isTooLong = false
  /// Whether the transfer was ended because it took too long.
  private(set) var isTooSlow = false
  private var headerBytes = 0
  private let limit: Int
  private let deadline: Deadline
  private let cancellation: any CancellationSource

  /// - Parameter seconds: how long it may take, besides what has moved at ``minimumRate``.
  init(sending: [UInt8], limit: Int, seconds: Int, _ cancellation: any CancellationSource) {
    (self.sending, self.limit, deadline) = (sending, limit, Deadline(seconds))
    self.cancellation = cancellation
    // A short response may be a secret, of which no copy should stay behind.
    if limit <= HTTPRequest.defaultLimit { received.reserveCapacity(limit) }
  }

  /// The transfer of a callback's context.
  static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context = unsafe context else { preconditionFailure("each request sets the context") }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// In bytes a second.
  private static let minimumRate = 16_384

  /// Returns whether to end it: it takes too long, or was cancelled. Is asked at least once a second.
  func shouldEnd() -> Bool {
    isTooSlow = deadline.secondsPassed > (sent + received.count) / Self.minimumRate
    return isTooSlow || cancellation.isCancelled()
  }

  func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, sending.count - sent)
    unsafe buffer.copyBytes(from: sending[sent..<sent + count])
    sent += count
    return count
  }

  /// Takes a piece of the response. Returns another number than its length to end the transfer.
  func receive(_ piece: UnsafeRawBufferPointer) -> Int {
    // The page that explains an error may be longer than the file.
    let limit = (200..<300).contains(head.status) ? limit : max(limit, HTTPRequest.defaultLimit)
    isTooLong = piece.count > limit - received.count
    if isTooLong { return piece.count == 0 ? 1 : 0 }
    unsafe received.append(contentsOf: piece)
    return piece.count
  }

  /// Takes a line of the header; all of them together may have 64 KiB.
  func header(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytes += line.count
    if headerBytes > 65_536 {
      isTooLong = true
      return 0
    }
    unsafe head.add(String(decoding: line, as: UTF8.self))
    return line.count
  }
}
