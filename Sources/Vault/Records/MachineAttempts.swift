import VaultStore
import Wire

/// The attempts with a password on this machine, which are counted outside of the vault's file before each try, so that the
/// right password does not change the file.
struct MachineAttempts {
  let states: StateDirectory
  let vault: Identifier

  /// The attempts; nil for none.
  var current: Lockout? {
    guard let bytes = states.read(.attempts, of: vault) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return LockoutRow(fields: fields.map(String.init)[...]).map { Lockout($0) }
  }

  /// - Returns: whether they were stored.
  func store(_ lockout: Lockout) -> Bool {
    states.write(Array(lockout.row.fields.joined(separator: "\n").utf8), .attempts, of: vault)
  }

  /// - Returns: whether none are stored any more.
  func forget() -> Bool { states.remove(.attempts, of: vault) }
}

extension Lockout {
  /// Returns these attempts, or others of the same vault if those forbid more; whether the row is missing stays.
  func atLeast(_ other: Lockout?, at clock: some Clock) -> Lockout {
    guard var other,
      (other.failedAttempts, other.remaining(at: clock)) > (failedAttempts, remaining(at: clock))
    else { return self }
    other.isMissing = isMissing
    return other
  }
}
