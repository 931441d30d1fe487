import VaultInterface

extension TerminalPage {
  /// Whether a fingerprint unlocks the vault here, and what is missing.
  init(_ status: BiometricStatus.Response) {
    self.init(status.sentence)
    addFacts(status.parts.map { ($0.name, $0.message) })
    addNext([
      !status.isAllowed
        ? Suggestion("qv settings biometricUnlock=on", Localized("allow fingerprints", "允许使用指纹"))
        : status.isEnabled
          ? Suggestion("qv fingerprint off", Localized("unlock by the password only", "只用密码解锁"))
          : status.isAvailable
            ? Suggestion("qv fingerprint on", Localized("bind this device", "绑定本机"))
            : Suggestion("qv doctor", Localized("how to install what is missing", "如何安装缺少的组件")),
      Suggestion("qv devices", Localized("the devices that are bound", "已绑定的设备")),
    ])
  }

  /// The devices on which a fingerprint unlocks the vault.
  init(_ devices: [BoundDevice]) {
    let count = devices.count
    self.init(
      devices.isEmpty
        ? Localized("No device is bound to this vault.", "没有绑定任何设备。")
        : Localized(
          count == 1
            ? "One device is bound: a fingerprint unlocks the vault there."
            : "\(count) devices are bound: a fingerprint unlocks the vault there.",
          "已绑定 \(count) 台设备，可在其上用指纹解锁保险库。"))
    addRows(devices.map { Row($0.id.short, $0.text) })
    addNext([
      devices.contains(where: \.isThisDevice)
        ? Suggestion("qv fingerprint off", Localized("remove the binding of this device", "解除本机的绑定"))
        : Suggestion("qv fingerprint on", Localized("bind this device", "绑定本机")),
      devices.isEmpty
        ? nil
        : Suggestion(
          "qv devices revoke", Localized("ID", "编号"), Localized("remove the binding of a device", "解除一台设备的绑定")
        ),
    ])
  }

  /// The programs that are connected to the vault.
  init(_ clients: [ClientList.Client]) {
    let others = clients.filter { !$0.isOwn }
    let admitted = others.filter(\.isAdmitted).count
    self.init(
      others.isEmpty
        ? Localized("No other program is connected to the vault.", "没有其他程序连接到保险库。")
        : Localized(
          "Other programs that may use the vault: \(admitted); that may not: \(others.count - admitted).",
          "其他程序中，已获准使用保险库的：\(admitted) 个；未获准的：\(others.count - admitted) 个。"))
    addRows(clients.map { Row("\($0.id)", $0.text) })
    addNext([
      others.isEmpty
        ? nil
        : Suggestion(
          "qv clients revoke", Localized("NUMBER", "编号"), Localized("end the access of a program", "终止程序的访问")),
      Suggestion("qv clients allow", Localized("wait for a program that asks, and answer it", "等待程序请求并答复")),
      Suggestion("qv lock", Localized("lock for all of them", "为所有程序锁定")),
    ])
  }
}

extension BiometricStatus.Response {
  /// The state in a sentence.
  var sentence: Localized {
    if !isAllowed {
      Localized("Fingerprint unlock is turned off in the settings.", "设置中已关闭指纹解锁。")
    } else if isEnabled {
      Localized("This device is bound: your fingerprint unlocks the vault.", "本机已绑定，可以用指纹解锁保险库。")
    } else if isAvailable {
      Localized("Fingerprint unlock is available.", "可以使用指纹解锁。")
    } else {
      Localized("Fingerprint unlock is not available here.", "本机无法使用指纹解锁。")
    }
  }

  /// What it needs, each with its state.
  var parts: [(name: Localized, message: String)] {
    let ready = Localized("ready", "就绪").shown
    return [
      (Localized("Fingerprint reader", "指纹识别器"), fingerprint.message ?? ready),
      (Localized("Keychain", "密钥环"), keychain.message ?? ready),
      (Localized("Desktop session", "桌面会话"), session.message ?? ready),
    ]
  }
}

extension BoundDevice {
  /// Its name, and when it was bound and used.
  var text: String {
    let used =
      lastUsedAt.map { Localized("last used \($0.local)", "上次使用 \($0.local)") }
      ?? Localized("not used yet", "尚未使用")
    let here = isThisDevice ? Localized(" (this device)", "（本机）") : Localized("", "")
    return Localized(
      "\(name)\(here.english), bound \(createdAt.local), \(used.english)",
      "\(name)\(here.simplifiedChinese)，绑定于 \(createdAt.local)，\(used.simplifiedChinese)"
    ).shown
  }
}

extension ClientList.Client {
  /// Its program, and how it was admitted.
  var text: String {
    let place = program.terminal.map { ", \($0)" } ?? ""
    let state = isOwn ? Localized("this program", "本程序") : admission
    return Localized(
      "\(program.name) (process \(program.process)\(place)): \(state.english)",
      "\(program.name)（进程 \(program.process)\(place)）：\(state.simplifiedChinese)"
    ).shown
  }

  private var admission: Localized {
    guard isAdmitted else { return Localized("not admitted", "未获准") }
    guard let means, let way = Localized.ways[means] else { return Localized("admitted", "已获准") }
    let left = secondsLeft.map { max($0 / 60, 1) }
    let time = left.map {
      $0 < 120
        ? Localized(" for \($0) more min", "，还有 \($0) 分钟")
        : Localized(" for \($0 / 60) more h", "，还有 \($0 / 60) 小时")
    }
    return Localized(
      "admitted \(way.english)\(time?.english ?? "")",
      "\(way.simplifiedChinese)获准\(time?.simplifiedChinese ?? "")")
  }
}

extension Localized {
  /// How a program was admitted, or the vault unlocked, by the means of the protocol.
  static let ways = [
    "password": Localized("by the password", "用密码"), "fingerprint": Localized("by a fingerprint", "用指纹"),
    "consent": Localized("by consent", "经同意"), "setting": Localized("by the settings", "按设置"),
    "ticket": Localized("by a ticket of another program", "凭其他程序的凭证"),
  ]
}
