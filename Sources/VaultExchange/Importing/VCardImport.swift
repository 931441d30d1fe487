import VaultModel

/// Reads the contacts of a vCard file.
struct VCardImport {
  /// How many properties a contact may have.
  static let propertyLimit = 1_000

  private var lines: VCardLines
  private let encoding: TextEncoding
  private let options: ImportOptions

  /// Whether a file begins like a vCard.
  static func recognizes(_ text: some Collection<UInt8>) -> Bool {
    let start = text.prefix(1_024).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(11)
    return String(decoding: start, as: UTF8.self).uppercased() == "BEGIN:VCARD"
  }

  /// Reads a file.
  /// - Parameter bytes: the raw bytes, because a fold can split a character.
  static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(ImportError) -> ImportedFile {
    var (bytes, encoding) = (bytes, TextEncoding.utf8)
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      (bytes, encoding) = try TextEncoding.decode(bytes)
    } else {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      encoding = unfoldedEncoding(of: bytes)
    }
    var file = ImportedFile(.vcard, encoding)
    var reader = VCardImport(lines: VCardLines(bytes), encoding: encoding, options: options)
    while let entry = reader.next() { try file.add(entry) }
    return file
  }

  /// UTF-8 where every unfolded line is, else GB 18030.
  private static func unfoldedEncoding(of bytes: [UInt8]) -> TextEncoding {
    if TextEncoding.isUTF8(bytes) { return .utf8 }
    var lines = VCardLines(bytes)
    while let line = lines.next() {
      if !TextEncoding.isUTF8(line.bytes) { return .gb18030 }
    }
    return .utf8
  }

  private func text(_ bytes: [UInt8]) -> String? {
    guard encoding == .gb18030 else {
      return TextEncoding.isUTF8(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    return CharacterConversion.utf8(of: bytes, from: "GB18030").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the next contact; nil at the end. Text between contacts becomes an unreadable entry.
  private mutating func next() -> ImportEntry? {
    guard let first = lines.next() else { return nil }
    guard let begin = VCardProperty(first.bytes, fallback: text), begin.name == "BEGIN", isVCard(begin) else {
      return ImportEntry(line: first.number, unreadable: ImportMessages.notACard)
    }
    var properties: [VCardProperty] = []
    var depth = 1
    var problem: Localized?
    while let line = lines.next() {
      guard let property = VCardProperty(line.bytes, fallback: text) else {
        problem = problem ?? ImportMessages.unreadableProperty
        continue
      }
      // The AGENT of vCard 2.1 is a contact inside another; skip it.
      if property.name == "BEGIN" && isVCard(property) { depth += 1 }
      if property.name == "END" && isVCard(property) { depth -= 1 }
      if depth == 0 { return entry(properties, line: first.number, problem: problem) }
      guard depth == 1 else { continue }
      if properties.count == Self.propertyLimit {
        problem = ImportMessages.tooManyProperties
      } else {
        properties.append(property)
      }
    }
    return entry(properties, line: first.number, problem: ImportMessages.unfinishedCard)
  }

  private func isVCard(_ property: VCardProperty) -> Bool {
    property.value.trimmed.uppercased() == "VCARD"
  }

  private func entry(_ properties: [VCardProperty], line: Int, problem: Localized?) -> ImportEntry {
    let parts = VCardContact(properties, language: options.language)
    guard let problem else {
      return parts.contact.cardBuilder(group: options.group, language: options.language)
        .entry(line: line, dates: EntryDates(created: nil, modified: parts.revised))
    }
    return ImportEntry(line: line, title: parts.contact.name, unreadable: problem)
  }
}
