import VaultInterface

/// Sends the progress of long work to one client.
struct ProgressReporter: Sendable {
  let notifications: ClientNotifications
  let language: Language

  /// Does long work between the notifications of its beginning and its end.
  ///
  /// - Parameters:
  ///   - token: the token for the notifications; nil sends none.
  ///   - message: what the work is called.
  ///   - work: gets a function that reports the progress in percent; only higher values than before are sent.
  func during<Value>(
    _ token: ProgressToken?, _ message: Localized,
    _ work: (_ report: (Int) async -> Void) async throws -> Value
  ) async throws -> Value {
    guard let token else { return try await work { _ in } }
    notifications.send(Progress(token, .begin(message: message[language])))
    defer { notifications.send(Progress(token, .end)) }
    var reported = 0
    return try await work { percentage in
      guard percentage > reported else { return }
      reported = percentage
      await notifications.connection.send(Progress(token, .report(percentage: percentage)))
    }
  }
}
