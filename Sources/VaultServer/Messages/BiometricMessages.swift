import DesktopProtocol
import VaultModel
import VaultProtocol
import VaultSession

extension BiometricError.Obstacle {
  /// What is missing and how to get it.
  var message: Localized {
    switch self {
    case .programMissing:
      Localized(
        "The program quickvault-desktop is missing. Install QuickVault with its desktop part.",
        "缺少程序 quickvault-desktop。请安装随取的桌面组件。")
    case .busMissing:
      Localized(
        "There is no system bus. Install the package dbus and start it.", "没有系统总线。请安装 dbus 软件包并启动其服务。")
    case .serviceMissing:
      Localized("The fingerprint service is missing. Install the package fprintd.", "缺少指纹服务。请安装 fprintd 软件包。")
    case .noReader:
      Localized("There is no usable fingerprint reader.", "没有可用的指纹识别器。")
    case .permissionDenied:
      Localized(
        "The system does not allow this session to use the fingerprint reader. The polkit rules for net.reactivated.fprint.device.verify decide.",
        "系统不允许此会话使用指纹识别器。权限由 polkit 规则 net.reactivated.fprint.device.verify 决定。")
    case .readerBusy: Localized("Another program is using the fingerprint reader.", "其他程序正在使用指纹识别器。")
    case .sessionBusMissing:
      Localized(
        "There is no session bus. Install the package dbus-user-session and log in again.",
        "没有会话总线。请安装 dbus-user-session 软件包并重新登录。")
    case .keychainMissing:
      Localized(
        "The desktop's keychain is missing. Install a Secret Service such as the package gnome-keyring.",
        "缺少桌面密钥环。请安装提供 Secret Service 的软件包，例如 gnome-keyring。")
    case .noCollection:
      Localized(
        "There is no default keychain. Create one in the desktop's keychain program.",
        "没有默认密钥环。请在桌面的密钥环管理程序中创建。")
    case .keychainFailed: Localized("The desktop's keychain failed.", "桌面密钥环出错。")
    case .turnedOff:
      Localized(
        "Fingerprint unlock is turned off. Unlock with the password and turn biometricUnlock on in the settings.",
        "指纹解锁已关闭。请使用密码解锁，并在设置中开启 biometricUnlock。")
    case .failed: Localized("The fingerprint service failed.", "指纹服务出错。")
    }
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
    case .programMissing: BiometricError.Obstacle.programMissing.message
    case .busMissing: BiometricError.Obstacle.busMissing.message
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
