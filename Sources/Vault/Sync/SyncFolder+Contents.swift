import VaultCrypto
import VaultInterface
import Wire

/// The contents of attachments.
extension SyncFolder {
  private typealias ContentFile = KnownFiles<ContentFinding>.Inspection

  /// Returns the content of an attachment, from whoever wrote it; nil if it is not here or not the one that is meant.
  func content(
    of place: IndexedAttachment, with reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    for file in try contentFiles(of: place) {
      if let content = try content(in: file, of: place, reader) { return content }
    }
    return nil
  }

  /// Returns whether the content of an attachment is here. A file that was read before is not read again until it changes.
  ///
  /// - Parameter limit: the bytes that may be read, from which those are taken that were. Beyond, a file with the right length counts
  ///   as the content.
  func hasContent(
    of place: IndexedAttachment, with reader: RecordReader, reading limit: inout Int
  ) throws -> Bool {
    let files = try contentFiles(of: place)
    if files.contains(where: { $0.finding == ContentFinding(of: place, isValid: true) }) { return true }
    for file in files {
      guard limit > 0 else { return true }
      limit -= place.size
      if try content(in: file, of: place, reader) != nil { return true }
    }
    return false
  }

  /// Returns the attachments of which no file was found intact since it was written.
  func uncheckedContents(among places: [IndexedAttachment]) throws -> [IndexedAttachment] {
    guard !places.isEmpty else { return [] }
    return try calls.run {
      let writers = try contentWriters()
      return places.filter { place in
        let valid = ContentFinding(of: place, isValid: true)
        return !writers.contains { contentFile(of: place, by: $0).finding == valid }
      }
    }
  }

  /// The files that may be a content.
  private func contentFiles(of place: IndexedAttachment) throws -> [ContentFile] {
    let other = ContentFinding(of: place, isValid: false)
    return try calls.run {
      try contentWriters().map { contentFile(of: place, by: $0) }
        .filter { $0.size == place.size + RecordSealer.overhead && $0.finding != other }
    }
  }

  private func contentFile(of place: IndexedAttachment, by writer: Identifier) -> ContentFile {
    findings.contents.inspect("\(path)/contents/\(writer)/\(Self.name(of: place.seal))")
  }

  private func contentWriters() throws -> [Identifier] {
    try files.names(in: "contents").compactMap { Identifier($0) }
  }

  private func content(
    in file: ContentFile, of place: IndexedAttachment, _ reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    let sealed = try calls.run {
      try? UserFile.read(UserPath(file.path), limit: Self.contentLimit).prefix(Self.contentLimit)
    }
    guard let sealed else { return nil }
    func note(isValid: Bool) throws {
      let finding = ContentFinding(of: place, isValid: isValid)
      try calls.run { [findings] in findings.contents.note(finding, in: file) }
    }
    do {
      let plain = try sealed.withRawSpan { (span) throws in try reader.content(of: place, span) }
      try note(isValid: true)
      return (plain, sealed)
    } catch let error as CryptoError {
      if error.isOfContent { try note(isValid: false) }
      return nil
    }
  }

  /// The length of the longest sealed content, in bytes.
  private static let contentLimit = Limits.attachmentBytes + RecordSealer.overhead
}
