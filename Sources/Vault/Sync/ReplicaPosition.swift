import VaultCrypto
import Wire

/// How far this replica has followed another's stream.
struct ReplicaPosition: Hashable {
  /// The number of the newest segment that was read; 0 for none.
  var sequence: Int64 = 0
  /// SHA-256 of that segment.
  var hash: [UInt8] = []
  /// The number of the first segment of the newest snapshot that was read to its end; 0 for none, or if that is not known.
  var first: Int64 = 0
  /// The number of the first segment of a snapshot whose end was not read yet; 0 for none.
  var begun: Int64 = 0
  /// Up to this number, everything was merged. The rest waits for contents that are not here yet.
  var merged: Int64 = 0
  /// The newest number that any replica is known to have seen.
  var announced: Int64 = 0
  /// When the newest segment was published: milliseconds since 1970 UTC.
  var publishedAt: Int64 = 0
  var machine = ""

  /// Notes that a segment was read.
  ///
  /// - Parameter continues: whether it is the one after the last.
  mutating func follow(_ sequence: Int64, _ hash: [UInt8], _ segment: Segment, continues: Bool) {
    if segment.part.contains(.begins) {
      begun = sequence
      // The former snapshot does not stand for what lies between.
      if !continues { first = 0 }
    }
    if segment.part.contains(.ends), begun > 0 { (first, begun) = (begun, 0) }
    (self.sequence, self.hash) = (sequence, hash)
    (publishedAt, machine) = (segment.publishedAt, segment.machine)
  }
}

/// How far this replica has published its own changes.
struct OwnPosition: Hashable {
  /// The number of the newest segment; 0 for none.
  var sequence: Int64 = 0
  /// SHA-256 of that segment.
  var hash: [UInt8] = []
  /// The number of the first segment of the newest snapshot.
  var first: Int64 = 1
  /// The generation of the vault up to which changes are published; -1 for none.
  var generation: Int64 = -1
  /// The bytes of the newest snapshot, and of the segments after it.
  var (snapshotSize, tailSize): (Int64, Int64) = (0, 0)
  /// The bytes of families in them that other replicas publish by now.
  var staleSize: Int64 = 0
  /// SHA-256 of the settings that were published, in hexadecimal digits; empty for none.
  var settings = ""

  /// Makes a new snapshot due, whatever is published already.
  mutating func requireSnapshot() {
    // As after a tail longer than half of any snapshot, with room to add to it.
    tailSize = .max / 2
  }
}

extension SyncDocument {
  /// The folder as the user named it.
  var folder: String {
    get { values["folder"] ?? "" }
    set { values["folder"] = newValue }
  }

  /// The name of this machine, as far as others will see it.
  var machine: String {
    get { (values["machine"] ?? "").prefix(upToBytes: Segment.longestMachine) }
    set { values["machine"] = newValue.prefix(upToBytes: Segment.longestMachine) }
  }

  /// The plaintext from which a new segment is begun, in bytes: less than usual for a server that does not take files as large.
  var segmentSize: Int {
    get { number("segmentSize").map { Int($0) } ?? Segment.targetSize }
    set { values["segmentSize"] = String(newValue) }
  }

  /// The number of the key file that was published; 0 for none.
  var keyNumber: Int64 {
    get { number("keys.number") ?? 0 }
    set { values["keys.number"] = String(newValue) }
  }

  /// Whether every card has been given a version. Some may have lost theirs in a repair, after which this is another replica, or
  /// were imported without one by an earlier program.
  var hasVersions: Bool {
    get { values["own.versions"] == "true" }
    set { values["own.versions"] = newValue ? "true" : nil }
  }

  var own: OwnPosition {
    get {
      var own = OwnPosition()
      own.sequence = number("own.sequence") ?? 0
      own.hash = bytes("own.hash")
      own.first = number("own.first") ?? 1
      own.generation = number("own.generation") ?? -1
      own.snapshotSize = number("own.snapshotSize") ?? 0
      own.tailSize = number("own.tailSize") ?? 0
      own.staleSize = number("own.staleSize") ?? 0
      own.settings = values["own.settings"] ?? ""
      return own
    }
    set {
      values["own.sequence"] = String(newValue.sequence)
      values["own.hash"] = newValue.hash.hexadecimal
      values["own.first"] = String(newValue.first)
      values["own.generation"] = String(newValue.generation)
      values["own.snapshotSize"] = String(newValue.snapshotSize)
      values["own.tailSize"] = String(newValue.tailSize)
      values["own.staleSize"] = String(newValue.staleSize)
      values["own.settings"] = newValue.settings
    }
  }

  /// Returns the replicas whose streams to look at.
  ///
  /// - Parameter found: those that have one in the folder.
  func streams(among found: [Identifier]) -> [Identifier] {
    Set(found).union(others).subtracting([replica]).sorted()
  }

  subscript(replica: Identifier) -> ReplicaPosition {
    get {
      var position = ReplicaPosition()
      position.sequence = number("\(replica).sequence") ?? 0
      position.hash = bytes("\(replica).hash")
      position.first = number("\(replica).first") ?? 0
      position.begun = number("\(replica).begun") ?? 0
      position.merged = number("\(replica).merged") ?? 0
      position.announced = number("\(replica).announced") ?? 0
      position.publishedAt = number("\(replica).publishedAt") ?? 0
      position.machine = values["\(replica).machine"] ?? ""
      return position
    }
    set {
      values["\(replica).sequence"] = String(newValue.sequence)
      values["\(replica).hash"] = newValue.hash.hexadecimal
      values["\(replica).first"] = newValue.first > 0 ? String(newValue.first) : nil
      values["\(replica).begun"] = newValue.begun > 0 ? String(newValue.begun) : nil
      values["\(replica).merged"] = String(newValue.merged)
      values["\(replica).announced"] = String(newValue.announced)
      values["\(replica).publishedAt"] = String(newValue.publishedAt)
      values["\(replica).machine"] = newValue.machine
    }
  }

  /// Forgets a replica.
  mutating func remove(_ replica: Identifier) {
    for name in values.names where name.hasPrefix("\(replica).") { values[name] = nil }
  }

  private func number(_ name: String) -> Int64? { values[name].flatMap { Int64($0) } }

  func bytes(_ name: String) -> [UInt8] { [UInt8](hexadecimal: values[name] ?? "") ?? [] }
}
