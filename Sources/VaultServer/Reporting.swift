import VaultModel
import VaultProtocol

extension Conversation {
  /// Does a long piece of work and tells how far it has come, where the client asked for that.
  ///
  /// - Parameters:
  ///   - token: under which it is told; nil for not at all.
  ///   - words: what the work is called.
  ///   - work: is given what tells how much is done, in percent.
  func reporting<Value>(
    _ token: ProgressToken?, _ words: Localized, _ work: (_ report: (Int) async -> Void) async throws -> Value
  ) async throws -> Value {
    guard let token else { return try await work { _ in } }
    await tell(Progress(token, .begin(message: words[language])))
    do {
      let value = try await work { await tell(Progress(token, .report(percentage: $0))) }
      await tell(Progress(token, .end))
      return value
    } catch {
      await tell(Progress(token, .end))
      throw error
    }
  }
}
