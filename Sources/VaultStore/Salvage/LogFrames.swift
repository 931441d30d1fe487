/// The frames of the complete transactions in a write-ahead log: those whose salts and running checksum are right, up to the
/// last commit.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "The Write-Ahead Log".
struct LogFrames {
  private static let headerSize = 32
  static let frameHeaderSize = 24

  /// The offsets in the log of each page's contents, the oldest first, by page number.
  private(set) var offsets: [Int: [Int]] = [:]
  /// The file's length in pages after the last commit; nil if there is none.
  private(set) var pageCount: Int?
  /// Where each transaction ends, in bytes.
  private(set) var ends: [Int] = []
  /// The number of frames.
  private(set) var count = 0
  /// The end of the last frame, in bytes; 0 without frames.
  var end: Int { ends.last ?? 0 }
  /// The salts and the checksum of the last frame, which identify the index of this log.
  private(set) var identity: FrameIdentity?

  /// The salts and the checksum that an index shares with its log.
  struct FrameIdentity: Equatable {
    let salts: [UInt8]
    let checksum: [UInt32]
  }

  /// Reads a log from its beginning.
  ///
  /// - Parameters:
  ///   - pageSize: the size of the file's pages; nil for the one in the log's header.
  ///   - read: reads up to a count of bytes from an offset; fewer at the end.
  init(pageSize: Int? = nil, read: (_ count: Int, _ offset: Int) -> [UInt8]) {
    let header = read(Self.headerSize, 0)
    guard header.count == Self.headerSize, Self.word(header, 0) & ~1 == 0x377f_0682 else { return }
    let declaredSize = Int(Self.word(header, 8))
    guard declaredSize == pageSize ?? declaredSize, (512...65_536).contains(declaredSize),
      declaredSize & (declaredSize - 1) == 0
    else { return }
    var sum = Checksum(isBigEndian: Self.word(header, 0) & 1 == 1)
    sum.add(header[..<24])
    guard sum.first == Self.word(header, 24), sum.second == Self.word(header, 28) else { return }
    var pending: [Int: Int] = [:]
    var position = Self.headerSize
    let frameSize = Self.size(ofFrames: 1, pageSize: declaredSize) - Self.headerSize
    for number in 1... {
      let frame = read(frameSize, position)
      guard frame.count == frameSize, frame[8..<16] == header[16..<24] else { return }
      sum.add(frame[..<8])
      sum.add(frame[Self.frameHeaderSize...])
      guard sum.first == Self.word(frame, 16), sum.second == Self.word(frame, 20) else { return }
      pending[Int(Self.word(frame, 0))] = position + Self.frameHeaderSize
      position += frameSize
      let pages = Int(Self.word(frame, 4))
      guard pages > 0 else { continue }
      for (page, offset) in pending { offsets[page, default: []].append(offset) }
      pending = [:]
      (pageCount, count) = (pages, number)
      ends.append(position)
      identity = FrameIdentity(salts: Array(header[16..<24]), checksum: [sum.first, sum.second])
    }
  }

  /// Returns the identity in a frame's header, which is not checked; nil if it is incomplete.
  static func identity(ofFrame header: [UInt8]) -> FrameIdentity? {
    guard header.count >= frameHeaderSize else { return nil }
    return FrameIdentity(salts: Array(header[8..<16]), checksum: [word(header, 16), word(header, 20)])
  }

  /// The size in bytes of a log with so many frames.
  static func size(ofFrames count: Int, pageSize: Int) -> Int {
    headerSize + count * (frameHeaderSize + pageSize)
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running checksum of the log's header and frames.
  private struct Checksum {
    let isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var position = bytes.startIndex
      while position + 8 <= bytes.endIndex {
        first = first &+ word(bytes, position) &+ second
        second = second &+ word(bytes, position + 4) &+ first
        position += 8
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
      let four = bytes[offset..<offset + 4]
      let value = four.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return isBigEndian ? value : value.byteSwapped
    }
  }
}
