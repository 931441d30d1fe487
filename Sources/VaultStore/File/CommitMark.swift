import CSQLite

/// Identifies the last commit of all processes: between two equal marks nothing was committed.
///
/// It is the head of the index of SQLite's write-ahead log. `PRAGMA data_version` says as much of the commits of others, but
/// acquires and releases a lock.
public struct CommitMark: Hashable, Sendable {
  /// The first six of them count; the others are 0. An array would be allocated for each request.
  private let words: SIMD8<UInt64>

  fileprivate init(_ words: SIMD8<UInt64>) {
    self.words = words
  }

  /// Whether this number of commits was made between another mark and this one: SQLite counts them.
  public func follows(_ other: CommitMark, by count: UInt32 = 1) -> Bool {
    commits == other.commits &+ count
  }

  /// The count, which follows the version and four unused bytes.
  private var commits: UInt32 { field(8) }

  /// Whether the log has nothing that the file may lack.
  public var isOfEmptyLog: Bool { frameCount == 0 }

  /// The number of valid frames in the log.
  var frameCount: Int { Int(field(16) as UInt32) }

  /// The number of valid bytes in the log.
  var logSize: Int {
    frameCount == 0 ? 0 : LogFrames.size(ofFrames: frameCount, pageSize: pageSize)
  }

  /// The offset of the last of these frames in the log; there must be one.
  var lastFrameOffset: Int { LogFrames.size(ofFrames: frameCount - 1, pageSize: pageSize) }

  private var pageSize: Int {
    let size: UInt16 = field(14)
    return size == 1 ? 65_536 : Int(size)
  }

  /// The salts and checksum of the last of these frames.
  var logFrameIdentity: LogFrames.FrameIdentity {
    LogFrames.FrameIdentity(
      salts: unsafe withUnsafeBytes(of: words) { unsafe [UInt8]($0[32..<40]) },
      checksum: [field(24), field(28)])
  }

  private func field<Value: BitwiseCopyable>(_ offset: Int) -> Value {
    unsafe withUnsafeBytes(of: words) { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
  }
}

extension VaultFile {
  /// The mark of the last commit; nil if only reading the file reveals whether there was one.
  ///
  /// A transaction that begins later includes that commit.
  ///
  /// Throws `StoreError.changed` when the file was replaced or removed, and what ``dataVersion()`` throws.
  public func commitMark() throws -> CommitMark? {
    try checkNames()
    return lastCommit
  }

  /// The same of the file that was opened, whatever the path leads to.
  public var lastCommit: CommitMark? {
    kind == .shared ? connection.lastCommit : nil
  }
}

extension Connection {
  /// The mark of the last commit, if this connection uses a write-ahead log.
  var lastCommit: CommitMark? {
    guard let handle = unsafe try? handle else { return nil }
    var words = SIMD8<UInt64>(repeating: 0)
    let isKnown = unsafe withUnsafeMutableBytes(of: &words) { bytes in
      unsafe bytes.withMemoryRebound(to: UInt64.self) { words in
        unsafe words.baseAddress.map { unsafe csqlite_mark(handle, $0) != 0 } ?? false
      }
    }
    return isKnown ? CommitMark(words) : nil
  }
}

/// Which file the write-ahead log beside a vault was written for.
///
/// SQLite finds a log by its name, and begins one only after a complete checkpoint. So a log that belongs to a vault begins with
/// the transaction after the vault's last one, or the vault has a part of it already.
enum LogOrigin {
  /// This state of this vault, as far as the log says. A log in use, an empty one and one that identifies nothing count too.
  case vault
  /// This state of this vault as far as SQLite can read the log, which is damaged behind that.
  case damaged
  /// A copy of this vault that was changed independently, from a state that has no more changes than the vault, to one that has no
  /// fewer.
  case independentCopy
  /// Another state of this vault.
  case otherState
  /// Another vault.
  case otherVault

