/// Why files could not be mirrored, or a sign-in failed.
package enum CarrierError: Error, Hashable, Sendable {
  /// This machine has no network.
  case offline
  case nameNotFound
  /// Nothing answers at the address.
  case unreachable
  /// The server's certificate is not valid for it.
  case certificate
  /// The server's certificate begins in the future.
  case clockWrong
  /// The server did not accept the password or token, or does not allow the request.
  case refused
  /// The server does not speak the protocol as it should, or there is nothing at the address.
  case wrongServer
  /// The server sent on to another one.
  case redirected
  case noQuota
  /// The server wants fewer requests.
  case rateLimited(retryAfter: Int?)
  /// The server sent or took nothing for too long.
  case timedOut
  /// The connection ended too early, or what arrived was not what was sent.
  case interrupted
  /// An error of the server, with its HTTP status.
  case serverFailed(Int)
  case cancelled
  /// The folder cannot be read or written: an error number (errno(3)).
  case folder(Int32)
  /// Another process mirrors the folder.
  case folderInUse
  /// The provider no longer accepts the sign-in.
  case signInAgain
  /// The person, or the provider, refused the sign-in.
  case signInRefused
  /// Nobody signed in in time.
  case signInExpired
  /// The provider's own words for another error, bounded and without control characters.
  case providerError(ProviderText)
  /// The file of certificates cannot be read, or has none: an error number (errno(3)).
  case certificateFile(Int32)
  /// The server does not take files of this size, in bytes.
  case tooLarge(Int)
  /// The server accepts the sign-in, but does not let a file be written or removed.
  case forbidden
  /// Somebody has locked a file on the server, such as an upload that was cut off.
  case locked
  /// The server's list of a folder leaves out files that are there.
  case listIncomplete
  /// The server takes only sign-ins by HTTP Digest authentication.
  case digestOnly
  /// The server cannot rename files, with its HTTP status.
  case renameRefused(Int)
  /// The server names itself by addresses of another server, or without TLS.
  case overwriteHost

  /// Whether the same request may succeed in a moment.
  package var isTransient: Bool {
    switch self {
    case .timedOut, .interrupted, .serverFailed, .locked, .rateLimited(.some): true
    default: false
    }
  }

  /// Whether another file may be carried nevertheless.
  package var concernsOneFile: Bool {
    switch self {
    case .tooLarge, .forbidden, .locked, .noQuota, .wrongServer, .interrupted, .timedOut, .serverFailed,
      .renameRefused:
      true
    default: false
    }
  }

  /// Whether the same request may succeed while somebody signs in, who may change the network meanwhile.
  package var isTransientForSignIn: Bool {
    switch self {
    case .offline, .nameNotFound, .unreachable, .rateLimited: true
    default: isTransient
    }
  }
}

/// What a provider says, for a person to read: one line of at most 200 characters without control characters.
package struct ProviderText: Hashable, Sendable {
  private static let longest = 200

  package let text: String

  package init(_ text: String) {
    let visible = text.unicodeScalars.prefix(4 * Self.longest).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
        Character(" ")
      default: Character(scalar)
      }
    }
    self.text = String(String(visible).split(separator: " ").joined(separator: " ").prefix(Self.longest))
  }
}
