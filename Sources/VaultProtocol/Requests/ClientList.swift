package import JSON

/// `client/list`: the connected clients of the vault (U).
package struct ClientList: VaultRequest {
  package static let method = "client/list"
  package typealias Response = ItemsResponse<Client>

  package static let coder = ObjectCoder(Self.init)

  package struct Client: ResultObject, Hashable {
    /// Names it in `client/revoke`.
    package var id: Int
    package var program: ClientProgram
    /// Whether this is the client that asks.
    package var isOwn: Bool
    /// Whether it may use the unlocked vault.
    package var isAdmitted: Bool
    /// How it was admitted: `password`, `fingerprint`, `consent` or `setting`; nil if it was not.
    package var means: String?
    /// For how long it stays admitted, in seconds; nil if it was not, or by the setting.
    package var secondsLeft: Int?

    package init(
      id: Int, program: ClientProgram, isOwn: Bool, isAdmitted: Bool, means: String?, secondsLeft: Int?
    ) {
      (self.id, self.program, self.isOwn) = (id, program, isOwn)
      (self.isAdmitted, self.means, self.secondsLeft) = (isAdmitted, means, secondsLeft)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("id", \.id), .required("program", \.program), .required("own", \.isOwn),
      .required("admitted", \.isAdmitted), .optional("means", \.means),
      .optional("secondsLeft", \.secondsLeft))
  }
}
