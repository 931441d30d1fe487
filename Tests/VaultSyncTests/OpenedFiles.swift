import Glibc
import TestSupport

/// Counts the rounds in which files were opened (inotify(7)).
final class OpenedFiles {
  private let descriptor: Int32
  private var names: [Int32: String] = [:]
  private(set) var counts: [String: Int]

  init(_ paths: [String]) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    counts = Dictionary(paths.map { ($0, 0) }) { first, _ in first }
    guard descriptor >= 0 else { throw Failure("inotify_init1: \(errno)") }
    for path in paths {
      let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN))
      guard watch >= 0 else { throw Failure("\(path): \(errno)") }
      names[watch] = path
    }
  }

  deinit { close(descriptor) }

  /// Counts the files that were opened since the last round, each once: the kernel merges events that are alike.
  func endRound() {
    var opened: Set<String> = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      var position = 0
      while position < count {
        let event = buffer[position...].withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        if let name = names[event.wd] { opened.insert(name) }
        position += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
    for name in opened { counts[name, default: 0] += 1 }
  }
}
