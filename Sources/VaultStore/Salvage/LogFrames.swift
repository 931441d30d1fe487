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
  /// The salts in the header, and where the frames end that are right, whether committed or not; nil if the header is not.
  private var verified: (salts: [UInt8], end: Int)?

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
    guard let declaredSize = Self.pageSize(inHeader: header), declaredSize == pageSize ?? declaredSize else {
      return
    }
    var sum = Checksum(after: header[24...], isBigEndian: Self.word(header, 0) & 1 == 1)
    let salts = Array(header[16..<24])
    var pending: [Int: Int] = [:]
    var position = Self.headerSize
    verified = (salts, position)
    let frameSize = Self.frameHeaderSize + declaredSize
    for number in 1... {
      let frame = read(frameSize, position)
      guard frame.count == frameSize, frame[8..<16] == salts[...] else { return }
      sum.addFrame(frame)
      guard sum.equals(frame[16..<24]) else { return }
      pending[Int(Self.word(frame, 0))] = position + Self.frameHeaderSize
      position += frameSize
      verified = (salts, position)
      let pages = Int(Self.word(frame, 4))
      guard pages > 0 else { continue }
      commit(&pending, pages)
      count = number
      ends.append(position)
      identity = FrameIdentity(salts: salts, checksum: [sum.first, sum.second])
    }
  }

  private mutating func commit(_ pending: inout [Int: Int], _ pages: Int) {
    for (page, offset) in pending { offsets[page, default: []].append(offset) }
    (pending, pageCount) = ([:], pages)
  }

  /// Returns the page size in the header of a log; nil if the header is not right.
  private static func pageSize(inHeader header: [UInt8]) -> Int? {
    guard header.count == headerSize, word(header, 0) & ~1 == 0x377f_0682 else { return nil }
    let size = Int(word(header, 8))
    guard (512...65_536).contains(size), size & (size - 1) == 0 else { return nil }
    var sum = Checksum(isBigEndian: word(header, 0) & 1 == 1)
    sum.add(header[..<24])
    return sum.equals(header[24...]) ? size : nil
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

  // MARK: A damaged log

  /// The most frames that are looked at behind what SQLite reads: a sparse file may claim any number.
  private static let damagedFrameLimit = 1 << 18

  /// Whether the log has frames of its own that SQLite ignores, because the header or a frame is damaged.
  ///
  /// A process that was killed while it wrote leaves an incomplete frame at the end. In a log that was begun anew, it leaves one
  /// that is not right before frames with the salts of before; that looks like a damaged last frame, and counts as one.
  ///
  /// - Parameters:
  ///   - size: the size of the log in bytes.
  ///   - read: as for ``init(pageSize:read:)``.
  func isDamaged(pageSize: Int, size: Int, read: (_ count: Int, _ offset: Int) -> [UInt8]) -> Bool {
    guard let verified else { return size > 0 && !isZero(size, read) }
    let frameSize = Self.frameHeaderSize + pageSize
    let last = min(size, verified.end + Self.damagedFrameLimit * frameSize) - frameSize
    return stride(from: verified.end, through: last, by: frameSize).contains { offset in
      let salts = read(8, offset + 8)
      let differences = zip(salts, verified.salts).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
      return salts.count == 8 && differences <= 1
    }
  }

  private func isZero(_ size: Int, _ read: (_ count: Int, _ offset: Int) -> [UInt8]) -> Bool {
    // File systems fill what was not written before a power failure with zeros.
    let piece = 1 << 16
    return stride(from: 0, to: min(size, Self.damagedFrameLimit << 12), by: piece)
      .allSatisfy { read(min(piece, size - $0), $0).allSatisfy { $0 == 0 } }
  }

  /// Reads the frames of a damaged log that are right by themselves: each continues the checksum that the frame before it names.
  ///
  /// - Parameters:
  ///   - pageSize: the size of the file's pages.
  ///   - read: as for ``init(pageSize:read:)``.
  init(ofDamaged pageSize: Int, read: (_ count: Int, _ offset: Int) -> [UInt8]) {
    let header = read(Self.headerSize, 0)
    guard header.count == Self.headerSize else { return }
    let isBigEndian = Self.word(header, 0) & 1 == 1
    let either = [isBigEndian, !isBigEndian].map { LogFrames(header, pageSize, isBigEndian: $0, read) }
    self = either[0].offsets.isEmpty ? either[1] : either[0]
  }

  private init(
    _ header: [UInt8], _ pageSize: Int, isBigEndian: Bool, _ read: (_ count: Int, _ offset: Int) -> [UInt8]
  ) {
    var salts = Self.pageSize(inHeader: header) == nil ? nil : header[16..<24]
    var before = header[24..<32]
    var pending: [Int: Int] = [:]
    let frameSize = Self.frameHeaderSize + pageSize
    for number in 0..<Self.damagedFrameLimit {
      let position = Self.headerSize + number * frameSize
      let frame = read(frameSize, position)
      guard frame.count == frameSize else { return }
      count = number + 1
      var sum = Checksum(after: before, isBigEndian: isBigEndian)
      sum.addFrame(frame)
      before = frame[16..<24]
      // Without a header, the newest frames come first; those behind them are of before the log was begun anew.
      guard sum.equals(before), salts.map({ $0.elementsEqual(frame[8..<16]) }) ?? true else { continue }
      salts = frame[8..<16]
      pending[Int(Self.word(frame, 0))] = position + Self.frameHeaderSize
      let pages = Int(Self.word(frame, 4))
      if pages > 0 { commit(&pending, pages) }
    }
  }

  /// The running checksum of the log's header and frames.
  private struct Checksum {
    let isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    /// Continues a checksum as a header or a frame stores it.
    init(after stored: ArraySlice<UInt8>, isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
      (first, second) = Self.words(stored)
    }

    /// Whether a header or a frame stores this checksum.
    func equals(_ stored: ArraySlice<UInt8>) -> Bool { (first, second) == Self.words(stored) }

    /// A log stores checksums with the most significant byte first, whatever they are computed with.
    private static func words(_ stored: ArraySlice<UInt8>) -> (UInt32, UInt32) {
      let bytes = Array(stored)
      return (LogFrames.word(bytes, 0), LogFrames.word(bytes, 4))
    }

    mutating func addFrame(_ frame: [UInt8]) {
      add(frame[..<8])
      add(frame[LogFrames.frameHeaderSize...])
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
