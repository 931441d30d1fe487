import CLinux
import Glibc
import Service
import VaultInterface
import Wire

extension Program {
  /// Serves the vault on a socket until nobody uses it. At lock the process replaces itself and this does not return.
  static func serveSocket(_ options: Options) -> Int32 {
    umask(0o077)
    linux_return_freed_memory()
    linux_raise_descriptor_limit()
    // Before the state is read, which may hold a password.
    let unprotected = Hardening.apply()
    do {
      var handoffState = Reexec.inherited()
      if handoffState != nil {
        // Without its socket and lock it could not be the only service.
        guard let service = handoffState?.service else { return systemRefused }
        return serve(service, options, unprotected, resuming: &handoffState, nil)
      }
      try Descriptors.fillStandardDescriptors()
      // Before the directory changes, at which a relative path begins.
      let place = try ServiceLocation(vault: options.vault, environment: { ProcessEnvironment[$0] })
      let activation = try ActivationSocket.take()
      let ready = try options.isInBackground ? continueInBackground() : nil
      guard let socket = try ServiceSocket.claim(place, inherited: activation) else {
        // Another process is the service. Clients of this socket look for it again.
        if let activation { ActivationSocket.drain(activation) }
        return 0
      }
      ServiceEnvironment.reduce()
      // Again, because the fork of a service in the background unlocks memory.
      return serve(
        RunningService(place: place, socket: socket), options, Hardening.apply(), resuming: &handoffState,
        ready)
    } catch let error as ServiceSocket.Failure {
      printError(.init(error))
    } catch is ActivationSocket.Failure {
      printError(.unusableActivation)
    } catch {
      printError("\(error)")
    }
    return systemRefused
  }

  /// Goes on in a new process, without a terminal.
  ///
  /// - Returns: the descriptor that tells this process that clients can connect.
  private static func continueInBackground() throws(SystemError) -> Int32 {
    let ready = linux_background_begin()
    guard ready >= 0 else { throw SystemError("fork") }
    return ready
  }

  /// - Parameters:
  ///   - unprotected: what failed of the protection of memory.
  ///   - handoffState: the state that the replaced process left; nil if this one is the first. It is taken, so that
  ///     nothing of it is kept.
  ///   - ready: tells the process that started this one that clients can connect.
  private static func serve(
    _ service: RunningService, _ options: Options, _ unprotected: [SystemError],
    resuming handoffState: inout HandoffState?, _ ready: Int32?
  ) -> Int32 {
    var service = service
    var unrestricted: [SystemError] = []
    let starter = handoffState.map(\.starter) ?? beginStarter(options)
    let isResumed = handoffState != nil
    if !isResumed {
      service.startInspector()
      unrestricted = enterSandbox(options)
    }
    if options.isVerbose {
      for failure in unprotected { printError("not protected: \(failure)") }
      for failure in unrestricted { printError("not sandboxed: \(failure)") }
    }
    let configuration = configuration(options, vault: service.place.vault, starter, unprotected)
    do {
      try Descriptors.requireEnough(waiting: isResumed)
      try Threads.requireEnough(waiting: isResumed)
      let server = try Server(
        configuration, service.endpoint, resuming: handoffState.take() ?? HandoffState())
      try server.handleSignals()
      if let ready, linux_background_ready(ready) != 0 { throw SystemError("write") }
      switch server.run() {
      case .ended(let status, let message):
        service.socket.release(service.place)
        if let message { printError(message) }
        return status
      case .handedOff(let handoffState) where Executables.ownWasReplaced:
        // The sandbox may execute no other file than this process's. The clients start the new one.
        service.socket.release(service.place)
        ServiceSocket.end(handoffState.sockets)
        return 0
      case .handedOff(var handoffState):
        (handoffState.service, handoffState.starter) = (service, starter)
        throw Reexec.replaceProcess(with: handoffState, nil)
      }
    } catch {
      service.socket.release(service.place)
      Server.logFailure(error, configuration)
      printError("\(error)")
      return systemRefused
    }
  }
}

extension RunningService {
  fileprivate var endpoint: Server.Endpoint {
    .socket(
      Int32(truncatingIfNeeded: socket.descriptor), vault: place.vault,
      inspector: inspector.flatMap { Int32(exactly: $0) })
  }
}
