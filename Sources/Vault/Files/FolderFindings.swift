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
  /// The part of a snapshot that the segment is.
  let part: Segment.Part

  /// - Parameter segment: nil if the file does not open.
  init(of sealed: [UInt8], _ segment: Segment?) throws {
    hash = try SHA256.hash(of: sealed)
    (previous, part) = (segment?.previous, segment?.part ?? [])
  }
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
