import EventLoop

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

  // MARK: CloseReason

  func want(_ ending: CloseReason, telling notifications: [any OutgoingNotification] = []) {
    if pendingCloseReason == nil || ending == .stopped { pendingCloseReason = ending }
    finalNotifications += notifications
    closeTimer?.set(after: closeTimeout)
    advance()
  }

  /// Says the last words and waits until they are out.
  func conclude(_ ending: CloseReason) {
    isBusy = true
    closeTimer = try? LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.finish(.unreadable) } }
    switch ending {
    case .handedOff, .stopped: closeTimer?.set(after: closeTimeout)
    default: break
    }
    Task {
      if case .handedOff = ending {} else { finalNotifications = await handler.willEnd() }
      for notification in finalNotifications { send(notification) }
      concluded = ending
      flush()
    }
  }

  private func finish(_ ending: CloseReason) {
    guard self.ending == nil else { return }
    switch ending {
    case .handedOff where pendingCloseReason == .stopped: self.ending = .stopped
    case .handedOff: self.ending = .handedOff(inbox.streamState, stage)
    default: self.ending = ending
    }
    concluded = nil
    closeTimer = nil
    loop.stop()
  }
}
