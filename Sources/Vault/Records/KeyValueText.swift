import VaultInterface

/// Names and values as lines `name=value`, the stored form of the settings and of other documents.
///
/// In a value, a line break is written `\n` and a backslash `\\`. Unknown names are kept, so that an older program does
/// not lose what a newer one has set. Everything works on code points: a value may begin with a combining mark, which
/// would form one character with the `=`, or end in a carriage return.
package struct KeyValueText: Hashable, Sendable {
  /// The document that holds the settings.
  package static let documentName = "settings"
  /// The name of the time of the last change, in milliseconds since 1970 UTC.
  package static let changedAt = "changedAt"

  private var values: [String: String] = [:]

  package init() {}

  /// Reads lines; nil if one of them is not `name=value`.
  ///
  /// Lines and names are split at bytes, since a value may begin with an accent or end in a carriage return.
  package init?(_ text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else { return nil }
      guard let value = Self.unescape(Substring(line[line.index(after: equals)...])) else { return nil }
      values[String(Substring(line[..<equals]))] = value
    }
  }

  /// The lines, ordered by name.
  package var text: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escape($0.value))\n" }.joined()
  }

  /// A value by its name; setting nil lets it go.
  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names that have a value.
  package var names: [String] { Array(values.keys) }

  private static func escape(_ value: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func unescape(_ value: Substring) -> String? {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return String(value) }
    var text = String.UnicodeScalarView()
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": text.append("\\")
      case "n": text.append("\n")
      default: return nil
      }
    }
    return String(text)
  }

  /// What precedes the name of a setting in the name of the time when it was changed on any machine.
  private static let changed = "changed."

  /// Notes when the settings were changed: later than before, also where the clock is behind that of another machine.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  mutating func noteChange(at now: Int64) { note(now, as: Self.changedAt) }

  /// Notes when each setting was changed that differs from before, as ``noteChange(at:)``.
  mutating func noteChanges(since before: KeyValueText, at now: Int64) {
    for name in Set(names).union(before.names) where self[name] != before[name] && Self.isSetting(name) {
      note(now, as: Self.changed + name)
    }
  }

  private mutating func note(_ now: Int64, as name: String) {
    self[name] = String(max(now, (time(name) ?? 0).saturatingSuccessor))
  }

  /// Returns the settings of two replicas, each as it was changed last. Of values that were changed at the same time, the one that
  /// is last in the order of its code points counts.
  package func merged(with other: KeyValueText) -> KeyValueText {
    var merged = self
    for name in Set(names).union(other.names) where Self.isSetting(name) {
      let (mine, theirs) = (time(of: name), other.time(of: name))
      if (mine, self[name] ?? "") < (theirs, other[name] ?? "") {
        merged[name] = other[name]
      }
      let time = max(mine, theirs)
      if time > 0 { merged[Self.changed + name] = String(time) }
    }
    let times = [time(Self.changedAt), other.time(Self.changedAt)].compactMap(\.self)
    merged[Self.changedAt] = times.max().map { String($0) }
    return merged
  }

  /// Returns the settings merged with those of a copy that does not synchronise: it only knows when any of them was changed last.
  package func merged(withUnsynchronized other: KeyValueText) -> KeyValueText {
    var (mine, theirs) = (self, other)
    Settings(self).write(to: &mine)
    Settings(other).write(to: &theirs)
    let time = other.time(Self.changedAt) ?? 0
    for name in theirs.names where theirs[name] != mine[name] && Self.isSetting(name) {
      theirs.note(time, as: Self.changed + name)
    }
    return mine.merged(with: theirs)
  }

  private func time(of name: String) -> Int64 { time(Self.changed + name) ?? 0 }

  private func time(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

  private static func isSetting(_ name: String) -> Bool { name != changedAt && !name.hasPrefix(changed) }
}
