import CLinux
import Foundation
import Glibc
import TestSupport

/// A snapshot of a process's readable memory.
struct ProcessMemory {
  private let mappings: [Data]

  /// How many bytes were read.
  var count: Int { mappings.reduce(0) { $0 + $1.count } }

  /// Reads every readable mapping of `/proc/PID/maps`, which takes the right to trace the process.
  init(of process: pid_t) throws {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let memory = try Self.open(process)
    defer { close(memory) }
    mappings = maps.split(separator: "\n").compactMap { Self.read(String($0), from: memory) }
    guard mappings.count > 10 else { throw Failure("only \(mappings.count) mappings could be read") }
  }

  private static func read(_ line: String, from memory: Int32) -> Data? {
    let words = line.split(separator: " ")
    let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    // The kernel's own pages, at the top, belong to every process and cannot be read.
    guard words[1].hasPrefix("r"), ends.count == 2, ends[1] < 1 << 63 else { return nil }
    return bytes(Int(ends[1] - ends[0]), at: ends[0], of: memory)
  }

  private static func open(_ process: pid_t) throws -> Int32 {
    let memory = Glibc.open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw Failure("the memory cannot be read: \(String(cString: strerror(errno)))") }
    return memory
  }

  /// As many bytes as can be read of so many; nil if none can.
  private static func bytes(_ count: Int, at start: UInt64, of memory: Int32) -> Data? {
    var bytes = Data(count: count)
    let got = bytes.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, off_t(start)) }
    return got > 0 ? bytes.prefix(got) : nil
  }

  /// What lies below the end of a waiting process's stack, where calls that have returned had their values; nil while it
  /// waits for nothing. The nearest 4 KiB are left out: the loop's own last calls, before it waits, take some of them.
  static func unusedStack(of process: pid_t, count: Int) throws -> Data? {
    // The number of the call that it waits in, six arguments, where the stack ends, and where the program is (proc(5)).
    let call = try String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8).split(separator: " ")
    guard call.count == 9, let end = UInt64(call[7].dropFirst(2), radix: 16) else { return nil }
    let memory = try open(process)
    defer { close(memory) }
    let left = bytes(count, at: end - UInt64(count) - 4_096, of: memory)
    return left?.count == count ? left : nil
  }

  /// In how many mappings bytes occur.
  func occurrences(of needle: Data) -> Int {
    mappings.count { mapping in
      mapping.withUnsafeBytes { haystack in
        needle.withUnsafeBytes {
          linux_contains(haystack.baseAddress, haystack.count, $0.baseAddress, $0.count) != 0
        }
      }
    }
  }

  /// In how many mappings a text occurs, in UTF-8 and in UTF-16 of either order.
  func occurrences(of text: String) -> Int {
    [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian].reduce(0) { count, encoding in
      text.data(using: encoding).map { count + occurrences(of: $0) } ?? count
    }
  }
}
