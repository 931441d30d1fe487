/// The memory of a process, in bytes.
struct Memory {
  /// Resident set size, with file and shared pages in full.
  var resident: Int64
  /// The greatest resident set size so far.
  var peak: Int64
  /// Proportional set size: shared pages count by the number of their users. Nil without permission: only root
  /// (CAP_SYS_PTRACE) can read it for a process that cannot be dumped.
  var proportional: Int64?

  /// Reads the memory figures of a running process.
  init(of process: Int32) throws {
    let status = try Files.read("/proc/\(process)/status")
    guard let resident = Self.bytes("VmRSS:", in: status), let peak = Self.bytes("VmHWM:", in: status) else {
      throw BenchmarkError.wrong("/proc/\(process)/status has no VmRSS or VmHWM")
    }
    self.resident = resident
    self.peak = peak
    let map = try? Files.read("/proc/\(process)/smaps_rollup")
    proportional = map.flatMap { Self.bytes("Pss:", in: $0) }
  }

  /// The value of a line such as `VmRSS:     5308 kB`.
  static func bytes(_ name: String, in text: String) -> Int64? {
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let words = line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }
      return words.first.flatMap { Int64($0) }.map { $0 * 1_024 }
    }
    return nil
  }
}
