/// What is wrong with the stream of another replica, as this one sees it. None of these loses anything: what is missing or
/// changed is not applied, and is looked at again.
public enum SyncProblem: Hashable, Sendable {
  /// A segment is not here, although a later one is, or although it was here once. It may still be on its way.
  case missing(Int64)
  /// A segment does not open: it is truncated, changed, or another's.
  case unreadable(Int64)
  /// A segment that was read once has other bytes now, or does not continue the one before it.
  case replaced(Int64)
  /// Instead of a segment, there is a placeholder of a cloud client, which has not fetched the file.
  case placeholder(Int64)
  /// The content of an attachment is not here.
  case contentMissing(Int64)

  /// Whether it ends the stream, rather than let cards wait.
  var isOfStream: Bool {
    if case .contentMissing = self { false } else { true }
  }
}
