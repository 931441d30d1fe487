import VaultStore

extension VaultSession {
  /// Runs `body`, and runs it again every few milliseconds while another process writes to the vault, for up to
  /// `VaultFile.defaultTimeout`. It must not have changed anything when it throws `StoreError.busy`.
  ///
  /// - Parameter waiting: how it waits, which is asked only where it does.
  /// - Throws: what `body` throws, at last `StoreError.busy`; `CancellationError`.
  public func waitingForOthers<Value>(
    as waiting: @autoclosure () -> Waiting = Waiting.current, _ body: () async throws -> Value
  ) async throws -> Value {
    let end = ContinuousClock.now + writeTimeout
    do { return try await body() } catch StoreError.busy where ContinuousClock.now < end {}
    var value: Value?
    try await waiting().interruptibly {
      while value == nil {
        try await Task.sleep(for: .milliseconds(5))
        do { value = try await body() } catch StoreError.busy where ContinuousClock.now < end {}
      }
    }
    guard let value else { throw CancellationError() }
    return value
  }
}
