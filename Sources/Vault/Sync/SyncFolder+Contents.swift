import VaultCrypto
import VaultInterface

/// The contents of attachments.
extension SyncFolder {
  /// Returns the content of an attachment, from whoever wrote it; nil if it is not here or not the one that is meant.
  func content(
    of attachment: Attachment, with reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    for file in try contentFiles(of: attachment) {
      if let content = try content(in: file, of: attachment, reader) { return content }
    }
    return nil
  }

  /// Returns whether the content of an attachment is here. A file that was read before is not read again until it changes.
  func hasContent(of attachment: Attachment, with reader: RecordReader) throws -> Bool {
    let files = try contentFiles(of: attachment)
    let known = ContentFinding(attachment: attachment.id, seal: attachment.seal, isValid: true)
    return try files.contains { $0.finding == known }
      || files.contains { try content(in: $0, of: attachment, reader) != nil }
  }

  private typealias ContentFile = KnownFiles<ContentFinding>.Inspection

  /// The files that may be a content.
  private func contentFiles(of attachment: Attachment) throws -> [ContentFile] {
    let (name, seal) = (Self.name(of: attachment.seal), attachment.seal)
    let other = ContentFinding(attachment: attachment.id, seal: seal, isValid: false)
    return try calls.run { [files, findings, path] in
      try files.names(in: "contents").map { findings.contents.inspect("\(path)/contents/\($0)/\(name)") }
        .filter { $0.isHere && $0.finding != other }
    }
  }

  private func content(
    in file: ContentFile, of attachment: Attachment, _ reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    let sealed = try calls.run {
      try? UserFile.read(UserPath(file.path), limit: Self.contentLimit).prefix(Self.contentLimit)
    }
    guard let sealed else { return nil }
    func note(isValid: Bool) throws {
      let finding = ContentFinding(attachment: attachment.id, seal: attachment.seal, isValid: isValid)
      try calls.run { [findings] in findings.contents.note(finding, in: file) }
    }
    do {
      let plain = try sealed.withRawSpan { (span) throws in try reader.content(of: attachment, span) }
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
