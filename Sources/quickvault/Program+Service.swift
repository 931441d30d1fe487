import CLinux
import EventLoop
import Glibc
import SharedService
import VaultModel
import VaultServer

extension Program {
  /// Serves the vault on a socket until nobody uses it. At lock the process replaces itself and this does not return.
  static func serveSocket(_ options: Options) -> Int32 {
    umask(0o077)
    let handoffState = Reexec.inherited()
    let inherited = Reexec.inheritedService()
    do {
      if let inherited {
        linux_return_freed_memory()
        return try serve(inherited, options, resuming: handoffState, ready: nil)
      }
      try Descriptors.fillStandardDescriptors()
      // Before the directory changes, which a relative path begins at.
      let place = try ServicePlace(vault: options.vault, environment: environment)
      let activation = try ActivationSocket.take()
      let ready = try options.isInBackground ? continueInBackground() : nil
      ServiceEnvironment.reduce()
      linux_return_freed_memory()
      guard let socket = try ServiceSocket.claim(place, inherited: activation) else {
        if let activation { ActivationSocket.drain(activation) }
        if let ready { linux_background_ready(ready) }
        return 0
      }
      let service = RunningService(place: place, socket: socket, inspector: Executables.startInspector())
      return try serve(service, options, resuming: nil, ready: ready)
    } catch let error as ServiceSocket.Failure {
      complain(.init(error))
    } catch is ActivationSocket.Failure {
      complain(.unusableActivation)
    } catch {
      complain("\(error)")
    }
    return systemRefused
  }

  /// - Parameter ready: tells the process that started this one that clients can connect.
  private static func serve(
    _ service: RunningService, _ options: Options, resuming handoffState: HandoffState?, ready: Int32?
  ) throws(SystemError) -> Int32 {
    _ = ready
    service.socket.release(service.place)
    return systemRefused
  }

  private static func continueInBackground() throws(SystemError) -> Int32 {
    let ready = linux_background_begin()
    guard ready >= 0 else { throw SystemError("fork") }
    return ready
  }
}
