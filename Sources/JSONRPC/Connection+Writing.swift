import EventLoop

/// Sending messages, and closing the connection.
extension Connection {
  /// Sends the message that the closure appends.
  ///
  /// - Parameter limit: the most bytes of the message.
  /// - Returns: whether it is sent; a longer one is not.
  @discardableResult
  func write(upTo limit: Int = .max, _ message: (inout [UInt8]) -> Void) -> Bool {
    let isSent = outputQueue.append(framing: inputQueue.framing ?? .lines, upTo: limit, message)
    if outputQueue.count >= Self.outputPortion { flush() }
    return isSent
  }

  func flush() {
    switch outputQueue.flush() {
    case .empty:
      setOutputFull(false)
      if let finalReason { finish(finalReason) }
    case .full: setOutputFull(true)
    case .closed:
      finish(.unreadable)
      setOutputFull(false)
    }
  }

  private func setOutputFull(_ isFull: Bool) {
    guard isFull != isOutputFull else { return }
    isOutputFull = isFull
    if isFull {
      loop.watch(output, for: .writing) { [weak self] in self?.assumeIsolated { $0.flush() } }
    } else {
      loop.unwatch(output)
      advance()
    }
  }

  // MARK: Closing

  func requestClose(_ reason: CloseReason, sending notifications: [any OutgoingNotification] = []) {
    if pendingCloseReason == nil || reason == .stopped { pendingCloseReason = reason }
    finalNotifications += notifications
    closeTimer?.set(after: closeTimeout)
    advance()
  }

  /// Sends the final notifications and waits until they are written.
  func beginClosing(_ reason: CloseReason) {
    isBusy = true
    closeTimer = try? LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.finish(.unreadable) } }
    switch reason {
    case .handedOff, .stopped: closeTimer?.set(after: closeTimeout)
    default: break
    }
    Task {
      if case .handedOff = reason {} else { finalNotifications = await handler.willEnd() }
      for notification in finalNotifications { send(notification) }
      finalReason = reason
      flush()
    }
  }

  private func finish(_ reason: CloseReason) {
    guard closeReason == nil else { return }
    switch reason {
    case .handedOff where pendingCloseReason == .stopped: closeReason = .stopped
    case .handedOff: closeReason = .handedOff(inputQueue.streamState, stage)
    default: closeReason = reason
    }
    finalReason = nil
    closeTimer = nil
    loop.stop()
  }
}
