import HelperProtocols
import Vault
import VaultInterface

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
