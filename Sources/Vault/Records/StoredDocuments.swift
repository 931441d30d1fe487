package import VaultInterface
package import Wire

extension Settings.LanguageChoice {
  /// Nil leaves the language to the client.
  package var language: Language? {
    switch self {
    case .automatic: nil
    case .english: .english
    case .simplifiedChinese: .simplifiedChinese
    }
  }
}

extension Settings {
  /// Reads the sealed document; missing or invalid values become the defaults.
  package init(_ values: KeyValueText) {
    self.init()
    for setting in Setting.allCases {
      guard let value = values[setting.rawValue].flatMap(setting.value(ofStored:)) else { continue }
      self[setting] = value
    }
  }

  /// Reads the settings that are stored in plaintext; nil if the text is none of ``plaintext``.
  init?(plaintext: String) {
    guard let values = KeyValueText(plaintext) else { return nil }
    self.init(values)
  }

  /// The settings that are needed while the vault is locked, stored in plaintext. The sealed settings are authoritative:
  /// unlocking compares both, repairs a difference and records it in the log. Settings newer than the first version are
  /// written only if they differ from their default, so that a vault of an older program does not look forged.
  package var plaintext: String {
    var values = KeyValueText()
    values["language"] = language.rawValue
    if !isOn(.biometricUnlock) { values["biometricUnlock"] = "false" }
    return values.text
  }

  /// Writes every setting into the document.
  func write(to values: inout KeyValueText) {
    for setting in Setting.allCases { values[setting.rawValue] = setting.stored(self[setting]) }
  }
}

extension Setting {
  /// Reads a stored value; nil if it is none that can be set. A template is taken as it is.
  fileprivate func value(ofStored text: String) -> Value? {
    switch description.kind {
    case .flag: ["true": .flag(true), "false": .flag(false)][text]
    case .seconds(let range):
      text == "never" ? Value.none : Int(text).flatMap { range.contains($0) ? .seconds($0) : nil }
    case .count(let range): Int(text).flatMap { range.contains($0) ? .number($0) : nil }
    case .choice(let choices): choices.contains { $0.value == text } ? .text(text) : nil
    case .template: .text(text)
    case .tag: text == "none" ? Value.none : text.hasPrefix("#") ? .text(String(text.dropFirst())) : nil
    }
  }

  /// The text that is stored; nil for none.
  fileprivate func stored(_ value: Value) -> String? {
    switch value {
    case .flag(let isOn): String(isOn)
    case .seconds(let number), .number(let number): String(number)
    case .text(let text): description.kind == .tag ? "#" + text : text
    case .none: description.kind == .tag ? "none" : template == nil ? "never" : nil
    }
  }
}

/// The document `sync` of a synchronised vault: the identity of this replica, and what it knows of the others.
package struct SyncDocument: Hashable, Sendable {
  package static let name = "sync"

  /// The lines of the document.
  package var values: KeyValueText

  /// Makes the document of a new replica.
  package init(replica: Identifier) {
    values = KeyValueText()
    self.replica = replica
  }

  /// Reads a document; nil without a replica.
  package init?(_ values: KeyValueText) {
    guard values["replica"].flatMap(Identifier.init) != nil else { return nil }
    self.values = values
  }

  /// Identifies this file among the files of the vault. A copy of the file gets another when it is first opened.
  package var replica: Identifier {
    get { values["replica"].flatMap(Identifier.init) ?? .zero }
    set { values["replica"] = newValue.description }
  }

  /// What distinguishes this file's place from all others: a file that is found elsewhere is a copy.
  package var place: String {
    get { values["place"] ?? "" }
    set { values["place"] = newValue }
  }

  /// The replica's id before the machine was restored from a backup, or the vault repaired; nil if neither was. This replica publishes
  /// what that one had published.
  package var former: Identifier? {
    get { values["former"].flatMap(Identifier.init) }
    set { values["former"] = newValue?.description }
  }

  /// The other replicas that were seen.
  package var others: [Identifier] {
    values.names.compactMap { name in
      guard name.hasSuffix(".sequence"), name.utf8.count == 45 else { return nil }
      return Identifier(String(name.prefix(36)))
    }.sorted()
  }
}
