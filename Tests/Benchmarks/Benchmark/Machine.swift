import Glibc

/// The machine and the versions of the programs.
struct Machine {
  /// Names and values for the results.
  static func description(server: String, directory: String) -> [(name: String, value: String)] {
    let processors = lines("/proc/cpuinfo").filter { $0.hasPrefix("model name") }
    let memory = lines("/proc/meminfo").first { $0.hasPrefix("MemTotal:") }
    let system = lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
    let load = lines("/proc/loadavg").first.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    return [
      ("processor", "\(processors.count) × " + value(processors.first, after: ":")),
      ("memory", Memory.bytes("MemTotal:", in: memory ?? "").map { Quantity.bytes(Double($0)) } ?? "?"),
      ("system", value(system, after: "=").filter { $0 != "\"" }),
      ("kernel", lines("/proc/sys/kernel/osrelease").first ?? "?"),
      ("file system", fileSystem(of: directory)),
      ("load before", load ?? "?"),
      ("server", (try? output(of: server, ["--version"])) ?? "?"),
      ("KeePassXC", KeePassXC.version ?? "not installed"),
      ("pass", PassStore.version ?? "not installed"),
      ("ImageMagick", ImageMagick.version ?? "not installed"),
    ] + TextEditor.allCases.map { ($0.name, $0.version ?? "not installed") }
  }

  private static func value(_ line: String?, after separator: Character) -> String {
    guard let line, let index = line.firstIndex(of: separator) else { return "?" }
    return String(line[line.index(after: index)...].drop { $0 == " " || $0 == "\t" })
  }

  private static func lines(_ path: String) -> [String] {
    let text = try? Files.read(path)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// The type of the file system for commits, because one in memory would make them look free.
  private static func fileSystem(of directory: String) -> String {
    var resolved = directory
    if let path = unsafe realpath(directory, nil) {
      resolved = unsafe String(cString: path)
      unsafe free(path)
    }
    let mounts = lines("/proc/mounts").map { $0.split(separator: " ") }.filter { mount in
      guard mount.count > 2 else { return false }
      return mount[1] == "/" || resolved == mount[1] || resolved.hasPrefix(mount[1] + "/")
    }
    return mounts.max { $0[1].count < $1[1].count }.map { String($0[2]) } ?? "?"
  }
}
