/// Sending messages, and closing the connection.
extension Connection {
  /// Sends the message that the closure appends.
  ///
  /// - Parameter limit: the most bytes of the message.
  /// - Returns: whether it is sent; a longer one is not.
  @discardableResult
  func write(
    upTo limit: Int = .max, answering answered: OutputQueue.Answered = .nothing,
    _ message: (inout [UInt8]) -> Void
  ) -> Bool {
    guard closeReason == nil else { return true }
    let isSent = outputQueue.append(
      framing: inputQueue.framing ?? .lines, upTo: limit, answering: answered, message)
    if outputQueue.count >= Self.outputPortion { flush() } else { postponeFlush() }
    return isSent
  }

  private func postponeFlush() {
    guard !isFlushPostponed, !isOutputFull else { return }
    isFlushPostponed = true
    loop.postpone { [weak self] in self?.assumeIsolated { $0.flush() } }
  }

  func flush() {
    isFlushPostponed = false
    guard closeReason == nil else { return }
    switch outputQueue.flush() {
    case .empty:
      setOutputFull(false)
      if let finalReason { finish(finalReason) }
    case .full:
      setOutputFull(true)
      if case .handedOff = finalReason, outputQueue.hasWrittenBegunMessage {
        finish(.handedOff(StreamState(), stage))
      }
    case .closed: finish(.unreadable)
    }
  }

  private func setOutputFull(_ isFull: Bool) {
    guard isFull != isOutputFull else { return }
    isOutputFull = isFull
    if isFull {
      loop.watch(output, for: .writing) { [weak self] in self?.assumeIsolated { $0.flush() } }
    } else {
      loop.unwatch(output, for: .writing)
      advance()
    }
  }

  // MARK: Closing

  func requestClose(_ reason: CloseReason, sending notifications: [any OutgoingNotification] = []) {
    if pendingCloseReason == nil || reason == .stopped { pendingCloseReason = reason }
    finalNotifications += notifications
    pendingRequests.end()
    closeTimer?.set(after: closeTimeout)
    advance()
  }

  /// Sends the final notifications and waits until they are written.
  func beginClosing(_ reason: CloseReason) {
    isBusy = true
    isClosing = true
    closeTimer = try? LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.closeUnread() } }
    if case .stopped = reason { closeTimer?.set(after: closeTimeout) }
    Task {
      if case .handedOff = reason {
        await refuseUnanswered()
        // The client's time begins when everything is there for it to read.
        closeTimer?.set(after: closeTimeout)
      } else {
        finalNotifications += await handler.willEnd()
      }
      for notification in finalNotifications { send(notification) }
      finalReason = reason
      flush()
    }
  }

  /// Closes the connection of a client that has not read everything by now.
  private func closeUnread() {
    // The loop may have been too busy to see that there is room.
    flush()
    finish(.unreadable)
  }

  /// Closes the connection at once, as if the client had gone, and cancels its request.
  package func abort() {
    running?.task.cancel()
    outOfOrderRequest?.task.cancel()
    finish(.unreadable)
  }

  private func finish(_ reason: CloseReason) {
    guard closeReason == nil else { return }
    switch reason {
    case .handedOff where pendingCloseReason == .stopped: closeReason = .stopped
    case .handedOff:
      var streamState = inputQueue.streamState
      streamState.output = outputQueue.bytes
      closeReason = .handedOff(streamState, stage)
    default: closeReason = reason
    }
    finalReason = nil
    closeTimer = nil
    pendingRequests.end()
    loop.unwatch(input)
    loop.unwatch(output)
    if let onClose { onClose() } else { loop.stop() }
  }
}
