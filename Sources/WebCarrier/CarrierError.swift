/// Why files could not be carried.
package enum CarrierError: Error, Equatable, Sendable {
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
  /// The server does not speak WebDAV as it should, or there is no collection at the address.
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
  /// The folder, or the file of certificates, cannot be read or written: an error number (errno(3)).
  case folder(Int32)
  /// Another process carries the folder.
  case folderInUse

  /// Whether the same request may succeed in a moment.
  var isTransient: Bool {
    switch self {
    case .timedOut, .interrupted, .serverFailed, .rateLimited: true
    default: false
    }
  }

  /// A name that never changes.
  package var kind: String {
    switch self {
    case .offline: "carrier.offline"
    case .nameNotFound: "carrier.nameNotFound"
    case .unreachable: "carrier.unreachable"
    case .certificate: "carrier.certificate"
    case .clockWrong: "carrier.clockWrong"
    case .refused: "carrier.refused"
    case .wrongServer: "carrier.wrongServer"
    case .redirected: "carrier.redirected"
    case .noQuota: "carrier.noQuota"
    case .rateLimited: "carrier.rateLimited"
    case .timedOut: "carrier.timedOut"
    case .interrupted: "carrier.interrupted"
    case .serverFailed: "carrier.serverFailed"
    case .cancelled: "carrier.cancelled"
    case .folder: "carrier.folder"
    case .folderInUse: "carrier.folderInUse"
    }
  }
}
