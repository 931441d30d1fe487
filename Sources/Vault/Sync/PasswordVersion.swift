import Wire

/// Which password a vault has. Of two, every replica takes the same one: that which was changed more often; then that which was
/// changed later; then that with the greater slot.
struct PasswordVersion: Hashable, Sendable, Comparable {
  /// The number of times that a password was chosen; 0 if that is not known.
  var version: Int64
  /// When this replica or another noticed the change first: milliseconds since 1970 UTC.
  var changedAt: Int64
  var slot: Identifier

  static func < (left: PasswordVersion, right: PasswordVersion) -> Bool {
    (left.version, left.changedAt, left.slot) < (right.version, right.changedAt, right.slot)
  }

  /// Returns the version after a change on this replica.
  func changed(to slot: Identifier, at now: Int64) -> PasswordVersion {
    PasswordVersion(
      version: version.saturatingSuccessor, changedAt: max(now, changedAt.saturatingSuccessor), slot: slot)
  }
}

extension SyncDocument {
  /// Returns which password this replica has, as far as it knows.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  func password(of slot: Identifier, at now: Int64) -> PasswordVersion {
    guard let password else { return PasswordVersion(version: 0, changedAt: 0, slot: slot) }
    return password.slot == slot ? password : password.changed(to: slot, at: now)
  }

  /// The password that this replica had at the last synchronisation; nil before the first.
  var password: PasswordVersion? {
    get {
      guard let slot = values["password.slot"].flatMap(Identifier.init),
        let version = values["password.version"].flatMap({ Int64($0) }),
        let changedAt = values["password.changedAt"].flatMap({ Int64($0) })
      else { return nil }
      return PasswordVersion(version: version, changedAt: changedAt, slot: slot)
    }
    set {
      values["password.slot"] = newValue?.slot.description
      values["password.version"] = newValue.map { String($0.version) }
      values["password.changedAt"] = newValue.map { String($0.changedAt) }
    }
  }
}
