/// How a conversation's messages go out, and how it ends.
extension Connection {
  /// Sends what a closure appends, which is one message.
  func write(_ message: (inout [UInt8]) -> Void) {
    outlet.append(framing: inbox.framing ?? .lines, message)
    if outlet.count >= Self.outputPortion { flush() }
  }

  func flush() {
    switch outlet.flush() {
    case .empty:
      waitForRoom(false)
      if let concluded { finish(concluded) }
    case .full: waitForRoom(true)
    case .closed:
      finish(.unreadable)
      waitForRoom(false)
    }
  }

  private func waitForRoom(_ waits: Bool) {
    guard waits != isWaitingForRoom else { return }
    isWaitingForRoom = waits
    if waits {
      loop.watch(output, for: .writing) { [weak self] in self?.assumeIsolated { $0.flush() } }
    } else {
      loop.unwatch(output)
      advance()
    }
  }

  // MARK: Ending

  func want(_ ending: Ending, telling notices: [any OutgoingNotice] = []) {
    if wantedEnding == nil || ending == .stopped { wantedEnding = ending }
    farewell += notices
    lastAlarm?.set(after: patience)
    advance()
  }

  /// Says the last words and waits until they are out.
  func conclude(_ ending: Ending) {
    isBusy = true
    lastAlarm = try? Alarm(on: loop) { [weak self] in self?.assumeIsolated { $0.finish(.unreadable) } }
    switch ending {
    case .handedOver, .stopped: lastAlarm?.set(after: patience)
    default: break
    }
    Task {
      if case .handedOver = ending {} else { farewell = await handler.willEnd() }
      for notice in farewell { send(notice) }
      concluded = ending
      flush()
    }
  }

  private func finish(_ ending: Ending) {
    guard self.ending == nil else { return }
    switch ending {
    case .handedOver where wantedEnding == .stopped: self.ending = .stopped
    case .handedOver: self.ending = .handedOver(inbox.remainder, stage)
    default: self.ending = ending
    }
    concluded = nil
    lastAlarm = nil
    loop.stop()
  }
}
