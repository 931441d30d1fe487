import CLinux
import Glibc
import HelperProtocols
import VaultInterface
import Wire

extension Doctor {
  /// The state of fingerprint reader, keychain and session, as `quickvault-desktop` reports it.
  var desktopFindings: [Finding] {
    let status = programs.path(of: "quickvault-desktop").map { DesktopStatusQuery.run($0) }
    return [
      finding("fingerprint", Localized("Fingerprint reader", "指纹识别器"), status.map { $0?.fingerprint }),
      finding("keychain", Localized("Keychain", "密钥环"), status.map { $0?.keychain }),
      finding("session", Localized("Desktop session", "桌面会话"), status.map { $0?.session }),
    ]
  }

  /// - Parameter part: nil without the program; nil inside if it does not answer.
  private func finding(_ key: String, _ subject: Localized, _ part: DesktopStatus.Part??) -> Finding {
    guard let part else {
      return Finding(
        key, subject, .missing,
        Localized("unknown without quickvault-desktop", "没有 quickvault-desktop，无法得知"))
    }
    guard let part else {
      return Finding(
        key, subject, .failed, Localized("quickvault-desktop does not answer", "quickvault-desktop 没有响应"),
        advice: Localized("reinstall the same version of quickvault-desktop", "请重新安装相同版本的 quickvault-desktop")
      )
    }
    return Finding(
      key, subject, Self.state(of: part.state), Self.description(of: part),
      advice: part.availability.package.map { Localized("apt install \($0)", "请运行 apt install \($0)") }
        ?? Self.advice(part.state))
  }

  private static func state(of state: Availability.State) -> Finding.State {
    switch state {
    case .ready, .locked: .ok
    case .failed: .failed
    default: .missing
    }
  }

  private static func description(of part: DesktopStatus.Part) -> Localized {
    switch part.state {
    case .ready: part.reader.map { Localized(verbatim: $0) } ?? Localized("available", "可用")
    case .locked: Localized("available, locked", "可用，已锁定")
    case .busMissing: Localized("there is no D-Bus", "没有 D-Bus 总线")
    case .serviceMissing: Localized("its service is not installed", "缺少相应的服务")
    case .noReader: Localized("no reader is connected", "未连接指纹识别器")
    case .notEnrolled: Localized("no fingerprint is enrolled", "尚未录入指纹")
    case .permissionDenied: Localized("this session may not use it", "本会话无权使用")
    case .noCollection: Localized("there is no default keychain", "没有默认密钥环")
    case .none: Localized("not in a desktop session", "不在桌面会话中")
    case .failed: Localized("its service failed", "相应的服务出错")
    case .programMissing: Localized("not installed", "未安装")
    }
  }

  private static func advice(_ state: Availability.State) -> Localized? {
    switch state {
    case .notEnrolled:
      Localized("run fprintd-enroll, or use the desktop's settings", "请运行 fprintd-enroll，或在桌面设置中录入")
    case .permissionDenied: Localized("log in locally", "请在本机登录")
    case .noCollection: Localized("create one in the desktop's keychain program", "请在桌面的密钥环管理程序中创建")
    case .failed: Localized("see the journal: journalctl -b", "请查看日志：journalctl -b")
    default: nil
    }
  }
}

/// Asks `quickvault-desktop` for its status, blocking.
enum DesktopStatusQuery {
  /// In milliseconds: services that must be started first take up to 25 seconds.
  private static let timeout: Int64 = 30_000

  /// Starts the program, asks for its status, and ends it.
  ///
  /// - Returns: nil if there is no answer.
  static func run(_ program: String) -> DesktopStatus.Response? {
    var worker = linux_worker()
    let environment = WorkerProcesses.environment(DesktopProgram.environment, prefixes: [])
      .map { "\($0.key)=\($0.value)" }
    let failure = unsafe ArgumentVector.with([program], environment: environment) {
      unsafe linux_worker_start(&worker, program, $0, $1)
    }
    guard failure == 0 else { return nil }
    defer {
      for descriptor in [worker.input, worker.output, worker.errors] { close(descriptor) }
      kill(worker.process, SIGKILL)
      _ = linux_worker_end(worker.watch)
      close(worker.watch)
    }
    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"desktop/status"}"#.utf8) + [0x0A]
    guard unsafe write(worker.input, request, request.count) == request.count else { return nil }
    guard let line = line(from: worker.output), let result = try? JSONReader.read(line)["result"] else {
      return nil
    }
    return try? DesktopStatus.Response.read(result, at: "result")
  }

  private static func line(from descriptor: Int32) -> [UInt8]? {
    let end = now() + timeout
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, Int32(max(0, end - now()))) > 0 else { return nil }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      line += buffer[..<count]
      if let newline = line.firstIndex(of: 0x0A) { return Array(line[..<newline]) }
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
