package import JSON
package import VaultModel

/// `vault/repair`: makes an intact vault from every record that can be decrypted.
package struct VaultRepair: VaultRequest {
  package static let method = "vault/repair"
  package typealias Response = Repair

  /// Nil if the vault is unlocked.
  package var password: String?
  /// The path for the copy of the damaged file; nil for a name beside it.
  package var backup: String?

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
