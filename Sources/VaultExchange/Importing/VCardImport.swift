import VaultInterface

/// Reads the contacts of a vCard file. A line that cannot be read is named and left out, and so is a contact that a card
/// cannot hold; the rest is imported.
struct VCardImport {
  /// How many properties a contact may have.
  static let propertyLimit = 1_000

  private var lines: VCardLines
  private let encoding: TextEncoding
  private let options: ImportOptions
  /// The number of the line of a BEGIN that was read while the contact before it was not ended.
  private var openedLine: Int?

  /// Whether a file begins like a vCard.
  static func recognizes(_ text: some Collection<UInt8>) -> Bool {
    let start = text.prefix(1_024).drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }.prefix(11)
    return String(decoding: start, as: UTF8.self).uppercased() == "BEGIN:VCARD"
  }

  /// Reads a file.
  /// - Parameter bytes: the raw bytes, because a fold can split a character.
  static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(ImportError) -> ImportedFile {
    var (bytes, encoding, warnings) = (bytes, TextEncoding.utf8, [Issue]())
    var file = ImportedFile(.vcard, .utf8)
    if TextEncoding.isUTF16(bytes) {
      bytes = try TextEncoding.decode(bytes).text
      file.encoding = .utf16
    } else {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      guard let guess = EncodingGuess(undeclaredLines(of: bytes), given: options.encoding) else {
        throw .unreadable(.encoding, line: nil)
      }
      (encoding, warnings) = (guess.encoding, guess.warnings)
      file.encoding = encoding
    }
    file.warnings = warnings
    var reader = VCardImport(lines: VCardLines(bytes), encoding: encoding, options: options)
    while let entry = reader.next(&file) { try file.add(entry) }
    return file
  }

  /// What is not ASCII in the lines of a file, and in no character set that its line names.
  private static func undeclaredLines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines = VCardLines(bytes)
    var found: [[UInt8]] = []
    while let line = lines.next() {
      if let bytes = VCardProperty.undeclaredBytes(of: line.bytes), !TextEncoding.isASCII(bytes) {
        found.append(bytes)
      }
    }
    return found
  }

  /// Returns the next contact; nil at the end.
  private mutating func next(_ file: inout ImportedFile) -> ImportEntry? {
    guard let start = openedLine ?? skipToBegin(&file) else { return nil }
    openedLine = nil
    var contact = Lines(start: start)
    var depth = 1
    while let line = lines.next() {
      guard let property = VCardProperty(line.bytes, encoding) else {
        if depth == 1 { contact.leaveOut(line.number) }
        continue
      }
      if property.name == "BEGIN" && isVCard(property) {
        // The AGENT of vCard 2.1 is a contact inside another; any other contact begins because the last was not ended.
        if depth == 1, contact.properties.last?.property.name != "AGENT" {
          openedLine = line.number
          return entry(contact, isFinished: false)
        }
        depth += 1
      }
      if property.name == "END" && isVCard(property) { depth -= 1 }
      if depth == 0 { return entry(contact, isFinished: true) }
      if depth == 1 { contact.add(property, line.number) }
    }
    return entry(contact, isFinished: false)
  }

  /// Reads up to the next BEGIN, and returns its line. What stands before it is named in the file's warnings.
  private mutating func skipToBegin(_ file: inout ImportedFile) -> Int? {
    while let line = lines.next() {
      if let begin = VCardProperty(line.bytes, encoding), begin.name == "BEGIN", isVCard(begin) {
        return line.number
      }
      file.leaveOut(1, ImportMessages.leftOutLine(line.number, ""))
    }
    return nil
  }

  private func isVCard(_ property: VCardProperty) -> Bool {
    property.value.trimmed.uppercased() == "VCARD"
  }

  private func entry(_ lines: Lines, isFinished: Bool) -> ImportEntry {
    let parts = VCardContact(lines.properties.map(\.property), language: options.language)
    var source = parts.source + lines.leftOut.map { SourceValue("line \($0)", "-") }
    if lines.isTooLong {
      return ImportEntry(
        line: lines.start, title: parts.contact.name, notImported: ImportMessages.tooManyProperties,
        source: source)
    }
    var card = parts.contact.cardBuilder(group: options.group, language: options.language)
    for line in lines.leftOut { card.warn(ImportMessages.leftOutLine(line, "line \(line)")) }
    for (property, line) in lines.properties where !property.isWhole {
      card.warn(ImportMessages.repairedLine(line, property.name))
    }
    if !isFinished {
      card.warn(Issue(field: "", code: .unclear, message: ImportMessages.unfinishedCard))
    }
    source.removeAll { $0.value.isBlank }
    var entry = card.entry(
      line: lines.start, dates: EntryDates(created: nil, modified: parts.revised), source: source)
    entry.skipIfInvalid()
    return entry
  }

  /// The lines of one contact.
  private struct Lines {
    let start: Int
    private(set) var properties: [(property: VCardProperty, line: Int)] = []
    private(set) var leftOut: [Int] = []
    private(set) var isTooLong = false

    init(start: Int) {
      self.start = start
    }

    mutating func add(_ property: VCardProperty, _ line: Int) {
      if properties.count == VCardImport.propertyLimit {
        isTooLong = true
      } else {
        properties.append((property, line))
      }
    }

    mutating func leaveOut(_ line: Int) {
      if leftOut.count == VCardImport.propertyLimit { isTooLong = true } else { leftOut.append(line) }
    }
  }
}
