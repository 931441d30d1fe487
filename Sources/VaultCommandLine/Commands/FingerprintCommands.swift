import JSON
import VaultModel
import VaultProtocol

enum FingerprintCommand {
  static let command = Command(
    name: "fingerprint", summary: Localized("turn fingerprint unlock on or off", "开启或关闭指纹解锁"),
    help: Localized(
      """
      qv fingerprint [on | off | status] [--json] [--password-fd N]

      on binds this device with the password and a fingerprint. From then on, you are asked for a fingerprint
      first; press Enter to use the password instead. off removes the binding. status shows whether
      fingerprint unlock works, what is missing, and how to fix it.
      """,
      """
      qv fingerprint [on | off | status] [--json] [--password-fd N]

      on 在验证密码和指纹后绑定本机：此后先询问指纹，按回车改用密码。off 解除绑定。
      status 显示指纹解锁是否可用、缺少什么、如何解决。
      """),
    options: [.json] + Option.password, operands: [.words(["on", "off", "status"])]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    invocation.vault.offersFingerprint = false
    switch invocation.operands.first ?? "status" {
    case "on": try turnOn(invocation)
    case "off":
      try invocation.vault.request(BiometricDisable.method)
      invocation.report(
        "fingerprint unlock is off; only the password unlocks the vault now", "已关闭指纹解锁，现在只能用密码解锁保险库")
    case "status": try showStatus(invocation)
    case let word: throw .unexpectedArgument(word)
    }
  }

  private static func turnOn(_ invocation: Invocation) throws(Failure) {
    let vault = invocation.vault
    _ = try vault.withPassword(Prompt.unlock) { password throws(Failure) in
      let unlocked = try vault.attempt(CardList.method, ["limit": 1], unlockingBy: password)
      guard case .success = unlocked else { return unlocked }
      let answer = try vault.bindDevice(password)
      if case .failure(let error) = answer, error.isCancellation { throw .declined }
      return answer
    }
    invocation.report(Localized.fingerprintEnabled[invocation.language])
  }

  private static func showStatus(_ invocation: Invocation) throws(Failure) {
    let status = try invocation.vault.request(BiometricStatus.method)
    if try invocation.showsJSON(status) { return }
    let state =
      if status["biometricUnlock"] == false {
        Localized(
          "Fingerprint unlock is turned off in the settings. Turn it on with qv settings biometricUnlock=on.",
          "设置中已关闭指纹解锁。用 qv settings biometricUnlock=on 开启。")
      } else if status["enabled"] == true {
        Localized("This device is bound: your fingerprint unlocks the vault.", "本机已绑定，可以用指纹解锁保险库。")
      } else if status["available"] == true {
        Localized(
          "Fingerprint unlock is available. Turn it on with qv fingerprint on.",
          "可以使用指纹解锁。用 qv fingerprint on 开启。")
      } else {
        Localized("Fingerprint unlock is not available here.", "本机无法使用指纹解锁。")
      }
    try invocation.output.line(state[invocation.language])
    let parts = [
      ("fingerprint", Localized("Fingerprint reader", "指纹识别器")), ("keychain", Localized("Keychain", "密钥环")),
      ("session", Localized("Desktop session", "桌面会话")),
    ]
    for (key, name) in parts {
      let message = status[key]?["message"]?.string ?? invocation.text("ready", "就绪")
      try invocation.output.line(
        invocation.text("\(name.english): \(message.oneLine)", "\(name.simplifiedChinese)：\(message.oneLine)")
      )
    }
  }
}

enum DevicesCommand {
  static let command = Command(
    name: "devices", summary: Localized("list bound devices", "列出已绑定的设备"),
    help: Localized(
      """
      qv devices [--json]
      qv devices revoke ID [--yes]

      Lists the devices bound to the vault: id, name, when bound, last used. revoke removes the binding of any
      of them; the beginning of the id is enough.
      """,
      """
      qv devices [--json]
      qv devices revoke 编号 [--yes]

      列出已绑定的设备：编号、名称、绑定时间、上次使用。revoke 解除任一设备的绑定；
      给出编号的开头即可。
      """),
    options: [.json, .yes] + Option.password, operands: [.words(["revoke"]), .devices]
  ) { invocation throws(Failure) in
    let operands = invocation.operands
    if operands.first == "revoke" {
      try invocation.arguments.allow(2)
      return try revoke(operands.dropFirst().first ?? "", invocation)
    }
    try invocation.arguments.allow(0)
    let items = try invocation.vault.request(DeviceList.method)["items"] ?? []
    if try invocation.showsJSON(items: items.elements) { return }
    for item in items.elements {
      let used = item["lastUsedAt"]?.string.map(LocalTime.text) ?? "-"
      let columns = [
        String((item["id"]?.string ?? "").prefix(8)), (item["name"]?.string ?? "").oneLine,
        LocalTime.text(item["createdAt"]?.string ?? ""), used,
        item["thisDevice"] == true ? invocation.text("this device", "本机") : "",
      ]
      try invocation.output.line(columns.joined(separator: "\t"))
    }
  }

  private static func revoke(_ prefix: String, _ invocation: Invocation) throws(Failure) {
    let whichDevice = Localized("which device? Give the beginning of its id", "请指定设备：给出编号的开头")
    guard !prefix.isEmpty else { throw .usage(whichDevice) }
    let items = try invocation.vault.request(DeviceList.method)["items"]?.elements ?? []
    let found = items.compactMap { $0["id"]?.string }.filter { $0.hasPrefix(prefix) }
    guard let id = found.first else {
      throw .exit(.notFound, Localized("there is no device \(prefix)", "没有设备 \(prefix)"))
    }
    guard found.count == 1 else { throw .exit(.ambiguous, whichDevice) }
    try invocation.confirm(Localized("Remove the binding of \(id)? [y/N]", "要解除 \(id) 的绑定吗？[y/N]"))
    try invocation.vault.request(DeviceRevoke.method, ["id": .string(id)])
  }
}
