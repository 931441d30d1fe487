package import Wire

/// `vault/verify`: decrypts every record and checks the record hash.
package struct VaultVerify: VaultRequest {
  package static let method = "vault/verify"
  package typealias Response = Verification

  package var progressToken: ProgressToken?

  package init(progressToken: ProgressToken? = nil) { self.progressToken = progressToken }

  package static let coder = ObjectCoder(Self.init, .optional("progressToken", \.progressToken))
}

extension Verification: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("cards", \.cards), .required("attachments", \.attachments),
    .required("damaged", \.damaged), .required("findings", \.findings),
    .required("integrity", \.integrity))
}

/// `vault/backup`: copies the vault to a file, and verifies the copy.
package struct VaultBackup: VaultRequest {
  package static let method = "vault/backup"
  package typealias Response = Backup

  /// A directory, or the path of the backup.
  package var path: String
  /// The number of backups of this vault to keep in the directory; nil for all.
  package var keep: Int?
  /// Whether an existing file at the path of the backup is replaced.
  package var overwrites: Bool
  package var progressToken: ProgressToken?

  package init(path: String, keep: Int?, overwrites: Bool = false, progressToken: ProgressToken?) {
    (self.path, self.keep) = (path, keep)
    (self.overwrites, self.progressToken) = (overwrites, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .integer("keep", \.keep, in: 1...1_000),
    .member("overwrite", \.overwrites, default: false), .optional("progressToken", \.progressToken))
}

extension Backup: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("size", \.size), .required("cards", \.cards),
    .required("attachments", \.attachments), .required("integrity", \.integrity),
    .required("removed", \.removed))
}

/// `vault/repair`: makes an intact vault from every record that can be decrypted.
package struct VaultRepair: VaultRequest {
  package static let method = "vault/repair"
  package typealias Response = Repair

  /// Nil if the vault is unlocked.
  package var password: String?
  /// The path for the copy of the damaged file; nil for a name beside it.
  package var backup: String?

  package init(password: String?, backup: String? = nil) { (self.password, self.backup) = (password, backup) }

  package static let coder = ObjectCoder(
    Self.init, .optional("password", \.password), .optional("backup", \.backup))
}

extension Repair: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .nullable("backup", \.backup), .required("kept", \.kept), .required("dropped", \.dropped),
    .nullable("missingCards", \.missing), .required("integrity", \.integrity))
}

extension Repair.Kept: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("cards", \.cards), .required("attachments", \.attachments))
}

extension Repair.Dropped: ResultObject {
  private enum Kind: String, CaseIterable, JSONCodable {
    case card, attachment, document
  }

  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      let kind: Kind = try members.required("kind")
      switch kind {
      case .card: return .card(try members.required("id"))
      case .attachment: return .attachment(try members.required("id"))
      case .document: return .document(try members.required("name"))
      }
    },
    write: { dropped, members in
      switch dropped {
      case .card(let id): members += [.init("kind", "card"), .init("id", id.json)]
      case .attachment(let id): members += [.init("kind", "attachment"), .init("id", id.json)]
      case .document(let name): members += [.init("kind", "document"), .init("name", name.json)]
      }
    })
}

