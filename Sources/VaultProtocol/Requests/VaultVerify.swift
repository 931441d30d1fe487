package import JSON
package import VaultModel

/// `vault/verify`: decrypts every record and checks the record hash.
package struct VaultVerify: VaultRequest {
  package static let method = "vault/verify"
  package typealias Response = Verification

  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(Self.init, .optional("progressToken", \.progressToken))
}

extension Verification: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("cards", \.cards), .required("attachments", \.attachments),
    .required("damaged", \.damaged), .required("findings", \.findings),
    .required("integrity", \.integrity))
}
