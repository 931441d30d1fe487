import HelperProtocols
import Vault

/// The replacement of an account's tokens.
///
/// It goes on whether somebody waits for it or not, and in the next process after a lock: a provider may accept a refresh
/// token once, so that those which it sends in its place are to be kept.
struct TokenRefresh {
  /// The running refresh.
  var task: Task<CarrierCredentials, any Error>?
  /// A request, or its response, that the next process continues with.
  var pending: Pending?

  enum Pending {
    case request(CarrierProgram, TokenLock?, Account)
    /// New tokens of a vault that was locked meanwhile, which seals them when it opens.
    case answer(CarrierCredentials, Account)
    /// A request of the process before.
    case inherited(HandedOffRequest, Account)
  }

  /// Whether new tokens are to be kept that are not kept yet.
  var isPending: Bool { task != nil || pending != nil }

  /// Returns what the next process goes on with; nil for nothing. Its descriptors are others.
  func handedOff() -> HandedOff? {
    switch pending {
    case .request(let program, let lock, let account):
      guard let (carrier, received) = program.handOff() else { return nil }
      let request = HandedOffRequest(carrier: carrier, received: received, lock: lock?.handOff())
      return HandedOff(account: account, content: .request(request))
    case .answer(let credentials, let account):
      return HandedOff(account: account, content: .answer(credentials))
    case .inherited(let request, let account):
      return HandedOff(account: account, content: .request(request))
    case nil: return nil
    }
  }

  /// The state that is handed off at a lock.
  struct HandedOff: Hashable {
    var account: Account
    var content: Content

    enum Content: Hashable {
      case request(HandedOffRequest)
      case answer(CarrierCredentials)
    }

    var descriptors: [Int32] {
      if case .request(let request) = content {
        [request.carrier, request.lock].compactMap(\.self)
      } else {
        []
      }
    }
  }

  /// The descriptors of a carrier that was asked for tokens, and of the lock for them.
  struct HandedOffRequest: Hashable {
    var carrier: Int32
    /// What the carrier has answered.
    var received: [UInt8]
    var lock: Int32?
  }

  /// Takes over what the process before left.
  init(resuming handedOff: HandedOff?) {
    guard let handedOff else { return }
    switch handedOff.content {
    case .request(let request): pending = .inherited(request, handedOff.account)
    case .answer(let credentials): pending = .answer(credentials, handedOff.account)
    }
  }
}

/// Where an account's credentials are kept.
protocol CredentialStore: Sendable {
  /// Returns what is kept now: another process may have replaced it.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, ``VaultError``; `CancellationError` if that account is signed out.
  func newestCredentials(of account: Account) async throws -> CarrierCredentials

  /// Keeps new tokens in place of the old ones.
  ///
  /// - Throws: as ``newestCredentials(of:)``.
  func keep(_ new: CarrierCredentials, of account: Account) async throws

  /// Returns the lock for whoever replaces the tokens, not acquired; nil where there is none.
  func tokenLock() async -> TokenLock?
}
