import VaultInterface
import Wire

/// The document `devices`: the bound devices, and those to which binding was offered.
package struct DeviceDocument {
  package static let name = "devices"

  private var values: KeyValueText

  /// Reads a document; nil makes an empty one.
  init(_ values: KeyValueText?) {
    self.values = values ?? KeyValueText()
  }

  var text: String { values.text }

  /// A bound device; nil if it is not bound.
  subscript(id: Identifier) -> Entry? {
    get {
      guard let name = values["\(id).name"], let created = time("\(id).createdAt"),
        let digest = values["\(id).prints"]
      else { return nil }
      return Entry(name: name, createdAt: created, lastUsedAt: time("\(id).lastUsedAt"), fingerprints: digest)
    }
    set {
      values["\(id).name"] = newValue?.name
      values["\(id).createdAt"] = newValue.map { String($0.createdAt.milliseconds) }
      values["\(id).lastUsedAt"] = newValue?.lastUsedAt.map { String($0.milliseconds) }
      values["\(id).prints"] = newValue?.fingerprints
    }
  }

  /// Returns whether binding was offered to a device.
  func wasOffered(_ id: Identifier) -> Bool { values["\(id).asked"] == "true" }

  /// Records that binding was offered to a device.
  mutating func recordOffer(_ id: Identifier) { values["\(id).asked"] = "true" }

  /// Removes devices without a slot.
  mutating func keep(_ slots: Set<Identifier>) {
    for name in values.names where name.hasSuffix(".name") {
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
    /// The hash of the enrolled fingerprints, in hexadecimal.
    var fingerprints: String
  }
}
