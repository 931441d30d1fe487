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
