import DesktopProtocol
import JSON
import VaultModel
import VaultProtocol
import VaultSession

extension BiometricError: Refusal {
  /// The number on the wire: 1401 to 1411 in the order in which LocalAuthentication has them.
  var code: Int {
    switch self {
    case .authenticationFailed: 1401
    case .userCancel: 1402
    case .userFallback: 1403
    case .systemCancel: 1404
    case .passcodeNotSet: 1405
    case .biometryNotAvailable: 1406
    case .biometryNotEnrolled: 1407
    case .biometryLockout: 1408
    case .appCancel: 1409
    case .invalidContext: 1410
    case .notInteractive: 1411
    case .enrollmentChanged: 1412
    case .notEnabled: 1413
    case .keychainLocked: 1414
    case .timedOut: 1415
    case .deviceNotFound: 1416
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .authenticationFailed: "biometric.authenticationFailed"
    case .userCancel: "biometric.userCancel"
    case .userFallback: "biometric.userFallback"
    case .systemCancel: "biometric.systemCancel"
    case .passcodeNotSet: "biometric.passcodeNotSet"
    case .biometryNotAvailable: "biometric.biometryNotAvailable"
    case .biometryNotEnrolled: "biometric.biometryNotEnrolled"
    case .biometryLockout: "biometric.biometryLockout"
    case .appCancel: "biometric.appCancel"
    case .invalidContext: "biometric.invalidContext"
    case .notInteractive: "biometric.notInteractive"
    case .enrollmentChanged: "biometric.enrollmentChanged"
    case .notEnabled: "biometric.notEnabled"
    case .keychainLocked: "keychain.locked"
    case .timedOut: "biometric.timedOut"
    case .deviceNotFound: "device.notFound"
    }
  }

  /// Cancelling needs no words: whoever did it knows.
  var isSilent: Bool {
    switch self {
    case .userCancel, .userFallback, .systemCancel, .appCancel: true
    default: false
    }
  }

  /// What a program is told beyond the kind.
  func details(in language: Language) -> [JSON.Member] {
    switch self {
    case .biometryNotAvailable(let obstacle):
      [.init("reason", .string(obstacle.rawValue))]
        + (obstacle.package.map { [.init("package", .string($0))] } ?? [])
    case .deviceNotFound(let id): [.init("id", .string(id.description))]
    default: []
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .authenticationFailed:
      Localized("The finger was not recognised. Use the password.", "未能识别指纹，请使用密码。")
    case .userCancel: Localized("Cancelled.", "已取消。")
    case .userFallback: Localized("The password is used instead.", "已改用密码。")
    case .systemCancel: Localized("The system ended the fingerprint check.", "系统中止了指纹验证。")
    case .passcodeNotSet:
      Localized("There is no vault here yet; create it with a password first.", "这里还没有保险库，请先用密码创建。")
    case .biometryNotAvailable(let obstacle): obstacle.words
    case .biometryNotEnrolled:
      Localized(
        "No finger is enrolled. Enrol one in the desktop's settings or with fprintd-enroll.",
        "尚未录入指纹。请在桌面设置中或使用 fprintd-enroll 录入。")
    case .biometryLockout:
      Localized("Too many fingers were not recognised. Unlock with the password.", "指纹识别失败次数过多，请使用密码解锁。")
    case .appCancel: Localized("The vault was locked meanwhile.", "保险库已被锁定，指纹验证中止。")
    case .invalidContext:
      Localized(
        "This device's secret does not belong to the vault. Unlock with the password and enable the fingerprint again.",
        "本机密钥与保险库不符。请使用密码解锁并重新启用指纹。")
    case .notInteractive:
      Localized("No finger can be asked for in the background.", "在后台无法验证指纹。")
    case .enrollmentChanged:
      Localized(
        "The enrolled fingers have changed. Unlock with the password and enable the fingerprint again.",
        "已录入的指纹发生变化。请使用密码解锁并重新启用指纹。")
    case .notEnabled:
      Localized("The fingerprint is not enabled on this device.", "本机尚未启用指纹解锁。")
    case .keychainLocked:
      Localized("The desktop's keychain is locked. Unlock it, or use the password.", "桌面密钥环已锁定。请解锁密钥环或使用密码。")
    case .timedOut: Localized("No finger came in time.", "等待指纹超时。")
    case .deviceNotFound: Localized("There is no such device.", "没有这台设备。")
    }
  }
}

