package import Wire

/// `client/list`: the connected clients of the vault (U).
package struct ClientList: ParameterlessRequest {
  package static let method = "client/list"
  package typealias Response = ItemsResponse<Client>

  package init() {}

  package struct Client: ResultObject, Hashable {
    /// Names it in `client/revoke`.
    package var id: Int
    package var program: ClientProgram
    /// Whether this is the client that asks.
    package var isOwn: Bool
    /// Whether it may use the unlocked vault.
    package var isAdmitted: Bool
    /// How it was admitted: `password`, `fingerprint`, `consent`, `setting` or `ticket`; nil if it was not.
    package var means: String?
    /// For how long it stays admitted, in seconds; nil if it was not, or by the setting or a ticket.
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

/// `client/requestConsent`: asks the users of the admitted clients whether this program may use the unlocked vault (U).
package struct ClientRequestConsent: ParameterlessRequest {
  package static let method = "client/requestConsent"
  package typealias Response = UnlockResponse

  package init() {}
}

/// `client/ticket`: a ticket that admits one program that the client starts (U).
package struct ClientTicket: ParameterlessRequest {
  package static let method = "client/ticket"

  package init() {}

  package struct Response: ResultObject, Hashable {
    /// For the variable `QUICKVAULT_TICKET` of the program.
    package var ticket: String
    /// For how long it can be used, in seconds.
    package var secondsLeft: Int

    package init(ticket: String, secondsLeft: Int) {
      (self.ticket, self.secondsLeft) = (ticket, secondsLeft)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("ticket", \.ticket), .required("secondsLeft", \.secondsLeft))
  }
}

/// `client/revoke`: a program may not use the unlocked vault any more until it is admitted again (U).
package struct ClientRevoke: VaultRequest {
  package static let method = "client/revoke"
  package typealias Response = NullResult

  /// The id of `client/list`.
  package var id: Int

  package init(id: Int) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
