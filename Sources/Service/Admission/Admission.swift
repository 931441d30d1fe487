import Vault
import Wire

/// What is admitted to an unlocked vault.
enum AdmissionScope: Sendable, Hashable {
  case process(ProcessIdentity)
  /// All that run in a terminal.
  case terminal(TerminalSession)
}

/// How a client was admitted. The raw values are stored in the vault's log.
enum AdmissionMeans: String, Sendable, CaseIterable {
  case password, fingerprint
  /// A client that was admitted allowed it.
  case consent
  /// The setting `sharedUnlock` admits all.
  case setting
  /// A client that was admitted got a ticket for it. It admits one connection, and nothing else of the program or its terminal.
  case ticket
}

/// The programs that may use the unlocked vault (U). It stays over a lock, but not for a vault with another key, which somebody may
/// have put in the place of this one.
struct AdmissionList: Sendable, Hashable {
  struct Admission: Sendable, Hashable {
    var means: AdmissionMeans
    /// The time in milliseconds of the boot clock, which counts while the machine sleeps.
    var time: Int64
  }

  /// How long an admission lasts, in milliseconds: 12 hours.
  static let duration: Int64 = 12 * 3_600_000

  /// The key of the vault that they were admitted to (``VaultSession/keyIdentifier``); nil before the first.
  private(set) var key: Identifier?
  private(set) var admissions: [AdmissionScope: Admission] = [:]
  /// The programs that were refused since the last unlock, and what started them. What has one of these in common may not ask again.
  private(set) var refused: Set<AdmissionScope> = []

  /// Drops all admissions if the vault that was unlocked has another key than the one before.
  mutating func didUnlock(_ key: Identifier?) {
    if key == nil || key != self.key { admissions = [:] }
    self.key = key
  }

  /// Handles that the unlocked vault has got another key.
  mutating func didChangeKey(_ key: Identifier?) {
    self.key = key
  }

  /// Admits a scope at a time of the boot clock.
  mutating func admit(_ scope: AdmissionScope, by means: AdmissionMeans, at time: Int64) {
    admissions = admissions.filter { Self.isValid($0.value, at: time) }
    admissions[scope] = Admission(means: means, time: time)
    refused.remove(scope)
  }

  mutating func revoke(_ scope: AdmissionScope) {
    admissions[scope] = nil
  }

  mutating func refuse(_ scopes: Set<AdmissionScope>) {
    refused.formUnion(scopes)
  }

  mutating func forgetRefusals() {
    refused = []
  }

  /// The admission of a scope, unless it is over.
  func admission(of scope: AdmissionScope, at time: Int64) -> Admission? {
    admissions[scope].flatMap { Self.isValid($0, at: time) ? $0 : nil }
  }

  private static func isValid(_ admission: Admission, at time: Int64) -> Bool {
    (0..<duration).contains(time - admission.time)
  }
}

/// The form for the next process. Refusals are dropped at a lock.
extension AdmissionList {
  var isEmpty: Bool { admissions.isEmpty }

  var json: JSON {
    var members: [JSON.Member] = []
    if let key { members.append(.init("key", .string(key.description))) }
    return .object(members + [.init("admissions", .array(entries))])
  }

  private var entries: [JSON] {
    admissions.map { scope, admission in
      .object([
        scope.member, .init("means", .string(admission.means.rawValue)),
        .init("time", .integer(Int(admission.time))),
      ])
    }
  }

  /// - Returns: nil if it is not what ``json`` gives.
  init?(_ value: JSON) {
    guard case .array(let entries)? = value["admissions"] else { return nil }
    key = value["key"]?.string.flatMap { Identifier($0) }
    for entry in entries {
      guard let scope = AdmissionScope(entry), let time = entry["time"]?.integer,
        let means = entry["means"]?.string.flatMap(AdmissionMeans.init)
      else { return nil }
      admissions[scope] = Admission(means: means, time: Int64(time))
    }
  }
}

extension AdmissionScope {
  /// The member of an object that stands for it.
  var member: JSON.Member {
    switch self {
    case .process(let process): .init("process", process.json)
    case .terminal(let terminal): .init("terminal", terminal.json)
    }
  }

  /// Reads the object with ``member``.
  init?(_ entry: JSON) {
    if let process = entry["process"].flatMap({ try? ProcessIdentity.read($0, at: "process") }) {
      self = .process(process)
    } else if let terminal = entry["terminal"].flatMap({ try? TerminalSession.read($0, at: "terminal") }) {
      self = .terminal(terminal)
    } else {
      return nil
    }
  }
}