extension BiometricError.Obstacle {
  /// What is missing and how to get it.
  var words: Localized {
    switch self {
    case .programMissing:
      Localized(
        "The program quickvault-desktop is missing. Install QuickVault with its desktop part.",
        "缺少程序 quickvault-desktop。请安装随取的桌面组件。")
    case .busMissing:
      Localized("There is no system bus. Install the package dbus and start it.", "没有系统总线。请安装并启动 dbus 软件包。")
    case .serviceMissing:
      Localized("The fingerprint service is missing. Install the package fprintd.", "缺少指纹服务。请安装 fprintd 软件包。")
    case .noReader:
      Localized("There is no fingerprint reader that can be used.", "没有可用的指纹读取器。")
    case .permissionDenied:
      Localized(
        "The system does not let this session use the reader. polkit's rules for net.reactivated.fprint.device.verify decide.",
        "系统不允许此会话使用指纹读取器，由 polkit 规则 net.reactivated.fprint.device.verify 决定。")
    case .readerBusy: Localized("Another program uses the fingerprint reader.", "其他程序正在使用指纹读取器。")
    case .sessionBusMissing:
      Localized(
        "There is no session bus. Install the package dbus-user-session and log in again.",
        "没有会话总线。请安装 dbus-user-session 软件包并重新登录。")
    case .keychainMissing:
      Localized(
        "The desktop's keychain is missing. Install a Secret Service such as the package gnome-keyring.",
        "缺少桌面密钥环。请安装 Secret Service，例如 gnome-keyring 软件包。")
    case .noCollection:
      Localized(
        "The keychain has no default collection. Create one in the desktop's keychain program.",
        "密钥环没有默认集合。请在桌面密钥环程序中创建。")
    case .turnedOff:
      Localized(
        "Unlocking with a finger is turned off. Unlock with the password and turn biometricUnlock on in the settings.",
        "指纹解锁已关闭。请使用密码解锁，并在设置中打开 biometricUnlock。")
    case .failed: Localized("The fingerprint service failed.", "指纹服务出错。")
    }
  }
}

extension DesktopStatus.Part {
  /// What to do about the reader.
  var fingerprintAdvice: Localized? { state == .ready ? nil : fingerprintObstacle.words }

  /// What to do about the keychain.
  var keychainAdvice: Localized? { state == .ready ? nil : keychainObstacle.words }

  /// What it means for locking with the desktop.
  var sessionAdvice: Localized? {
    switch state {
    case .ready: nil
    case .none:
      Localized(
        "This process belongs to no desktop session; the vault does not lock with one.",
        "此进程不属于任何桌面会话，保险库不会随之锁定。")
    case .programMissing: BiometricError.Obstacle.programMissing.words
    case .busMissing: BiometricError.Obstacle.busMissing.words
    case .serviceMissing:
      Localized("logind is missing; the vault does not lock with the desktop.", "缺少 logind，保险库不会随桌面锁定。")
    default: Localized("logind failed; the vault does not lock with the desktop.", "logind 出错，保险库不会随桌面锁定。")
    }
  }
}

extension BiometricDidChangeState.State {
  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .scanning: Localized("Put your finger on the reader.", "请将手指放在指纹读取器上。")
    case .tryAgain: Localized("Try again.", "请再试一次。")
    case .succeeded: Localized("Recognised.", "已识别。")
    case .failed: BiometricError.authenticationFailed.words
    }
  }
}

extension BiometricDidChangeState.Reason {
  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .notMatched: Localized("The finger was not recognised.", "未能识别指纹。")
    case .tryAgain: Localized("Try again.", "请再试一次。")
    case .swipeTooShort: Localized("The swipe was too short; try again.", "滑动过短，请再试一次。")
    case .fingerNotCentered: Localized("Put the finger on the middle of the reader.", "请将手指放在读取器中央。")
    case .removeAndRetry: Localized("Lift the finger and try again.", "请抬起手指后再试一次。")
    case .tooFast: Localized("Too fast; try again more slowly.", "过快，请慢一些再试。")
    }
  }
}