/// `vault/import`: stores the cards of a file from another program, or from QuickVault.
package struct VaultImport: VaultRequest {
  package static let method = "vault/import"
  package typealias Response = ImportReport

  /// What to do if an entry cannot be stored.
  package enum ErrorPolicy: String, CaseIterable, JSONCodable {
    /// Store nothing.
    case refuse
    /// Store the others.
    case skip
  }

  /// What to do with an entry whose content the vault has already.
  package enum DuplicatePolicy: String, CaseIterable, JSONCodable {
    case skip
    /// Store it anyway.
    case keep
  }

  package var source: ContentSource
  /// Nil to detect it.
  package var format: ImportFormat?
  /// The encoding of the text; nil to detect it.
  package var encoding: TextEncoding?
  /// The targets of columns, by name of the column.
  package var mapping: [String: String]
  /// The type of the cards of a table that has no column for it; nil to detect it.
  package var type: CardType?
  /// The group of the cards for which the file has none.
  package var group: CardGroup
  /// Whether nothing is stored and only the report is wanted.
  package var isDryRun: Bool
  package var onError: ErrorPolicy
  package var duplicates: DuplicatePolicy
  package var progressToken: ProgressToken?

  package init(
    source: ContentSource, format: ImportFormat?, encoding: TextEncoding?, mapping: [String: String],
    type: CardType?, group: CardGroup, isDryRun: Bool, onError: ErrorPolicy, duplicates: DuplicatePolicy,
    progressToken: ProgressToken?
  ) {
    (self.source, self.format, self.encoding, self.mapping) = (source, format, encoding, mapping)
    (self.type, self.group, self.isDryRun, self.onError) = (type, group, isDryRun, onError)
    (self.duplicates, self.progressToken) = (duplicates, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .members(\.source), .optional("format", \.format),
    .optional("encoding", \.encoding), .member("mapping", \.mapping, default: [:]), .optional("type", \.type),
    .member("group", \.group, default: .personal), .member("dryRun", \.isDryRun, default: false),
    .member("onError", \.onError, default: .refuse),
    .member("duplicates", \.duplicates, default: .skip), .optional("progressToken", \.progressToken))
}

/// `vault/export`: writes cards to a file that is not encrypted. It needs the password.
package struct VaultExport: VaultRequest {
  package static let method = "vault/export"

  package var path: String
  package var format: ExportFormat
  /// Required unless ``isDryRun``.
  package var password: String?
  /// Whether an existing file is replaced.
  package var overwrites: Bool
  /// The cards, as `card/search` finds them; nil for all.
  package var query: String?
  /// The cards to write; nil for all.
  package var ids: [Identifier]?
  /// Whether attachments are written, if the format can hold them.
  package var includesAttachments: Bool
  /// Whether nothing is written, and the path not looked at.
  package var isDryRun: Bool
  package var progressToken: ProgressToken?

  package init(
    path: String, format: ExportFormat, password: String? = nil, overwrites: Bool = false,
    query: String? = nil, ids: [Identifier]? = nil, includesAttachments: Bool = true, isDryRun: Bool = false,
    progressToken: ProgressToken? = nil
  ) {
    (self.path, self.format, self.password, self.overwrites) = (path, format, password, overwrites)
    (self.query, self.ids, self.includesAttachments) = (query, ids, includesAttachments)
    (self.isDryRun, self.progressToken) = (isDryRun, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .required("format", \.format), .optional("password", \.password),
    .member("overwrite", \.overwrites, default: false), .optional("query", \.query),
    .optional("ids", \.ids),
    .member("attachments", \.includesAttachments, default: true),
    .member("dryRun", \.isDryRun, default: false),
    .optional("progressToken", \.progressToken))

  package struct Response: ResultObject, Hashable {
    /// The path of the file, with `~` expanded.
    package var path: String
    /// The size in bytes.
    package var size: Int
    package var cards = 0
    package var attachments = 0
    /// The number of cards that the format cannot hold.
    package var cardsLeftOut = 0
    package var attachmentsLeftOut = 0
    /// The number of concealed values that the format cannot hold, of cards that are written.
    package var concealedLeftOut = 0
    /// The number of cards and attachments that cannot be decrypted, and of cards that are missing from the vault.
    package var damaged = 0

    package static let coder = ObjectCoder(
      Self.init, .required("path", \.path), .required("size", \.size), .required("cards", \.cards),
      .required("attachments", \.attachments), .required("cardsLeftOut", \.cardsLeftOut),
      .required("attachmentsLeftOut", \.attachmentsLeftOut),
      .required("concealedLeftOut", \.concealedLeftOut), .required("damaged", \.damaged))
  }
}

extension VaultExport.Response {
  /// Creates the answer for a file that is still empty, or is not written.
  package init(path: String) {
    self.init(path: path, size: 0)
  }
}

/// `vault/merge`: merges another copy of the vault into it.
package struct VaultMerge: VaultRequest {
  package static let method = "vault/merge"
  package typealias Response = Merge

  /// The path of the other copy.
  package var path: String
  /// The password of the other copy; nil to open it with this vault's key.
  package var password: String?
  /// Whether nothing is changed and only the answer is wanted.
  package var isDryRun: Bool
  package var progressToken: ProgressToken?

  package init(path: String, password: String? = nil, isDryRun: Bool, progressToken: ProgressToken?) {
    (self.path, self.password) = (path, password)
    (self.isDryRun, self.progressToken) = (isDryRun, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("path", \.path), .optional("password", \.password),
    .member("dryRun", \.isDryRun, default: false), .optional("progressToken", \.progressToken))
}

extension Merge: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("added", \.added), .required("updated", \.updated),
    .required("deleted", \.deleted), .required("unchanged", \.unchanged),
    .required("settings", \.takesSettings), .required("conflicts", \.conflicts),
    .optional("conflictsLeftOut", \.conflictsLeftOut))
}
