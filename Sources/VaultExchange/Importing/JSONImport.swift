import VaultInterface
import Wire

/// Reads the JSON that QuickVault, Bitwarden and Enpass write.
enum JSONImport {
  /// The version of QuickVault's JSON that is read and written.
  static let version = 1

  /// The format of a JSON text, by what only files of that format have; nil if it is none of them.
  static func format(of text: [UInt8]) -> ImportFormat? {
    if firstByte(of: text) == UInt8(ascii: "[") {
      return isCard(first(of: JSONElements.whole(text), in: text)) ? .json : nil
    }
    guard let members = try? JSONElements.members(of: text) else { return nil }
    let names = members.map(\.name)
    let element = { (name: String) in
      members.first { $0.name == name }.flatMap { first(of: $0.part, in: text) }
    }
    if names.contains("quickvault") { return .json }
    if names.contains("cards"), Set(names).isSubset(of: ["cards", "attachments"]) {
      return isCard(element("cards")) ? .json : nil
    }
    if names.contains("encrypted") { return .bitwardenJSON }
    guard let item = element("items") else { return nil }
    if item["title"]?.string != nil,
      item["category"] != nil || item["template_type"] != nil || item["subtitle"] != nil
    {
      return .enpassJSON
    }
    return item["name"] != nil && item["type"]?.integer != nil ? .bitwardenJSON : nil
  }

  /// The first element of a list, read; an empty object for an empty list, and nil for no list.
  private static func first(of part: JSONElements.Part, in text: [UInt8]) -> JSON? {
    var found: JSON?
    var isEmpty = true
    try? JSONElements.forEach(of: part, in: text) { element throws(ImportError) in
      guard isEmpty else { return }
      (found, isEmpty) = (JSONElements.read(element, of: text), false)
    }
    return isEmpty ? .object([]) : found
  }

  /// Whether a value looks like a card of QuickVault, or is the empty object that stands for none.
  private static func isCard(_ json: JSON?) -> Bool {
    guard case .object(let members)? = json else { return false }
    return members.isEmpty || json?["type"]?.string != nil && json?["title"] != nil && json?["fields"] != nil
  }

  /// Whether a text can only be JSON.
  static func isLikely(_ text: [UInt8]) -> Bool {
    let first = firstByte(of: text)
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func firstByte(of text: [UInt8]) -> UInt8? {
    text.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
  }

  /// Reads QuickVault's own: `{"quickvault": 1, "cards": […]}`, or the list of cards alone.
  static func readCards(
    _ text: [UInt8], _ encoding: TextEncoding, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    var file = ImportedFile(.json, encoding, source: "QuickVault")
    guard firstByte(of: text) != UInt8(ascii: "[") else {
      _ = try add(JSONElements.whole(text), of: text, to: &file)
      return file
    }
    let members = try JSONElements.members(of: text)
    if let version = members.first(where: { $0.name == "quickvault" }) {
      guard let number = JSONElements.read(version.part, of: text)?.integer, number > 0 else {
        throw .unreadable(.malformed, line: version.part.line)
      }
      guard number <= Self.version else { throw .unreadable(.newerVersion, line: version.part.line) }
    }
    guard let cards = members.first(where: { $0.name == "cards" }) else { throw .unknownFormat() }
    let places = try add(cards.part, of: text, to: &file)
    guard let attachments = members.first(where: { $0.name == "attachments" }) else { return file }
    file.text = text
    try JSONElements.forEach(of: attachments.part, in: text) { part throws(ImportError) in
      let found = JSONAttachment.read(part, of: text)
      if let found, let owner = places[found.card] {
        file.entries[owner].attachments.append(found.attachment)
      } else {
        let (name, message) = (
          found?.attachment.name ?? "", found == nil ? ImportMessages.notAnAttachment : ImportMessages.noOwner
        )
        file.orphanedAttachments += 1
        try file.add(ImportEntry(line: part.line, title: name, notImported: message, source: []))
      }
    }
    return file
  }

  /// Adds the cards of a list, and returns the index of each by its ID.
  private static func add(
    _ cards: JSONElements.Part, of text: [UInt8], to file: inout ImportedFile
  ) throws(ImportError) -> [String: Int] {
    var places: [String: Int] = [:]
    try JSONElements.forEach(of: cards, in: text) { part throws(ImportError) in
      let json = JSONElements.read(part, of: text)
      if let id = json?["id"]?.string { places[id] = file.entries.count }
      try file.add(entry(json, line: part.line))
    }
    return places
  }

  private static func entry(_ json: JSON?, line: Int) -> ImportEntry {
    guard let json else { return ImportEntry(line: line, unreadable: ImportMessages.notACard, source: []) }
    let source = JSONCard.source(json)
    do {
      let card = try JSONCard(json)
      let unknown = JSONCard.unknownMembers(of: json).map { name in
        Issue(field: name, code: .leftOut, message: ImportMessages.notImported(Localized(name, name)))
      }
      return ImportEntry(line: line, card.draft, dates: card.dates, warnings: unknown, source: source)
    } catch {
      let message = error.member.isEmpty ? ImportMessages.notACard : ImportMessages.wrongValue(error.member)
      let title = json["title"]?.string ?? ""
      return ImportEntry(line: line, title: title, unreadable: message, field: error.member, source: source)
    }
  }

  /// Reads the unencrypted export of Bitwarden or of Enpass.
  static func readItems(
    _ text: [UInt8], _ encoding: TextEncoding, _ format: ImportFormat, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    let isEnpass = format == .enpassJSON
    var file = ImportedFile(format, encoding, source: isEnpass ? "Enpass" : "Bitwarden")
    let members = try JSONElements.members(of: text)
    if let encrypted = members.first(where: { $0.name == "encrypted" }),
      JSONElements.read(encrypted.part, of: text) == .bool(true)
    {
      throw .unreadable(.encrypted, line: encrypted.part.line)
    }
    guard let items = members.first(where: { $0.name == "items" }) else { throw .unknownFormat() }
    var folders: [String: String] = [:]
    for name in ["folders", "collections"] {
      guard let list = members.first(where: { $0.name == name }) else { continue }
      try JSONElements.forEach(of: list.part, in: text) { part throws(ImportError) in
        let folder = JSONElements.read(part, of: text)
        let (id, name) = isEnpass ? (folder?["uuid"], folder?["title"]) : (folder?["id"], folder?["name"])
        if let id = id?.string, let name = name?.string { folders[id] = name }
      }
    }
    try JSONElements.forEach(of: items.part, in: text) { part throws(ImportError) in
      guard let json = JSONElements.read(part, of: text), case .object = json else {
        return try file.add(ImportEntry(line: part.line, unreadable: ImportMessages.notAnItem, source: []))
      }
      let entry =
        isEnpass
        ? EnpassItem(json, folders: folders, options).entry(line: part.line)
        : BitwardenItem(json, folders: folders, options).entry(line: part.line)
      try file.add(entry)
    }
    return file
  }
}
