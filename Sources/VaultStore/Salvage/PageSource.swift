import Glibc

/// The pages of a vault's file after the last complete transaction, read without SQLite: those of its log take precedence
/// over those of the file.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "The Database Header" and "The Write-Ahead Log". No process may have
/// the file open in the same process, because closing the descriptor drops its locks.
final class PageSource {
  private let file: Descriptor
  private let log: Descriptor?
  private let frames: LogFrames
  let pageSize: Int
  /// The bytes at the end of each page that SQLite does not use.
  private let reserved: Int
  /// The number of pages according to the file's header, as far as they are there; 0 if it does not say.
  let declaredPageCount: Int
  let pageCount: Int
  /// Where the part of the log ends that counts, in bytes.
  private let end: Int
  /// How many more overflow pages are read. Each belongs to one row only, but many rows of a forged file may claim it.
  private var overflowPagesLeft: Int
  /// The last overflow page that was read; nil if none was.
  private(set) var lastOverflowPage: Int?

  var usableSize: Int { pageSize - reserved }

  /// The page size that is assumed if the header has none.
  private static let defaultPageSize = 4_096

  /// Whether bytes at the end of each page are skipped, because the header says so.
  var hasReservedBytes: Bool { reserved > 0 }

  /// Opens a file and its log.
  ///
  /// Throws `StoreError` if they cannot be read.
  ///
  /// - Parameters:
  ///   - reserving: whether to trust the header's number of reserved bytes per page.
  ///   - pastDamage: whether transactions count too that follow damaged frames of the log.
  init(path: String, reserving: Bool = true, pastDamage: Bool = false) throws {
    file = try Descriptor(path)
    log = try? Descriptor(path + "-wal")
    let header = file.read(100, at: 0)
    let declaredSize = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
    let isSize = declaredSize >= 512 && declaredSize & (declaredSize - 1) == 0
    pageSize = declaredSize == 1 ? 65_536 : isSize ? declaredSize : Self.defaultPageSize
    reserved = reserving && header.count == 100 && header[20] <= 32 ? Int(header[20]) : 0
    // A sparse file may be of any length.
    let filePages = file.size / pageSize + (file.size % pageSize == 0 ? 0 : 1)
    // The count is valid if the number of changes is the one for which it was written.
    let isDeclared = header.count == 100 && header[24..<28] == header[92..<96]
    declaredPageCount =
      isDeclared ? min(header[28..<32].reduce(0) { $0 << 8 | Int($1) }, file.size / pageSize) : 0
    let readLog = { [log] in log?.read($0, at: $1) ?? [] }
    frames =
      pastDamage
      ? LogFrames(ofDamaged: pageSize, read: readLog) : LogFrames(pageSize: pageSize, read: readLog)
    pageCount = frames.pageCount ?? filePages
    overflowPagesLeft = 2 * (filePages + frames.offsets.count)
    end = Int.max
  }

  /// The pages as they were after one of the log's transactions, or before the first one.
  ///
  /// - Parameter end: where the transaction ends, in bytes; 0 for the file without its log.
  init(_ other: PageSource, upTo end: Int) {
    (file, log, frames, pageSize) = (other.file, other.log, other.frames, other.pageSize)
    (reserved, declaredPageCount, pageCount) = (other.reserved, other.declaredPageCount, other.pageCount)
    (overflowPagesLeft, self.end) = (other.overflowPagesLeft, end)
  }

  /// A page that continues a row, by its number; nil beyond the end, and when twice as many were read as there are pages.
  func overflowPage(_ number: Int) -> [UInt8]? {
    guard overflowPagesLeft > 0 else { return nil }
    overflowPagesLeft -= 1
    lastOverflowPage = number
    return page(number)
  }

  /// A page by its number, from 1, filled up with zeros if it is truncated; nil beyond the end.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    let bytes: [UInt8]
    if let offset = frames.offsets[number]?.last(where: { $0 < end }), let log {
      bytes = log.read(pageSize, at: offset)
    } else {
      bytes = file.read(pageSize, at: (number - 1) * pageSize)
    }
    return bytes + [UInt8](repeating: 0, count: pageSize - bytes.count)
  }

  /// Visits the existing pages in order. The log may claim to have more.
  func forEachPage(_ body: (_ number: Int, _ page: [UInt8]) throws -> Void) rethrows {
    let behind = frames.offsets.keys.filter { $0 > filePageCount + 1 }.sorted()
    for number in 1..<filePageCount + 2 {
      if let page = page(number) { try body(number, page) }
    }
    for number in behind {
      if let page = page(number) { try body(number, page) }
    }
  }

  /// The number of complete pages in the file without its log.
  var filePageCount: Int { file.size / pageSize }

  /// Whether there can be so many pages: a log may claim any number. The last page of a file may be incomplete.
  var isLengthPossible: Bool {
    pageCount > 0 && pageCount <= filePageCount + 1 + frames.count
  }

  /// A page of the file without its log; empty beyond the end.
  func pageOfFile(_ number: Int) -> [UInt8] {
    file.read(pageSize, at: (number - 1) * pageSize)
  }

  /// Whether the log has transactions, but of a file whose pages have another size.
  var hasLogOfOtherPageSize: Bool {
    frames.count == 0 && LogFrames { [log] in log?.read($0, at: $1) ?? [] }.count > 0
  }

  /// Whether the log has frames of its own that SQLite ignores, because some are damaged.
  var hasDamagedLog: Bool {
    frames.isDamaged(pageSize: pageSize, size: log?.size ?? 0) { [log] in log?.read($0, at: $1) ?? [] }
  }

  /// The part of the log that SQLite reads: its header and whole transactions; empty if SQLite reads nothing.
  func readableLog(_ count: Int, _ offset: Int) -> [UInt8] {
    log?.read(min(count, frames.end - offset), at: offset) ?? []
  }

  /// The length of the part of the log that SQLite reads, in bytes.
  var readableLogSize: Int { frames.end }

  /// The file's length in pages after the log's last transaction; nil if there is none.
  var loggedPageCount: Int? { frames.pageCount }

  /// Returns where the log's first transaction ends that changes one of some pages, in bytes; nil if none does.
  func firstTransactionEnd(changing pages: [Int]) -> Int? {
    let first = pages.compactMap { frames.offsets[$0]?.first }.min()
    return first.flatMap { first in frames.ends.first { $0 > first } }
  }

  /// The pages that the log has.
  var loggedPages: [Int] { Array(frames.offsets.keys) }

  /// The contents of a page in the log, the oldest first.
  func loggedContents(_ number: Int) -> some Sequence<[UInt8]> {
    (frames.offsets[number] ?? []).lazy.compactMap { [log, pageSize] offset in
      let bytes = log?.read(pageSize, at: offset)
      return bytes?.count == pageSize ? bytes : nil
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
    guard isRegular else { throw StoreError(.notARegularFile) }
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Reads up to `count` bytes; fewer at the end. A read error counts as the end if it occurs twice: a temporary one must
  /// not lose data.
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
