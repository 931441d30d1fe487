import HelperProtocols
import Vault
package import VaultInterface
package import Wire

/// What is said about a shared service that cannot be reached, or has ended.
extension Localized {
  package static func serviceDied(_ process: Int) -> Localized {
    Localized(
      "the shared service (process \(process)) has ended unexpectedly; run 'quickvault doctor --report' for the cause",
      "共享服务（进程 \(process)）意外结束；运行 quickvault doctor --report 可查看原因")
  }

  package static let unusableActivation = Localized(
    "the service manager must pass one listening socket", "服务管理器必须传入且仅传入一个监听套接字")

  private static let notReached = Localized("cannot use the shared service", "无法使用共享服务")

  package init(_ failure: ServiceStart.Failure) {
    self =
      switch failure {
      case .connection(let failure): Self.notReached.because(Localized(failure))
      case .system(let error): Self.notReached.because(Localized(verbatim: "\(error)"))
      case .ended(let status):
        Self.notReached.because(
          Localized("it could not be started (exit status \(status))", "无法启动（退出状态 \(status)）"))
      case .notFound:
        Self.notReached.because(
          Localized(
            "it was started, but is not found; is XDG_RUNTIME_DIR the same everywhere?",
            "已启动，但找不到；请检查各处的 XDG_RUNTIME_DIR 是否相同"))
      }
  }

  init(_ failure: ServiceConnection.Failure) {
    self =
      switch failure {
      case .directory(let refusal): Localized(refusal.message.english, refusal.message.simplifiedChinese)
      case .system(let error): Localized(verbatim: "\(error)")
      case .otherUser(let user):
        Localized("its socket belongs to another user (\(user))", "其套接字属于其他用户（\(user)）")
      case .refused(let refusal, let version): Localized(refusal, version)
      case .closed: Localized("it closed the connection", "服务关闭了连接")
      case .noAnswer: Localized("it does not answer", "服务没有响应")
      }
  }

  private init(_ refusal: GreetingResponse.Refusal, _ version: String) {
    self =
      switch refusal {
      case .otherVault: Localized("it serves another vault", "该服务提供的是另一个保险库")
      case .tooMany: Localized("too many clients are connected", "已连接的客户端过多")
      case .malformed:
        Localized(
          "it has another version (\(version)); lock the vault and try again",
          "服务的版本不同（\(version)）；请锁定保险库后重试")
      case .otherUser: Localized("it runs as another user", "服务以其他用户身份运行")
      case .unknownProcess:
        Localized(
          "it cannot see this process, which may be in a container", "服务看不到本进程，本进程可能在容器中")
      }
  }

  package init(_ failure: ServiceSocket.Failure) {
    let reason =
      switch failure {
      case .directory(let refusal): Localized(refusal.message.english, refusal.message.simplifiedChinese)
      case .system(let error): Localized(verbatim: "\(error)")
      case .unreachable(let path, let process?):
        Localized(
          "process \(process) is the service, but does not listen on \(path); end it with: kill \(process)",
          "进程 \(process) 是该服务，但没有在 \(path) 上监听；请运行 kill \(process) 结束它")
      case .unreachable(let path, nil):
        Localized(
          "another process is the service, but does not listen on \(path)",
          "另一个进程是该服务，但没有在 \(path) 上监听")
      }
    self = Localized("cannot start the shared service", "无法启动共享服务").because(reason)
  }

  /// A sentence and its reason.
  private func because(_ reason: Localized) -> Localized {
    Localized("\(english): \(reason.english)", "\(simplifiedChinese)：\(reason.simplifiedChinese)")
  }
}

extension DesktopStatus.Part {
  /// What to do about the reader.
  var fingerprintAdvice: Localized? { state == .ready ? nil : fingerprintObstacle.descriptor.message }

  /// What to do about the keychain.
  var keychainAdvice: Localized? { state == .ready ? nil : keychainObstacle.descriptor.message }

  /// What it means for locking with the desktop.
  var sessionAdvice: Localized? {
    switch state {
    case .ready: nil
    case .none:
      Localized(
        "This process is not part of a desktop session, so the vault does not lock when the desktop locks.",
        "此进程不属于任何桌面会话，保险库不会随桌面锁定。")
    case .programMissing: BiometricError.Obstacle.programMissing.descriptor.message
    case .busMissing: BiometricError.Obstacle.busMissing.descriptor.message
    case .serviceMissing:
      Localized("logind is missing; the vault does not lock with the desktop.", "缺少 logind，保险库不会随桌面锁定。")
    default: Localized("logind failed; the vault does not lock with the desktop.", "logind 出错，保险库不会随桌面锁定。")
    }
  }
}

extension BiometricDidChangeState.State {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .scanning: Localized("Put your finger on the reader.", "请将手指放在指纹识别器上。")
    case .tryAgain: Localized("Try again.", "请再试一次。")
    case .succeeded: Localized("Recognised.", "已识别。")
    case .failed: BiometricError.authenticationFailed.descriptor.message
    }
  }
}

extension BiometricDidChangeState.Reason {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .notMatched: Localized("The fingerprint was not recognised.", "未能识别指纹。")
    case .tryAgain: Localized("Try again.", "请再试一次。")
    case .swipeTooShort: Localized("The swipe was too short; try again.", "滑动过短，请再试一次。")
    case .fingerNotCentered: Localized("Put your finger on the centre of the reader.", "请将手指放在识别器中央。")
    case .removeAndRetry: Localized("Lift your finger and try again.", "请抬起手指后再试一次。")
    case .tooFast: Localized("Too fast; try again more slowly.", "速度过快，请慢一些再试。")
    }
  }
}
