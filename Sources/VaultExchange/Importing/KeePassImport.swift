import VaultModel

/// Reads the XML that KeePass 2 and KeePassXC export.
struct KeePassImport {
  private var reader: XMLReader
  private let options: ImportOptions
  private var file: ImportedFile
  private var recycleBin = ""
  private var recycleBinIsUsed = true

  /// Whether a document is a KeePass export.
  static func recognizes(_ text: [UInt8]) -> Bool {
    var reader = XMLReader(text)
    guard case .start("KeePassFile", _)? = try? reader.next() else { return false }
    return true
  }

  /// Reads a document in UTF-8.
  static func read(
    _ text: [UInt8], _ encoding: TextEncoding, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    var importer = KeePassImport(
      reader: XMLReader(text), options: options, file: ImportedFile(.keepassXML, encoding, source: "KeePass"))
    guard case .start("KeePassFile", _)? = try importer.reader.next() else { throw .unknownFormat }
    try importer.document()
    return importer.file
  }

  private mutating func document() throws(ImportError) {
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "Meta": try importer.meta()
      case "Root":
        try importer.forEachChild { importer, name, _ throws(ImportError) in
          guard name == "Group" else { return try importer.skip() }
          try importer.group(path: nil, isInRecycleBin: false)
        }
      default: try importer.skip()
      }
    }
    while try reader.next() != nil {}
  }

  private mutating func meta() throws(ImportError) {
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "Generator":
        let generator = try importer.text()
        if !generator.isBlank && generator.count <= 100 { importer.file.source = generator }
      case "RecycleBinEnabled": importer.recycleBinIsUsed = try importer.text().lowercased() != "false"
      case "RecycleBinUUID": importer.recycleBin = try importer.text().trimmed
      default: try importer.skip()
      }
    }
  }

  /// Reads a group.
  /// - Parameter path: the names of the enclosing groups except the outermost; nil for the outermost itself.
  private mutating func group(path: String?, isInRecycleBin: Bool) throws(ImportError) {
    let (outer, isOutermost) = (path ?? "", path == nil)
    var path = path
    var isInRecycleBin = isInRecycleBin
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "UUID":
        let identifier = try importer.text().trimmed
        if importer.recycleBinIsUsed, !identifier.isEmpty, identifier == importer.recycleBin {
          isInRecycleBin = true
        }
      case "Name":
        let name = try importer.text().trimmed
        if !isOutermost { path = outer.isEmpty ? name : outer + "/" + name }
      case "Entry": try importer.entry(folder: path ?? "", isInRecycleBin: isInRecycleBin)
      case "Group": try importer.group(path: path ?? "", isInRecycleBin: isInRecycleBin)
      default: try importer.skip()
      }
    }
  }

  private mutating func entry(folder: String, isInRecycleBin: Bool) throws(ImportError) {
    let line = reader.line
    var entry = KeePassEntry()
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "String": try importer.string(into: &entry)
      case "Tags": entry.tags = try importer.text()
      case "Times":
        try importer.forEachChild { importer, name, _ throws(ImportError) in
          switch name {
          case "CreationTime": entry.dates.created = KeePassEntry.time(try importer.text())
          case "LastModificationTime": entry.dates.modified = KeePassEntry.time(try importer.text())
          default: try importer.skip()
          }
        }
      case "Binary":
        entry.attachments += 1
        try importer.skip()
      default: try importer.skip()  // The history, which is no part of the entry as it is now, among them.
      }
    }
    try file.add(entry.imported(line: line, folder: folder, isInRecycleBin: isInRecycleBin, options))
  }

  private mutating func string(into entry: inout KeePassEntry) throws(ImportError) {
    var (key, value, isProtected) = ("", "", false)
    try forEachChild { importer, name, attributes throws(ImportError) in
      switch name {
      case "Key": key = try importer.text()
      case "Value":
        isProtected = attributes["ProtectInMemory"]?.lowercased() == "true"
        if attributes["Protected"]?.lowercased() == "true" { entry.isEncrypted = true }
        value = try importer.text()
      default: try importer.skip()
      }
    }
    entry.add(key, value, isProtected: isProtected)
  }

  // MARK: Elements

  /// Calls `body` for each child of the current element. `body` must read the child to its end.
  private mutating func forEachChild(
    _ body: (inout KeePassImport, String, [String: String]) throws(ImportError) -> Void
  ) throws(ImportError) {
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes): try body(&self, name, attributes)
      case .text: continue
      case .end: return
      }
    }
  }

  /// The text of the element that started last, without that of its children.
  private mutating func text() throws(ImportError) -> String {
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start: try skip()
      case .text(let piece): text += piece
      case .end: return text
      }
    }
    return text
  }

  /// Skips the rest of the element that started last.
  private mutating func skip() throws(ImportError) {
    var depth = 1
    while depth > 0, let event = try reader.next() {
      switch event {
      case .start: depth += 1
      case .end: depth -= 1
      case .text: continue
      }
    }
  }
}
