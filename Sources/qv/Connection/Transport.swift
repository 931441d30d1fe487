import CLinux
import Glibc
import VaultInterface
import Wire

/// The connection to quickvault: a private process or the shared service.
struct Transport {
  private let input: Int32
  private let output: Int32
  /// The private process; nil for the shared service.
  private let worker: (program: String, process: linux_worker)?

  // MARK: A private process

  /// Starts a process that serves this command alone.
  ///
  /// - Parameter variables: what it has in place of this process's variables.
  static func alone(_ arguments: [String], _ variables: [String: String] = [:]) throws(Failure) -> Transport {
    guard let program = SearchPath.quickvault else { throw programMissing }
    var worker = linux_worker()
    let failure = unsafe ArgumentVector.with(
      [program] + arguments,
      environment: ProcessEnvironment.entries.filter {
        variables[String($0.prefix { $0 != "=" })] == nil
      } + variables.map { "\($0.key)=\($0.value)" }
    ) { unsafe linux_worker_start(&worker, program, $0, $1) }
    guard failure == 0 else { throw noResponse(program, "") }
    return Transport(input: worker.output, output: worker.input, worker: (program, worker))
  }

  // MARK: The shared service

  /// Connects to the service of a vault, and starts it if there is none.
  ///
  /// - Parameter isForAgent: ``Greeting/isForAgent``.
  static func shared(vault: String, isForAgent: Bool = false) throws(Failure) -> Transport {
    let place: ServiceLocation
    do throws(SystemError) {
      place = try ServiceLocation(vault: vault, environment: { Environment[$0] })
    } catch {
      throw .exit(.failure, Localized(verbatim: "\(vault): \(error)"))
    }
    var greeting = greeting(place)
    greeting.isForAgent = isForAgent
    do throws(ServiceStart.Failure) {
      let connection = try ServiceStart.connect(
        to: place, greeting, program: SearchPath.quickvault ?? "",
        startingWith: ["serve", "--socket", "--background", "--vault", place.vault])
      return Transport(input: connection.descriptor, output: connection.descriptor, worker: nil)
    } catch {
      if SearchPath.quickvault == nil { throw programMissing }
      throw .exit(.program, Localized(error))
    }
  }

  /// Connects to the service of a vault, if it runs.
  static func running(vault: String) -> Transport? {
    guard let place = try? ServiceLocation(vault: vault, environment: { Environment[$0] }) else { return nil }
    guard let connection = try? ServiceConnection.open(place, greeting(place)) else { return nil }
    return Transport(input: connection.descriptor, output: connection.descriptor, worker: nil)
  }

  private static func greeting(_ place: ServiceLocation) -> Greeting {
    Greeting(
      vault: place.vault, locale: Environment.locale, ticket: Environment.ticket,
      environment: { Environment[$0] })
  }

  // MARK: Bytes

  /// Waits until something can be read.
  ///
  /// - Returns: false if the other descriptor became readable first.
  func wait(or other: Int32?) throws(Failure) -> Bool {
    try Signals.wait(for: [input] + (other.map { [$0] } ?? [])) == 0
  }

  /// Waits until something can be read.
  ///
  /// - Parameter timeout: in milliseconds.
  /// - Returns: false after the timeout.
  func wait(timeout: Int32) throws(Failure) -> Bool { try Signals.wait(for: input, timeout: timeout) }

  /// Whether something can be read now, or the conversation has ended.
  var isReadable: Bool {
    var query = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }

  /// - Returns: nil at the end of the conversation.
  func read() -> [UInt8]? {
    while true {
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
        let count = unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
        return unsafe (count, count > 0 ? Array(buffer.prefix(count)) : [])
      }
      if count.0 > 0 { return count.1 }
      guard count.0 < 0, errno == EINTR || errno == EAGAIN else { return nil }
    }
  }

  /// - Returns: whether all was written.
  func write(_ bytes: [UInt8]) -> Bool {
    var position = 0
    while position < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(output, bytes.baseAddress.map { unsafe $0 + position }, bytes.count - position)
      }
      if written > 0 {
        position += written
      } else if errno == EAGAIN {
        var query = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&query, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Ends the conversation, and waits for the end of a private process.
  func close() {
    Glibc.close(output)
    if let worker {
      linux_worker_end(worker.process.watch)
      Glibc.close(input)
    }
  }

  // MARK: Failures

  /// Returns the failure of a conversation that ended before the first response.
  func unusable() -> Failure {
    guard let (program, process) = worker else { return VaultConnection.ended }
    var query = pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&query, 1, 1_000) > 0 else { return Self.noResponse(program, "") }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe Glibc.read(process.errors, &buffer, buffer.count)
    return Self.noResponse(program, String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).firstLine)
  }

  private static func noResponse(_ program: String, _ reason: String) -> Failure {
    .exit(
      .program,
      Localized("\(program) does not respond. \(reason.oneLine)", "\(program) 没有响应。\(reason.oneLine)"))
  }

  static var programMissing: Failure {
    let name = Environment.nonEmptyValue("QUICKVAULT_PROGRAM") ?? "quickvault"
    return .exit(
      .program,
      Localized(
        "\(name) was not found. Install QuickVault, or set QUICKVAULT_PROGRAM to the path of the program",
        "找不到 \(name)。请安装随取，或把 QUICKVAULT_PROGRAM 设为程序的路径"))
  }
}

extension Localized {
  /// Why the shared service cannot be used.
  fileprivate init(_ failure: ServiceStart.Failure) {
    let reason =
      switch failure {
      case .system(let error): Localized(verbatim: "\(error)")
      case .ended(let status): Localized("it ended with status \(status)", "服务已退出（退出状态 \(status)）")
      case .notFound: Localized("it was started, but is not found", "已启动，但找不到")
      case .connection(.system(let error)): Localized(verbatim: "\(error)")
      case .connection(.directory(let refusal)):
        Localized(refusal.message.english, refusal.message.simplifiedChinese)
      case .connection(.otherUser): Localized("its socket belongs to another user", "其套接字属于其他用户")
      case .connection(.closed), .connection(.noAnswer): Localized("it does not answer", "服务没有响应")
      case .connection(.refused(.malformed, let version)):
        Localized(
          "it has another version (\(version)); lock the vault and try again", "服务的版本不同（\(version)）；请锁定保险库后重试"
        )
      case .connection(.refused(.tooMany, _)): Localized("too many clients are connected", "已连接的客户端过多")
      case .connection(.refused(.unknownProcess, _)):
        Localized("it cannot see this process, which may be in a container", "服务看不到本进程，本进程可能在容器中")
      case .connection(.refused(let refusal, let version)):
        Localized(
          "it refuses this program (\(refusal), version \(version))", "服务拒绝了本程序（\(refusal)，版本 \(version)）")
      }
    self.init(
      "cannot use the shared service: \(reason.english); use --alone to work without it",
      "无法使用共享服务：\(reason.simplifiedChinese)；可用 --alone 绕过共享服务")
  }
}
