import Wire

/// A file of the synchronised folder: SYNC-FORMAT.md, section Layout. No other file is mirrored.
package struct MirroredFile: Hashable, Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case contents, changes, keys, next

    /// Whether each replica has a directory of its own.
    var isByReplica: Bool { self == .contents || self == .changes }
  }

  package let vault: String
  package let epoch: String
  package let part: Part
  package let replica: String
  /// The number of a segment or key file, 16 digits; the salt of a content, 32 digits; nothing for `next`.
  package let name: String

  /// Reads a path below the folder; nil for every other.
  package init?(_ path: String) {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard names.count >= 4, Self.isIdentifier(names[0]), Self.isIdentifier(names[1]),
      let part = Part(rawValue: names[2]), names.count == (part.isByReplica ? 5 : 4)
    else { return nil }
    (vault, epoch, self.part) = (names[0], names[1], part)
    switch part {
    case .contents, .changes: (replica, name) = (names[3], names[4])
    case .keys:
      guard names[3].utf8.count == 53, names[3].dropFirst(36).first == "-" else { return nil }
      (replica, name) = (String(names[3].prefix(36)), String(names[3].dropFirst(37)))
    case .next: (replica, name) = (names[3], "")
    }
    guard Self.isIdentifier(replica) else { return nil }
    switch part {
    case .contents: guard Self.isHexadecimal(name, 32) else { return nil }
    case .changes, .keys: guard Self.isNumber(name) else { return nil }
    case .next: break
    }
  }

  /// The path below the folder.
  package var path: String {
    switch part {
    case .contents, .changes: "\(directory)/\(name)"
    case .keys: "\(directory)/\(replica)-\(name)"
    case .next: "\(directory)/\(replica)"
    }
  }

  /// The directory of the file, below the folder.
  package var directory: String {
    "\(vault)/\(epoch)/\(part.rawValue)" + (part.isByReplica ? "/\(replica)" : "")
  }

  /// The replica in its vault, whatever the epoch.
  var owner: [String] { [vault, replica] }

  /// The longest file of this part, in bytes.
  package var limit: Int { part.isByReplica ? 83_886_080 : 1_024 }

  /// Returns whether the beginning of a file is that of this one, as far as that can be seen without a key.
  package func matches(_ bytes: [UInt8]) -> Bool {
    switch part {
    case .changes, .next: !bytes.isEmpty
    case .contents: bytes.prefix(16).hexadecimal == name
    case .keys:
      bytes.starts(with: Array("quickvault/v1/keys".utf8))
        && bytes.dropFirst(18).prefix(40).hexadecimal
          == (vault + replica).filter { $0 != "-" } + name
    }
  }

  package static func isIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { isHexadecimal(String($0), $0.utf8.count) }
  }

  private static func isNumber(_ text: String) -> Bool {
    isHexadecimal(text, 16) && text.utf8.contains { $0 != UInt8(ascii: "0") } && text < "8"
  }

  private static func isHexadecimal(_ text: String, _ count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

/// Contents come before the segments that need them, and segments in the order of their numbers.
extension MirroredFile: Comparable {
  package static func < (left: MirroredFile, right: MirroredFile) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }

  private var order: [String] {
    let place = Part.allCases.firstIndex(of: part) ?? 0
    return [vault, String(place), epoch, replica, name]
  }
}
