package import Wire

/// How the vault is synchronised (S).
package struct SyncResponse: ResultObject, Hashable {
  package enum State: String, CaseIterable, JSONCodable {
    case idle
    /// Others' changes are being applied, or own ones published.
    case syncing
    /// The last attempt failed; the next follows by itself.
    case failed
  }

  /// Another machine, as this one sees it.
  package struct Machine: ResultObject, Hashable {
    package var replica: Identifier
    /// The machine's name; empty until something of it was read.
    package var machine: String
    /// When its newest change that is here was published.
    package var lastSeen: Timestamp?
    /// The number of its segments that other machines have, and this one has not.
    package var behind: Int
    package var problem: Problem?

    package init(
      replica: Identifier, machine: String, lastSeen: Timestamp?, behind: Int, problem: Problem?
    ) {
      (self.replica, self.machine, self.lastSeen) = (replica, machine, lastSeen)
      (self.behind, self.problem) = (behind, problem)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("replica", \.replica), .required("machine", \.machine),
      .optional("lastSeen", \.lastSeen), .required("behind", \.behind), .optional("problem", \.problem))
  }

  /// A problem with the files of a machine, which were not applied.
  package struct Problem: ResultObject, Hashable {
    package enum Kind: String, CaseIterable, JSONCodable {
      case missing, unreadable, replaced, placeholder, contentMissing
    }

    package var kind: Kind
    /// The number of the first segment that it concerns.
    package var segment: Int
    package var message: LocalizedMessage

    package init(kind: Kind, segment: Int, message: LocalizedMessage) {
      (self.kind, self.segment, self.message) = (kind, segment, message)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("kind", \.kind), .required("segment", \.segment), .members(\.message))
  }

  /// Why the last attempt failed.
  package struct Failure: ResultObject, Hashable {
    /// The kind of the error that `sync/now` would answer.
    package var kind: String
    package var message: LocalizedMessage
    /// When the first of the attempts that failed since the last success was made.
    package var since: Timestamp

    package init(kind: String, message: LocalizedMessage, since: Timestamp) {
      (self.kind, self.message, self.since) = (kind, message, since)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("kind", \.kind), .members(\.message), .required("since", \.since))
  }

  /// How the folder is mirrored to the account's server.
  package struct MirrorStatus: ResultObject, Hashable {
    /// When this process last mirrored everything; nil before.
    package var lastMirrored: Timestamp?
    /// Why the last pass failed; nil if it did not.
    package var failure: Failure?
    /// When the next pass begins after one that failed; nil if it did not.
    package var nextTry: Timestamp?
    /// Why the last uploads were less safe than usual; nil if they were not.
    package var notice: LocalizedMessage?
    /// How far the pass is that runs; nil if none does, or for less than a second.
    package var percentage: Int?

    package init(
      lastMirrored: Timestamp?, failure: Failure?, nextTry: Timestamp?, notice: LocalizedMessage?,
      percentage: Int?
    ) {
      (self.lastMirrored, self.failure, self.nextTry) = (lastMirrored, failure, nextTry)
      (self.notice, self.percentage) = (notice, percentage)
    }

    package static let coder = ObjectCoder(
      Self.init, .optional("lastMirrored", \.lastMirrored), .optional("failure", \.failure),
      .optional("nextTry", \.nextTry), .optional("notice", \.notice), .optional("percentage", \.percentage))
  }

  /// The members that exist only if the vault is synchronised.
  package struct Details: ResultObject, Hashable {
    package var state: State
    package var folder: String
    /// The identifier of this machine's vault file.
    package var replica: Identifier
    /// The name of this machine.
    package var machine: String
    /// The number of segments that this machine has published.
    package var published: Int
    /// True if another machine has made a new key, which this one follows with the new password; else nil.
    package var needsPassword: Bool?
    /// What somebody has to look at, in a sentence; nil if nothing.
    package var needsAttention: LocalizedMessage?
    /// When this process last synchronised the vault; nil before.
    package var lastSynced: Timestamp?
    package var failure: Failure?
    /// Nil if nobody is signed in to a server.
    package var mirror: MirrorStatus?
    /// The other machines.
    package var replicas: [Machine]

    package init(
      state: State, folder: String, replica: Identifier, machine: String, published: Int,
      needsPassword: Bool?, needsAttention: LocalizedMessage?, lastSynced: Timestamp?, failure: Failure?,
      mirror: MirrorStatus?, replicas: [Machine]
    ) {
      (self.state, self.folder, self.replica, self.machine) = (state, folder, replica, machine)
      (self.published, self.lastSynced) = (published, lastSynced)
      (self.needsPassword, self.needsAttention) = (needsPassword, needsAttention)
      (self.failure, self.mirror, self.replicas) = (failure, mirror, replicas)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("state", \.state), .required("folder", \.folder), .required("replica", \.replica),
      .required("machine", \.machine), .required("published", \.published),
      .optional("needsPassword", \.needsPassword), .optional("needsAttention", \.needsAttention),
      .optional("lastSynced", \.lastSynced),
      .optional("failure", \.failure), .optional("mirror", \.mirror),
      .required("replicas", \.replicas))
  }

  /// Nil if the vault is not synchronised.
  package var details: Details?

  package init(_ details: Details?) { self.details = details }

  package static let coder = ObjectCoder(flag: "enabled", Self.init) { $0.details }
}

/// The account of the vault, and how its folder is mirrored to the server.
package struct AccountResponse: ResultObject, Hashable {
  /// The places where tokens or an app password can be stored.
  package enum TokenStorage: String, CaseIterable, JSONCodable {
    case keychain, vault
  }

  /// The members that exist only while somebody is signed in.
  package struct Details: ResultObject, Hashable {
    package var method: AccountMethod
    /// The URL of the WebDAV folder.
    package var address: String
    package var user: String?
    /// The path of a file with certificates of authorities; nil for those of the system.
    package var authorities: String?
    /// The place of the sign-in; nil if it is in memory, while there is no vault.
    package var tokensIn: TokenStorage?
    /// When the access token expires. It is replaced before.
    package var expiresAt: Timestamp?
    package var mirror: SyncResponse.MirrorStatus

    package init(
      method: AccountMethod, address: String, user: String?, authorities: String?, tokensIn: TokenStorage?,
      expiresAt: Timestamp?, mirror: SyncResponse.MirrorStatus
    ) {
      (self.method, self.address) = (method, address)
      (self.user, self.authorities) = (user, authorities)
      (self.tokensIn, self.expiresAt, self.mirror) = (tokensIn, expiresAt, mirror)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("method", \.method), .required("address", \.address), .optional("user", \.user),
      .optional("caFile", \.authorities), .optional("tokensIn", \.tokensIn),
      .optional("expiresAt", \.expiresAt), .members(\.mirror))
  }

  /// Nil if nobody is signed in.
  package var details: Details?

  package init(_ details: Details?) { self.details = details }

  package static let coder = ObjectCoder(flag: "signedIn", Self.init) { $0.details }
}
