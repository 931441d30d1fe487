import VaultInterface

/// Reads the XML that KeePass 2 and KeePassXC export.
struct KeePassImport {
  private var reader: XMLReader
  private let options: ImportOptions
  private var file: ImportedFile
  private var recycleBin = ""
  private var recycleBinIsUsed = true
  /// The entries, until all are read that they may refer to.
  private var entries: [KeePassEntry] = []
  private var versions = 0

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
    guard case .start("KeePassFile", _)? = try importer.reader.next() else { throw .unknownFormat() }
    try importer.document()
    let references = KeePassReferences(importer.entries)
    for entry in importer.entries { try importer.file.add(entry.imported(references, options)) }
    if importer.versions > 0 {
      importer.file.leaveOut(
        importer.versions,
        Issue(field: "History", code: .leftOut, message: ImportMessages.notImported(ImportMessages.history)))
    }
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
      case "Notes":
        if !(try importer.text()).isBlank {
          importer.file.leaveOut(
            1,
            Issue(
              field: "Notes", code: .leftOut, message: ImportMessages.notImported(ImportMessages.groupNotes)))
        }
      case "Entry": try importer.entry(folder: path ?? "", isInRecycleBin: isInRecycleBin)
      case "Group": try importer.group(path: path ?? "", isInRecycleBin: isInRecycleBin)
      default: try importer.skip()
      }
    }
  }

  private mutating func entry(folder: String, isInRecycleBin: Bool) throws(ImportError) {
    var entry = KeePassEntry(line: reader.line)
    (entry.folder, entry.isInRecycleBin) = (folder, isInRecycleBin)
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "UUID": entry.identifier = try importer.text()
      case "String": try importer.string(into: &entry)
      case "Tags": entry.tags = try importer.text()
      case "OverrideURL": entry.add("OverrideURL", try importer.text(), isProtected: false)
      case "Times": try importer.times(of: &entry)
      case "Binary":
        entry.attachments += 1
        try importer.skip()
      case "AutoType":
        try importer.forEachChild { importer, name, _ throws(ImportError) in
          if name == "Association" { entry.hasAutoType = true }
          if name == "DefaultSequence" {
            let sequence = try importer.text()
            entry.hasAutoType = entry.hasAutoType || !sequence.isBlank
          } else {
            try importer.skip()
          }
        }
      case "CustomData":
        try importer.forEachChild { importer, name, _ throws(ImportError) in
          guard name == "Item" else { return try importer.skip() }
          try importer.string(into: &entry, isProtected: true)
        }
      case "History":
        try importer.forEachChild { importer, name, _ throws(ImportError) in
          if name == "Entry" { importer.versions += 1 }
          try importer.skip()
        }
      default: try importer.skip()
      }
    }
    guard entries.count < ImportedFile.entryLimit else {
      throw .tooManyEntries(limit: ImportedFile.entryLimit)
    }
    entries.append(entry)
  }

  private mutating func times(of entry: inout KeePassEntry) throws(ImportError) {
    var (expires, expiry) = (false, "")
    try forEachChild { importer, name, _ throws(ImportError) in
      switch name {
      case "CreationTime": entry.dates.created = KeePassEntry.time(try importer.text())
      case "LastModificationTime": entry.dates.modified = KeePassEntry.time(try importer.text())
      case "Expires": expires = try importer.text().lowercased() == "true"
      case "ExpiryTime": expiry = try importer.text().trimmed
      default: try importer.skip()
      }
    }
    if expires { entry.expiry = KeePassEntry.time(expiry)?.description ?? expiry }
  }

  private mutating func string(
    into entry: inout KeePassEntry, isProtected: Bool = false
  ) throws(ImportError) {
    var (key, value, isProtected) = ("", "", isProtected)
    try forEachChild { importer, name, attributes throws(ImportError) in
      switch name {
      case "Key": key = try importer.text()
      case "Value":
        isProtected = isProtected || attributes["ProtectInMemory"]?.lowercased() == "true"
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
