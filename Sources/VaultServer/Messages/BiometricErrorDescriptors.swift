import JSON
import VaultModel
import VaultSession

extension BiometricError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .authenticationFailed:
      .init(
        1401, "biometric.authenticationFailed", "The fingerprint was not recognised. Use the password.",
        "未能识别指纹，请使用密码。")
    case .userCancel: .init(1402, "biometric.userCancel", "Cancelled.", "已取消。", isSilent: true)
    case .userFallback:
      .init(1403, "biometric.userFallback", "The password is used instead.", "已改用密码。", isSilent: true)
    case .systemCancel:
      .init(
        1404, "biometric.systemCancel", "The system ended the fingerprint check.", "系统中止了指纹验证。",
        isSilent: true)
    case .passcodeNotSet:
      .init(
        1405, "biometric.passcodeNotSet", "There is no vault here yet; create it with a password first.",
        "此处还没有保险库，请先用主密码创建。")
    case .biometryNotAvailable(let obstacle):
      .init(
        1406, "biometric.biometryNotAvailable", obstacle.message,
        obstacle.package.map { ["reason": .string(obstacle.rawValue), "package": .string($0)] }
          ?? ["reason": .string(obstacle.rawValue)])
    case .biometryNotEnrolled:
      .init(
        1407, "biometric.biometryNotEnrolled",
        "No fingerprint is enrolled. Enrol one in the desktop's settings or with fprintd-enroll.",
        "尚未录入指纹。请在桌面设置中录入，或运行 fprintd-enroll。")
    case .biometryLockout:
      .init(
        1408, "biometric.biometryLockout",
        "Too many fingerprints were not recognised. Unlock with the password.",
        "指纹识别失败次数过多，请使用密码解锁。")
    case .appCancel:
      .init(1409, "biometric.appCancel", "The vault was locked meanwhile.", "保险库已锁定，指纹验证已中止。", isSilent: true)
    case .invalidContext:
      .init(
        1410, "biometric.invalidContext",
        "This device's secret does not belong to the vault. Unlock with the password and turn on fingerprint unlock again.",
        "本机密钥与此保险库不匹配。请使用密码解锁，然后重新开启指纹解锁。")
    case .notInteractive:
      .init(
        1411, "biometric.notInteractive", "A fingerprint cannot be requested in the background.", "在后台无法验证指纹。"
      )
    case .enrollmentChanged:
      .init(
        1412, "biometric.enrollmentChanged",
        "The enrolled fingerprints have changed. Unlock with the password and turn on fingerprint unlock again.",
        "录入的指纹已发生变化。请使用密码解锁，然后重新开启指纹解锁。")
    case .notEnabled:
      .init(1413, "biometric.notEnabled", "Fingerprint unlock is off on this device.", "本机尚未开启指纹解锁。")
    case .keychainLocked:
      .init(
        1414, "keychain.locked", "The desktop's keychain is locked. Unlock it, or use the password.",
        "桌面密钥环已锁定。请解锁密钥环，或使用密码。")
    case .timedOut: .init(1415, "biometric.timedOut", "No fingerprint was read in time.", "等待指纹超时。")
    case .deviceNotFound(let id):
      .init(1416, "device.notFound", "There is no such device.", "找不到该设备。", ["id": .string(id.description)])
    }
  }
}
