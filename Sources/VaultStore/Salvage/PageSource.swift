import Glibc

/// The pages of a vault's file as the last complete transaction left them, read without SQLite: those of its log before
/// those of the file.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "The Database Header" and "The Write-Ahead Log". No process may have
/// the file open in the one that reads it so, because its locks end with the descriptor.
final class PageSource {
  private let file: Descriptor
  private let log: Descriptor?
  /// Where in the log a page's newest state stands.
  private var frames: [Int: Int] = [:]
  /// Where in the log a page's oldest state stands.
  private var firstFrames: [Int: Int] = [:]
  let pageSize: Int
  /// The bytes at the end of each page that SQLite does not use.
  private let reserved: Int
  private(set) var pageCount: Int

  var usableSize: Int { pageSize - reserved }

  /// The usual size of a page, which is taken where the header tells none.
  private static let usualPageSize = 4_096

  /// Whether bytes at the end of each page are passed over, because the header says so.
  var isReserving: Bool { reserved > 0 }

  /// Opens a file and the log beside it.
  ///
  /// Throws `StoreError` where the system does not let them be read.
  ///
  /// - Parameter reserving: whether the header is believed where it says that SQLite does not use all of a page.
  init(path: String, reserving: Bool = true) throws {
    file = try Descriptor(path)
    log = try? Descriptor(path + "-wal")
    let header = file.read(100, at: 0)
    let told = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
    let isSize = told >= 512 && told & (told - 1) == 0
    pageSize = told == 1 ? 65_536 : isSize ? told : Self.usualPageSize
    reserved = reserving && header.count == 100 && header[20] <= 32 ? Int(header[20]) : 0
    // A sparse file may be of any length.
    pageCount = file.size / pageSize + (file.size % pageSize == 0 ? 0 : 1)
    if let log { readIndex(of: log) }
  }

  /// A page by its number, from 1; what is cut off is zero. Nil beyond the end.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    let bytes: [UInt8]
    if let offset = frames[number], let log {
      bytes = log.read(pageSize, at: offset)
    } else {
      bytes = file.read(pageSize, at: (number - 1) * pageSize)
    }
    return bytes + [UInt8](repeating: 0, count: pageSize - bytes.count)
  }

  /// Visits the pages that there are, in order. The log may claim to have more.
  func forEachPage(_ body: (_ number: Int, _ page: [UInt8]) throws -> Void) rethrows {
    let behind = frames.keys.filter { $0 > filePageCount + 1 }.sorted()
    for number in 1..<filePageCount + 2 {
      if let page = page(number) { try body(number, page) }
    }
    for number in behind {
      if let page = page(number) { try body(number, page) }
    }
  }

  /// How many whole pages the file has without its log.
  var filePageCount: Int { file.size / pageSize }

  /// A page of the file without its log.
  func pageOfFile(_ number: Int) -> [UInt8] {
    let bytes = file.read(pageSize, at: (number - 1) * pageSize)
    return bytes + [UInt8](repeating: 0, count: pageSize - bytes.count)
  }

  /// The pages that the log has.
  var loggedPages: [Int] { Array(frames.keys) }

  /// The oldest state of a page in the log.
  func firstLogged(_ number: Int) -> [UInt8]? {
    guard let log, let offset = firstFrames[number] else { return nil }
    let bytes = log.read(pageSize, at: offset)
    return bytes.count == pageSize ? bytes : nil
  }

  // MARK: The log

  private static let logHeader = 32
  private static let frameHeader = 24

  /// Finds the frames of complete transactions: those whose salts and running checksum are right, to the last commit.
  private func readIndex(of log: Descriptor) {
    let header = log.read(Self.logHeader, at: 0)
    guard header.count == Self.logHeader, word(header, 0) & ~1 == 0x377f_0682, word(header, 8) == pageSize
    else { return }
    let isBigEndian = word(header, 0) & 1 == 1
    var sum = Checksum(isBigEndian: isBigEndian)
    sum.add(header[..<24])
    guard sum.first == word(header, 24), sum.second == word(header, 28) else { return }
    var pending: [Int: Int] = [:]
    var offset = Self.logHeader
    while true {
      let frame = log.read(Self.frameHeader + pageSize, at: offset)
      guard frame.count == Self.frameHeader + pageSize, frame[8..<16] == header[16..<24] else { return }
      sum.add(frame[..<8])
      sum.add(frame[Self.frameHeader...])
      guard sum.first == word(frame, 16), sum.second == word(frame, 20) else { return }
      pending[Int(word(frame, 0))] = offset + Self.frameHeader
      let size = Int(word(frame, 4))
      if size > 0 {
        frames.merge(pending) { $1 }
        firstFrames.merge(pending) { old, _ in old }
        pending = [:]
        pageCount = size
      }
      offset += Self.frameHeader + pageSize
    }
  }

  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The checksum of the log's header and frames.
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

/// A file that is open for reading.
private final class Descriptor {
  private let number: Int32
  let size: Int

  init(_ path: String) throws {
    number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw StoreError(systemError: errno) }
    var status = stat()
    let isRegular = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : -1
    guard isRegular else { throw StoreError.notARegularFile }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Reads as many bytes as there are, up to `count`. An error of the disk counts as their end where it comes twice: one that
  /// is over in a moment is not to cost what lies there.
  func read(_ count: Int, at offset: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      var hasFailed = false
      while filled < count {
        let target = unsafe buffer.baseAddress.map { unsafe $0 + filled }
        let got = unsafe pread(number, target, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0, !hasFailed {
          hasFailed = true
          continue
        }
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}
