import VaultStore

/// The attempts with a password that could not be stored, because the vault's file could not be written. They count in this
/// process, and in those that replace it, until the program ends or the file can be written.
public struct UnstoredAttempts: Sendable, Hashable {
  /// The attempts in the file when these were counted. If they are others by now, another process could write.
  let stored: LockoutRow?
  /// The attempts that count.
  let current: LockoutRow
}

extension UnstoredAttempts {
  /// Both as texts, for the process that replaces this one.
  public var fields: [String] { (stored?.fields ?? []) + current.fields }

  /// Reads what ``fields`` gives; nil for anything else.
  public init?(fields: [String]) {
    guard fields.count == 5 || fields.count == 10, let current = LockoutRow(fields: fields.suffix(5)) else {
      return nil
    }
    self.init(stored: LockoutRow(fields: fields.dropLast(5)), current: current)
  }
}

extension LockoutRow {
  /// The row as five texts.
  var fields: [String] {
    [failedAttempts, waitMilliseconds, startedWall, startedBoot].map { String($0) } + [bootID]
  }

  /// Reads what ``fields`` gives; nil for anything else.
  init?(fields: ArraySlice<String>) {
    let numbers = fields.prefix(4).compactMap { Int64($0) }
    guard fields.count == 5, numbers.count == 4, let bootID = fields.last else { return nil }
    self.init(
      failedAttempts: numbers[0], waitMilliseconds: numbers[1], startedWall: numbers[2],
      startedBoot: numbers[3], bootID: bootID)
  }
}