  /// Reads the log beside a vault.
  ///
  /// - Parameter path: the vault's path. This process must not have it open.
  init(beside path: String) {
    guard let size = try? FileStatus(path: path + "-wal").size, size > 0, !FileUse.isLocked(path + "-shm"),
      let source = try? PageSource(path: path)
    else {
      self = .vault
      return
    }
    // SQLite would take the log's page size for the file's.
    self = source.hasLogOfOtherPageSize ? .otherVault : LogReader(source).origin
    if self == .vault, source.hasDamagedLog { self = .damaged }
  }
}

/// Compares the vault's row in a log with that in the file.
private struct LogReader {
  let source: PageSource

  init(_ source: PageSource) {
    self.source = source
  }

  var origin: LogOrigin {
    guard let (file, pages) = stateOfFile, let page = pages.first else { return .vault }
    for number in source.loggedPages {
      if let last = state(in: source, number), last.vault != file.vault { return .otherVault }
    }
    // A vault never shrinks: SQLite keeps the pages that are free.
    if let count = source.loggedPageCount, count < source.declaredPageCount { return .otherState }
    // A checkpoint copies whole pages, and may have ended between two of one row.
    let isStored = pages.contains { source.loggedContents($0).contains(source.pageOfFile($0)) }
    guard !isStored, let first = firstState(pages), !first.isSame(as: file) else { return .vault }
    let last = state(in: source, page) ?? first
    if first.follows(file, endingWith: last) { return .vault }
    // The log may be from any program and contain any numbers.
    let begins = first.generation <= file.generation || first.generation - 1 == file.generation
    return begins && file.generation <= last.generation ? .independentCopy : .otherState
  }

  /// The state of the file without its log, and the pages that have the beginning and the end of the vault's row.
  private var stateOfFile: (state: VaultState, pages: [Int])? {
    for number in 1..<source.filePageCount + 1 {
      let file = PageSource(source, upTo: 0)
      if let state = state(in: file, number) {
        return (state, [number] + (file.lastOverflowPage.map { [$0] } ?? []))
      }
    }
    return nil
  }

  /// The state after the first transaction that changes one of the pages with the vault's row; nil if none does.
  private func firstState(_ pages: [Int]) -> VaultState? {
    guard let page = pages.first, let end = source.firstTransactionEnd(changing: pages) else { return nil }
    return state(in: PageSource(source, upTo: end), page)
  }

  private func state(in source: PageSource, _ number: Int) -> VaultState? {
    guard let page = source.page(number), let shape = RowShape.all.first(where: { $0.table == "vault" })
    else { return nil }
    return CellReader(source, longest: LengthLimit.vaultRow).rows(in: page, number)
      .lazy.compactMap(shape.values).compactMap(VaultState.init).first
  }
}

/// What the vault's row says of the state of the vault.
private struct VaultState {
  let vault: [UInt8]
  let generation: Int64
  /// The ID of the transaction that made the state.
  let transaction: [UInt8]
  /// The ID of the transaction before; nil for the first one, and in the older format.
  let previous: [UInt8]?
  /// Whether the row is of the older format.
  let isOlder: Bool

  /// Reads a row of the shape of the table `vault`.
  init?(_ values: [StoredValue]) {
    guard case .blob(let vault) = values[1], case .integer(let generation) = values[2],
      case .blob(let head) = values[3]
    else { return nil }
    (self.vault, self.generation) = (vault, generation)
    if case .blob(let transaction) = values[5] {
      (self.transaction, isOlder) = (transaction, false)
    } else {
      // A head begins with 16 random bytes.
      (self.transaction, isOlder) = (Array(head.prefix(16)), true)
    }
    if case .blob(let previous) = values[6] { self.previous = previous } else { previous = nil }
  }

  func isSame(as other: VaultState) -> Bool {
    generation == other.generation && transaction == other.transaction
  }

  /// Whether this is the first state after another. In the older format this is so if the numbers allow it.
  func follows(_ other: VaultState, endingWith last: VaultState) -> Bool {
    if let previous { return previous == other.transaction }
    return isOlder && other.isOlder && generation > other.generation && generation - 1 == other.generation
      && last.generation >= other.generation
  }
}
