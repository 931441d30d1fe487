import VaultCrypto
import VaultInterface
import Wire

/// What a process found in the files of a synchronised folder. A carrier may put any file there: one that does not open is not read
/// again until it changes.
package struct FolderFindings: Sendable {
  let segments = KnownFiles<SegmentFinding>()
  let contents = KnownFiles<ContentFinding>()
}

/// What was found in the file of a segment.
struct SegmentFinding: Hashable, Sendable {
  /// SHA-256 of the file.
  let hash: [UInt8]
  /// SHA-256 of the segment before; nil if the file does not open as a segment.
  let previous: [UInt8]?
  let part: SegmentPart
}

/// The part of a snapshot that a segment is. A snapshot stands for all earlier segments of its stream.
struct SegmentPart: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  /// It is the first segment of a snapshot.
  static let begins = SegmentPart(rawValue: 1)
  /// It is the last segment of a snapshot.
  static let ends = SegmentPart(rawValue: 2)
}

/// What was found in the file of a content.
struct ContentFinding: Hashable, Sendable {
  let attachment: Identifier
  let seal: ContentSeal
  /// Whether the file is the content of the attachment.
  let isValid: Bool

  init(of place: IndexedAttachment, isValid: Bool) {
    (attachment, seal, self.isValid) = (place.id, place.seal, isValid)
  }
}

extension CryptoError {
  /// Whether the bytes are not what they should be, rather than that the system failed.
  var isOfContent: Bool { self == .authenticationFailed || self == .malformed }
}
