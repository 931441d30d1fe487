import CLinux
import Glibc
import VaultInterface
import Wire

extension Doctor {
  /// Whether a service shares the vault, and whether clients can reach it (U).
  var sharedService: Finding {
    let subject = Localized("Shared service", "共享服务")
    func finding(_ state: Finding.State, _ found: Localized, _ advice: Localized? = nil) -> Finding {
      Finding("shared.service", subject, state, found, advice: advice)
    }
    let place: ServiceLocation
    do {
      place = try ServiceLocation(vault: vault, environment: environment)
    } catch {
      return finding(.missing, Localized(verbatim: "\(vault): \(error)"))
    }
    do throws(ServiceConnection.Failure) {
      let greeting = Greeting(vault: place.vault, locale: "C")
      guard let connection = try ServiceConnection.open(place, greeting) else {
        return finding(
          .ok,
          Localized(
            "none runs; it would listen on \(place.socket)", "没有运行；将在 \(place.socket) 上监听"))
      }
      close(connection.descriptor)
      let (process, version) = (connection.process, connection.version)
      guard version == Server.version else {
        return finding(
          .failed,
          Localized(
            "process \(process) is still of version \(version), and the program of \(Server.version)",
            "进程 \(process) 仍是版本 \(version)，而程序已是 \(Server.version)"),
          Localized(
            "quit all clients of the vault, or run: kill \(process); the next client starts the new version",
            "请退出此保险库的所有客户端，或运行 kill \(process)；下一个客户端会启动新版本"))
      }
      return finding(
        .ok,
        Localized("runs as process \(process)", "正在运行，进程 \(process)"))
    } catch {
      return finding(.failed, Localized(error))
    }
  }

  /// How the process and its memory are protected.
  var memoryFindings: [Finding] {
    let limit = linux_memory_lock_limit()
    let swap = Swap()
    return [protection, sandbox, lockLimit(limit, swap), swapFinding(swap, isLocked: limit < 0)]
  }

  private var protection: Finding {
    Finding(
      "memory.protection", Localized("Core files and tracing", "核心转储与进程跟踪"),
      isProtected ? .ok : .failed,
      isProtected ? Localized("disabled", "已禁用") : Localized("cannot be disabled", "无法禁用"),
      advice: isProtected
        ? nil
        : Localized("check for a sandbox that forbids prctl or setrlimit", "请检查是否有沙箱禁止了 prctl 或 setrlimit"))
  }

  private var sandbox: Finding {
    let subject = Localized("Sandbox of the process", "进程沙箱")
    guard !missingRestrictions.isEmpty else {
      return Finding("sandbox", subject, .ok, Localized(verbatim: "Landlock, seccomp"))
    }
    let names = missingRestrictions.joined(separator: ", ")
    return Finding(
      "sandbox", subject, .missing,
      Localized("not supported by this kernel: \(names)", "内核不支持：\(names)"),
      advice: Localized(
        "use Linux 5.19 or later, with Landlock and seccomp enabled",
        "请使用启用了 Landlock 和 seccomp 的 Linux 5.19 或更高版本"))
  }

  private func lockLimit(_ limit: Int64, _ swap: Swap) -> Finding {
    let subject = Localized("Locked memory limit", "锁定内存上限")
    guard limit >= 0 else {
      return Finding("memory.lock", subject, .ok, Localized("none: all memory is locked", "无上限：全部内存均已锁定"))
    }
    let size = "\(limit >> 10) KiB"
    guard swap.isOpen else {
      return Finding(
        "memory.lock", subject, .ok,
        Localized("\(size): enough, because there is no unencrypted swap", "\(size)：足够，因为没有未加密的交换区"))
    }
    return Finding(
      "memory.lock", subject, .failed,
      Localized(
        "\(size): an unlocked vault's memory can be written to swap", "\(size)：解锁后，内存内容可能被写入交换区"),
      advice: Localized(
        "put '\(userName) - memlock unlimited' into /etc/security/limits.d/quickvault.conf and log in again, or encrypt the swap",
        "请在 /etc/security/limits.d/quickvault.conf 中写入“\(userName) - memlock unlimited”并重新登录，或加密交换区"))
  }

  private func swapFinding(_ swap: Swap, isLocked: Bool) -> Finding {
    let subject = Localized("Swap", "交换区")
    return switch swap {
    case .off: Finding("swap", subject, .ok, Localized("off", "未启用"))
    case .protected: Finding("swap", subject, .ok, Localized("encrypted, or in memory", "已加密，或位于内存中"))
    case .open(let area):
      Finding(
        "swap", subject, isLocked ? .ok : .missing,
        Localized("\(area): apparently not encrypted", "\(area)：似乎未加密"))
    }
  }

  private var userName: String {
    environment("USER").flatMap { $0.isEmpty ? nil : $0 } ?? "YOU"
  }
}

/// Where the system swaps to.
private enum Swap {
  case off
  /// In memory, or encrypted.
  case protected
  /// To a disk, apparently unencrypted.
  case open(String)

  init() {
    let lines = (Doctor.text(of: "/proc/swaps") ?? "").split(separator: "\n").dropFirst()
    let areas = lines.compactMap { $0.split { $0 == " " || $0 == "\t" }.first.map(String.init) }
    guard !areas.isEmpty else {
      self = .off
      return
    }
    self = areas.first { !Self.isSwapProtected($0) }.map(Swap.open) ?? .protected
  }

  /// Whether an area is compressed memory or a dm-crypt device; false for a file, of which it cannot be known.
  private static func isSwapProtected(_ area: String) -> Bool {
    guard area.hasPrefix("/dev/"), let path = SystemPath.resolved(area) else { return false }
    guard let slash = path.lastIndex(of: "/") else { return false }
    let device = path[path.index(after: slash)...]
    if device.hasPrefix("zram") { return true }
    return Doctor.text(of: "/sys/class/block/\(device)/dm/uuid")?.hasPrefix("CRYPT-") ?? false
  }

  var isOpen: Bool {
    if case .open = self { return true }
    return false
  }
}
