import VaultInterface
import Wire

/// Asks the users of several clients whether a program may use the vault (U).
enum Consent {
  /// What a user allows. For a program that is admitted, both are the same.
  enum Answer: Sendable {
    case once, untilLock
    case refused

    fileprivate init(_ response: SessionAdmit.Response) {
      self = !response.isAllowed ? .refused : response.until == nil ? .once : .untilLock
    }
  }

  /// How long the users may take, in seconds.
  static let timeoutSeconds = 60

  /// Asks all at once; the others are told by `$/cancelRequest` when one has answered.
  ///
  /// - Parameter use: the question whether an agent may use cards; nil for the admission of the program.
  /// - Returns: the first answer; nil if there was none in time, or the task was cancelled.
  static func ask(
    _ clients: [(connection: Connection, language: Language)], about program: ClientProgram,
    use: Localized? = nil, on loop: EventLoop, _ makeTimer: EventLoop.TimerFactory
  ) async -> Answer? {
    let (timeout, isOver) = AsyncStream.makeStream(of: Void.self)
    let timer = try? makeTimer(loop) { isOver.finish() }
    timer?.set(after: .seconds(timeoutSeconds))
    defer { timer?.cancel() }
    return await withTaskGroup(of: Answer??.self) { group in
      for (connection, language) in clients {
        let question = SessionAdmit(
          program: program, message: LocalizedMessage(use ?? Self.question(program), in: language),
          isUse: use != nil)
        group.addTask { .some((try? await connection.ask(question)).map(Answer.init)) }
      }
      group.addTask {
        for await _ in timeout {}
        return .none
      }
      defer { group.cancelAll() }
      var left = clients.count
      while left > 0, let result = await group.next() {
        // The time is over, or the request was cancelled.
        guard let answer = result else { return nil }
        if let answer { return answer }
        left -= 1
      }
      return nil
    }
  }

  private static func question(_ program: ClientProgram) -> Localized {
    let name = program.described
    return Localized(
      "Allow \(name.english) to use the unlocked vault?", "是否允许\(name.simplifiedChinese)使用已解锁的保险库？")
  }
}

extension ClientProgram {
  /// The name, the process and the terminal, as a question names them.
  var described: Localized {
    let place = terminal.map { Localized(", \($0)", "，\($0)") } ?? Localized("", "")
    return Localized(
      "\(name.quoted) (process \(process)\(place.english))",
      "\(name.quotedInChinese)（进程 \(process)\(place.simplifiedChinese)）")
  }
}
