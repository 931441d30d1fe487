package import Identifiers
package import JSON
package import VaultModel

/// `vault/verify`: decrypts every record and checks the record hash.
package struct VaultVerify: VaultRequest {
  package static let method = "vault/verify"

  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(Self.init, .optional("progressToken", \.progressToken))

  package struct Answer: ResultObject, Hashable {
    package var cards: Int
    package var attachments: Int
    /// The records that cannot be decrypted.
    package var damaged: [Identifier]
    /// The state of the vault.
    package var integrity: Integrity

    package init(cards: Int, attachments: Int, damaged: [Identifier], integrity: Integrity) {
      self.cards = cards
      self.attachments = attachments
      self.damaged = damaged
      self.integrity = integrity
    }

    package static let coder = ObjectCoder(
      Self.init, .required("cards", \.cards), .required("attachments", \.attachments),
      .required("damaged", \.damaged), .required("integrity", \.integrity))
  }
}
