import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// The state of a vault when this user last had it open on this machine. It reveals an older copy of the file.
struct LastKnownState: Hashable {
  var generation: Int64
  /// Salt and tag of the sealed head, which no other head has.
  var head: ContentSeal
  /// When the newest card was modified; nil without cards.
  var modifiedAt: Timestamp?

  /// Whether a file that stands like the other is older than this, or one that diverged from it.
  func isAhead(of other: LastKnownState) -> Bool {
    generation > other.generation || generation == other.generation && head != other.head
  }
}

// A version (1) ‖ generation (8) ‖ salt and tag of the head (32) ‖ whether there are cards (1) ‖ newest time (8).
extension LastKnownState {
  private static let byteCount = 50

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = [1]
    bytes.append(bigEndian: generation)
    bytes += head.bytes + [modifiedAt == nil ? 0 : 1]
    bytes.append(bigEndian: modifiedAt?.milliseconds ?? 0)
    return bytes
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, bytes[0] == 1, let head = ContentSeal(Array(bytes[9..<41])) else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 << 8 | Int64($1) } }
    generation = number(1..<9)
    self.head = head
    modifiedAt = bytes[41] == 1 ? Timestamp(milliseconds: number(42..<50)) : nil
  }
}

extension LastKnownState {
  /// The current state of a vault, even if its file or log was replaced; nil if its head does not open.
  init?(now reader: RecordReader, _ modifiedAt: Timestamp?) throws {
    let row = try reader.file.vaultAsOpen()
    guard (try? reader.head(row)) != nil, let head = try? row.head.withRawSpan({ try ContentSeal(of: $0) })
    else { return nil }
    self.init(generation: row.generation, head: head, modifiedAt: modifiedAt)
  }

  /// What is remembered of a vault; nil for nothing.
  init?(of reader: RecordReader, in states: StateDirectory?) {
    guard let sealed = states?.read(.state, of: reader.vault) else { return nil }
    let content = try? reader.withRecord(.lastSeen, .zero, 0, sealed) { record in
      unsafe record.withUnsafeBytes { unsafe [UInt8]($0) }
    }
    guard let content else { return nil }
    self.init(content)
  }
}
