public import Identifiers
import VaultCrypto
public import VaultModel
import VaultStore

/// A device that opens the vault with a secret of its own, kept in its keychain (T).
public struct BoundDevice: Sendable, Hashable {
  /// The device, for this vault: the id of its slot.
  public var id: Identifier
  /// What its owner calls it.
  public var name: String
  /// When it was bound.
  public var createdAt: Timestamp
  /// When it last opened the vault; nil for never.
  public var lastUsedAt: Timestamp?
  /// Whether it is the device at hand.
  public var isThisDevice: Bool
}

/// The document `devices`: what is known of each bound device, and which devices were asked whether they want to be.
package struct DeviceDocument {
  package static let name = "devices"

  private var values: SettingsText

  /// The document of a text; an empty one where the text is none.
  init(_ values: SettingsText?) {
    self.values = values ?? SettingsText()
  }

  var text: String { values.text }

  /// The devices that were bound, with the digest of the prints that were enrolled then.
  subscript(id: Identifier) -> Entry? {
    get {
      guard let name = values["\(id).name"], let created = time("\(id).createdAt"),
        let prints = values["\(id).prints"]
      else { return nil }
      return Entry(name: name, createdAt: created, lastUsedAt: time("\(id).lastUsedAt"), prints: prints)
    }
    set {
      values["\(id).name"] = newValue?.name
      values["\(id).createdAt"] = newValue.map { String($0.createdAt.milliseconds) }
      values["\(id).lastUsedAt"] = newValue?.lastUsedAt.map { String($0.milliseconds) }
      values["\(id).prints"] = newValue?.prints
    }
  }

  /// Whether a device was asked.
  func wasAsked(_ id: Identifier) -> Bool { values["\(id).asked"] == "true" }

  /// Remembers that a device was asked.
  mutating func noteAsked(_ id: Identifier) { values["\(id).asked"] = "true" }

  /// Forgets the devices that have no slot any more.
  mutating func keep(_ slots: Set<Identifier>) {
    for name in values.values.map(\.name) where name.hasSuffix(".name") {
      guard let id = Identifier(String(name.dropLast(5))), !slots.contains(id) else { continue }
      self[id] = nil
    }
  }

  private func time(_ name: String) -> Timestamp? {
    values[name].flatMap(Int64.init).map { Timestamp(milliseconds: $0) }
  }

  struct Entry: Hashable {
    var name: String
    var createdAt: Timestamp
    var lastUsedAt: Timestamp?
    /// The digest of the prints, in hexadecimal.
    var prints: String
  }
}
