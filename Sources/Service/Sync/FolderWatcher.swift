import Glibc
import Wire

/// Watches directories for new files (inotify(7)). Network file systems do not report changes by other machines.
///
/// It is used on the loop's thread.
final class FolderWatcher {
  private let loop: EventLoop
  private var watch: Watch?

  init(on loop: EventLoop) {
    self.loop = loop
  }

  deinit {
    stop()
  }

  /// The directories that are watched.
  var directories: [String] { watch?.directories ?? [] }

  /// Uses a watch in place of the one before.
  func use(_ watch: Watch, onChange: @escaping () -> Void) {
    stop()
    self.watch = watch
    let action = LoopAction(onChange)
    loop.watch(watch.descriptor, for: .reading) {
      Self.discard(watch.descriptor)
      action.body()
    }
  }

  func stop() {
    guard let watch else { return }
    loop.unwatch(watch.descriptor)
    self.watch = nil
  }

  /// A watch of directories, until the last reference goes.
  final class Watch: Sendable {
    let directories: [String]
    fileprivate let descriptor: Int32

    /// Watches directories; nil if the system refuses it. One that is not there is left out. This waits if the file system stalls.
    init?(_ directories: [String]) {
      self.directories = directories
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR)
      for directory in directories { _ = unsafe inotify_add_watch(descriptor, directory, events) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }
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
