package import Wire

/// `sync/status`: how the vault is synchronised (S).
package struct SyncStatusRequest: ParameterlessRequest {
  package static let method = "sync/status"
  package typealias Response = SyncResponse

  package init() {}
}

/// `sync/enable`: begins to synchronise the vault over a folder (S).
package struct SyncEnable: VaultRequest {
  package static let method = "sync/enable"
  package typealias Response = SyncResponse

  /// The folder's path. It is made if it is missing.
  package var folder: String
  /// The name by which other machines show this one, of at most ``Limits/deviceName`` code points; nil for the host's.
  package var machine: String?
  package var progressToken: ProgressToken?

  package init(folder: String, machine: String?, progressToken: ProgressToken? = nil) {
    (self.folder, self.machine, self.progressToken) = (folder, machine, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("folder", \.folder),
    .optional("machine", \.machine).limited("machine", to: Limits.deviceName),
    .optional("progressToken", \.progressToken))
}

/// `sync/join`: makes the vault from a folder that another machine synchronises over, and opens it (S).
package struct SyncJoin: VaultRequest {
  package static let method = "sync/join"
  package typealias Response = SyncResponse

  package var folder: String
  /// The vault's password.
  package var password: String
  /// The name by which other machines show this one, of at most ``Limits/deviceName`` code points; nil for the host's.
  package var machine: String?
  package var progressToken: ProgressToken?

  package init(folder: String, password: String, machine: String?, progressToken: ProgressToken? = nil) {
    (self.folder, self.password, self.machine) = (folder, password, machine)
    self.progressToken = progressToken
  }

  package static let coder = ObjectCoder(
    Self.init, .required("folder", \.folder), .required("password", \.password),
    .optional("machine", \.machine).limited("machine", to: Limits.deviceName),
    .optional("progressToken", \.progressToken))
}

/// `sync/now`: applies what other machines have published, and publishes what this one changed (S).
package struct SyncNow: VaultRequest {
  package static let method = "sync/now"
  package typealias Response = SyncResponse

  /// Whether to wait up to 30 seconds until a pass has mirrored the folder to the account's server and fetched what is new there.
  package var waitsForServer: Bool
  package var progressToken: ProgressToken?

  package init(waitsForServer: Bool, progressToken: ProgressToken? = nil) {
    (self.waitsForServer, self.progressToken) = (waitsForServer, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .member("waitsForServer", \.waitsForServer, default: false),
    .optional("progressToken", \.progressToken))
}

/// `sync/disable`: stops synchronising the vault; published files stay in the folder (S).
package struct SyncDisable: ParameterlessRequest {
  package static let method = "sync/disable"
  package typealias Response = SyncResponse

  package init() {}
}

/// `sync/forget`: removes a lost machine's files from the folder (S).
package struct SyncForget: VaultRequest {
  package static let method = "sync/forget"
  package typealias Response = SyncResponse

  package var replica: Identifier

  package init(replica: Identifier) { self.replica = replica }

  package static let coder = ObjectCoder(Self.init, .required("replica", \.replica))
}

/// `sync/rejoin`: switches to the key that another machine made with `vault/rekey` (S).
package struct SyncRejoin: VaultRequest {
  package static let method = "sync/rejoin"
  package typealias Response = SyncResponse

  /// The password that was chosen there.
  package var password: String
  package var progressToken: ProgressToken?

  package init(password: String, progressToken: ProgressToken?) {
    (self.password, self.progressToken) = (password, progressToken)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password), .optional("progressToken", \.progressToken))
}
