package import Identifiers
package import JSON
package import VaultModel

/// `vault/repair`: makes an intact vault from every record that can be decrypted.
package struct VaultRepair: VaultRequest {
  package static let method = "vault/repair"

  /// Nil if the vault is unlocked.
  package var password: String?
  /// The path for the copy of the damaged file; nil for a name beside it.
  package var backup: String?

  package static let coder = ObjectCoder(
    Self.init, .optional("password", \.password), .optional("backup", \.backup))

  package struct Answer: ResultObject, Hashable {
    /// A record that could not be decrypted.
    package enum Dropped: ResultObject, Hashable {
      case card(Identifier)
      /// An attachment, whose card was kept without it.
      case attachment(Identifier)
      /// A document, such as the settings.
      case document(String)

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

    /// The numbers of records that were kept.
    package struct Kept: ResultObject, Hashable {
      package var cards, attachments: Int

      package static let coder = ObjectCoder(
        Self.init, .required("cards", \.cards), .required("attachments", \.attachments))
    }

    /// The path of the copy of the damaged file; nil if there was nothing to repair.
    package var backup: String?
    package var kept: Kept
    package var dropped: [Dropped]
    /// The number of cards that are missing; nil if it is unknown.
    package var missing: Int?
    package var integrity = Integrity.intact

    package static let coder = ObjectCoder(
      Self.init, .nullable("backup", \.backup), .required("kept", \.kept), .required("dropped", \.dropped),
      .nullable("missingCards", \.missing), .required("integrity", \.integrity))
  }
}

extension VaultRepair.Answer {
  package init(backup: String?, cards: Int, attachments: Int, dropped: [Dropped], missing: Int?) {
    self.init(
      backup: backup, kept: Kept(cards: cards, attachments: attachments), dropped: dropped, missing: missing)
  }
}
