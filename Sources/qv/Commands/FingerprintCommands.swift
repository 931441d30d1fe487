import VaultInterface
import Wire

enum FingerprintCommand {
  static let command = Command(
    name: "fingerprint", summary: Localized("turn fingerprint unlock on or off", "开启或关闭指纹解锁"),
    options: [.json] + Option.password, operands: [.words(["on", "off", "status"])]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    invocation.vault.offersFingerprint = false
    switch invocation.operands.first ?? "status" {
    case "on": try turnOn(invocation)
    case "off":
      try invocation.vault.ask(BiometricDisable())
      invocation.report(
        "fingerprint unlock is off; only the password unlocks the vault now", "已关闭指纹解锁，现在只能用密码解锁保险库")
    case "status":
      let status = try invocation.vault.ask(BiometricStatus())
      if try !invocation.showsJSON(status) { try show(status.value, invocation) }
    case let word: throw .unexpectedArgument(word)
    }
  }

  private static func turnOn(_ invocation: Invocation) throws(Failure) {
    let vault = invocation.vault
    let status = try vault.ask(BiometricStatus()).value
    guard status.isAvailable, status.isAllowed, !status.isEnabled else {
      try show(status, invocation)
      if status.isEnabled { return }
      throw .exit(.failure, [])
    }
    _ = try vault.withPassword(Prompt.unlock) { password throws(Failure) -> Answered<BiometricEnable> in
      let list = CardList(page: PageParameters(limit: 1))
      if case .failure(let error) = try vault.attempt(CardList.method, list.json, unlockingBy: password) {
        return .failure(error)
      }
      let answer = try vault.bindDevice(password)
      if case .failure(let error) = answer, error.isCancellation { throw .declined }
      return answer
    }
    invocation.report(Localized.fingerprintEnabled[invocation.language])
  }

  private static func show(_ status: BiometricStatus.Response, _ invocation: Invocation) throws(Failure) {
    if try invocation.shows({ TerminalPage(status) }) { return }
    let hint =
      !status.isAllowed
      ? Localized(" Turn it on with qv settings biometricUnlock=on.", "用 qv settings biometricUnlock=on 开启。")
      : status.isAvailable && !status.isEnabled
        ? Localized(" Turn it on with qv fingerprint on.", "用 qv fingerprint on 开启。") : Localized("", "")
    try invocation.output.line(status.sentence[invocation.language] + hint[invocation.language])
    for part in status.parts {
      try invocation.output.line(
        invocation.text(
          "\(part.name.english): \(part.message.oneLine)",
          "\(part.name.simplifiedChinese)：\(part.message.oneLine)"))
    }
  }
}

enum DevicesCommand {
  static let command = Command(
    name: "devices", summary: Localized("list bound devices", "列出已绑定的设备"),
    options: [.json, .yes] + Option.password, operands: [.words(["revoke"]), .devices]
  ) { invocation throws(Failure) in
    let operands = invocation.operands
    if operands.first == "revoke" {
      try invocation.arguments.allow(2)
      return try revoke(operands.dropFirst().first, invocation)
    }
    try invocation.arguments.allow(0)
    let answer = try invocation.vault.ask(DeviceList())
    if try invocation.showsJSON(items: answer.json["items"]) { return }
    if try invocation.shows({ TerminalPage(answer.items) }) { return }
    for item in answer.items {
      let columns = [
        item.id.short, item.name.oneLine, item.createdAt.local, item.lastUsedAt?.local ?? "-",
        item.isThisDevice ? invocation.text("this device", "本机") : "",
      ]
      try invocation.output.line(columns.joined(separator: "\t"))
    }
  }

  private static func revoke(_ prefix: String?, _ invocation: Invocation) throws(Failure) {
    let whichDevice = Localized("which device? Give the beginning of its id", "请指定设备：给出编号的开头")
    guard prefix != nil || Terminal.isInteractive else { throw .usage(whichDevice) }
    let devices = try invocation.vault.ask(DeviceList()).items
    var found = devices
    if let prefix {
      found = devices.filter { "\($0.id)".hasPrefix(prefix) }
      guard !found.isEmpty else {
        throw .exit(.notFound, Localized("there is no device \(prefix)", "没有设备 \(prefix)"))
      }
      guard found.count == 1 else { throw .exit(.ambiguous, whichDevice) }
    } else if let chosen = try invocation.chooseAtTerminal(
      Localized("Which device? ", "哪台设备？"), devices.map(\.text))
    {
      found = [devices[chosen]]
    }
    guard let device = found.first else {
      throw .exit(.notFound, Localized("no device is bound to this vault", "没有绑定任何设备"))
    }
    try invocation.confirm(
      Localized("Remove the binding of \(device.text)? [y/N]", "要解除 \(device.text) 的绑定吗？[y/N]"))
    try invocation.vault.ask(DeviceRevoke(id: device.id))
  }
}
