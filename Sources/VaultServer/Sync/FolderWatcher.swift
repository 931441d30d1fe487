import EventLoop
import Glibc

/// Watches directories for new files (inotify(7)). Network file systems do not report changes by other machines.
///
/// It is used on the loop's thread.
final class FolderWatcher {
  private let loop: EventLoop
  private var descriptor: Int32 = -1
  private var watched: [String] = []

  init(on loop: EventLoop) {
    self.loop = loop
  }

  deinit {
    stop()
  }

  /// Watches these directories in place of those before. One that is not there is left out.
  ///
  /// - Returns: whether it did not watch them before.
  func watch(_ directories: [String], onChange: @escaping () -> Void) -> Bool {
    guard directories != watched || descriptor < 0 else { return false }
    stop()
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return false }
    watched = directories
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)
    for directory in directories { _ = unsafe inotify_add_watch(descriptor, directory, events) }
    let action = LoopAction(onChange)
    loop.watch(descriptor, for: .reading) { [descriptor] in
      Self.discard(descriptor)
      action.body()
    }
    return true
  }

  func stop() {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    close(descriptor)
    (descriptor, watched) = (-1, [])
  }

  /// Reads the events: any of them is a reason to look.
  private static func discard(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
  }
}

/// An action that the loop calls on its own thread, where it was made.
private struct LoopAction: @unchecked Sendable {
  let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }
}
