import VaultInterface
import Wire

/// Unlocking the vault, and creating it.
extension Vault {
  /// Unlocks the vault unless this program can use it already.
  func ensureOpen() throws(Failure) {
    let status = try status().value
    if !Self.isUsable(status) { try open(status) }
  }

  /// Unlocks the vault like ``ensureOpen()``. A password that an option gives is read and checked in any case.
  func unlock() throws(Failure) {
    if passwords.isGiven { try authenticate(Prompt.unlock) } else { try ensureOpen() }
  }

  func open() throws(Failure) { try open(status().value) }

  private static func isUsable(_ status: VaultStatus.Response) -> Bool {
    status.exists && !status.isLocked && status.isAdmitted != false
  }

  private func open(_ status: VaultStatus.Response) throws(Failure) {
    if passwords.isGiven { return try openInTurn(status) }
    try Terminal.inTurn { hasWaited throws(Failure) in
      let current = hasWaited ? try self.status().value : status
      // What another asked for does for this program, too.
      if !hasWaited || !Self.isUsable(current) { try openInTurn(current) }
    }
  }

  private func openInTurn(_ status: VaultStatus.Response) throws(Failure) {
    guard status.exists else { return try offerToCreate(status) }
    if !status.isLocked {
      invocation.mention(
        "the vault is unlocked, but not for this program yet", "保险库已解锁，但本程序尚未获准使用")
      if try askForConsent(status) { return }
    } else {
      try reportLock()
    }
    guard try unlock(status, Prompt.unlock) else { return try offerToCreate(self.status().value) }
  }

  /// Asks for a fingerprint or the password. The authentication is valid for a minute.
  func authenticate(_ prompt: Localized) throws(Failure) {
    guard try unlock(status().value, prompt) else { throw .noVault("") }
  }

  /// - Returns: false if there is no vault.
  private func unlock(_ status: VaultStatus.Response, _ prompt: Localized) throws(Failure) -> Bool {
    if let answer = try withFingerprint(SessionUnlock(means: .biometric), status) {
      try after(answer.value, password: nil)
      return true
    }
    if let demo = status.demo?.password {
      invocation.mention("the password of the sample cards is \(demo)", "示例卡片的密码是 \(demo)")
    }
    let (answer, password) = try withPassword(prompt) {
      password throws(Failure) -> Result<Answer<UnlockResponse>?, RequestError> in
      let answer = try send(password, SessionUnlock.byPassword).mapError(\.whileOpening)
      if case .failure(let error) = answer, error.kind == "vault.notFound" { return .success(nil) }
      return answer.map(Optional.some)
    }
    if let answer { try after(answer.value, password: password) }
    return answer != nil
  }

  /// Sends a request with a password that is asked for until it is right.
  ///
  /// - Parameter isOther: whether it is that of another copy or machine. The master password also unlocks the vault if needed.
  func askWithPassword<Request: VaultRequest>(
    _ prompt: Localized, isOther: Bool = false, _ request: (String) -> Request
  ) throws(Failure) -> Answer<Request.Response> {
    try withPassword(prompt, isOther: isOther) { password throws(Failure) in
      try attempt(password, unlocks: !isOther, request)
    }.answer
  }

  /// Calls `send` with a password until that is right.
  ///
  /// - Parameter isOther: whether it is the password of another copy or machine.
  /// - Returns: the answer, and the password.
  func withPassword<Success>(
    _ prompt: Localized, isOther: Bool = false,
    _ send: (Password) throws(Failure) -> Result<Success, RequestError>
  ) throws(Failure) -> (answer: Success, password: Password) {
    while true {
      let password =
        passwords.usesPinentry
        ? Password.pinentry : .read(try isOther ? passwords.readOther(prompt) : passwords.read(prompt))
      switch try send(password) {
      case .success(let answer): return (answer, password)
      case .failure(let error) where error.isWrongPassword: try passwords.reportWrong(error)
      case .failure(let error): throw error.failure
      }
    }
  }

  /// Sends a request with a fingerprint instead of a password, if this device is bound and there is somebody to give it.
  ///
  /// - Returns: nil if the password is needed instead.
  func withFingerprint<Request: VaultRequest>(
    _ request: Request, _ status: VaultStatus.Response? = nil
  ) throws(Failure) -> Answer<Request.Response>? {
    guard !passwords.isGiven, Terminal.isInteractive else { return nil }
    let status = if let status { status } else { try self.status().value }
    guard status.biometric.isEnabled else { return nil }
    switch try waitForFingerprint({ terminal throws(Failure) in try send(request, cancelling: terminal) }) {
    case .success(let answer): return answer
    case .failure(let error) where error.isCancellation: return nil
    case .failure(let error)
    where ["biometric.", "device.", "keychain."].contains { error.kind.hasPrefix($0) }:
      invocation.report(error.message)
      return nil
    case .failure(let error) where error.kind == "vault.notFound" || error.kind == "vault.changed": return nil
    case .failure(let error): throw error.failure
    }
  }

  /// Sends a request that waits for a fingerprint; Enter cancels it. What is typed meanwhile is not shown, since it may be the
  /// password.
  private func waitForFingerprint<Success>(
    _ send: (_ cancelling: Int32) throws(Failure) -> Result<Success, RequestError>
  ) throws(Failure) -> Result<Success, RequestError> {
    let connection = try connected()
    let (invocation, terminal) = (invocation, invocation.terminal)
    connection.onFingerprint = { invocation.report($0) }
    defer { connection.onFingerprint = nil }
    return try terminal.withoutEcho { () throws(Failure) in
      invocation.report("waiting for your fingerprint; press Enter for the password", "正在等待指纹识别；按回车改用密码")
      let answer = try send(terminal.input)
      try terminal.skipLine(after: answer)
      return answer
    }
  }

  /// Binds this device.
  func bindDevice(_ password: Password) throws(Failure) -> Answered<BiometricEnable> {
    try waitForFingerprint { terminal throws(Failure) in
      try send(password, cancelling: terminal) { BiometricEnable(password: $0) }
    }
  }

  /// Says what the user should know of the vault that was opened.
  func after(_ answer: UnlockResponse, password: Password?) throws(Failure) {
    switch answer.integrity {
    case .intact: break
    case .damaged:
      invocation.report(
        "the vault is damaged or was tampered with; qv verify shows details", "保险库已损坏或被篡改：用 qv verify 查看详情")
    case .older:
      let date = answer.older?.modifiedAt?.description.prefix(10) ?? "-"
      invocation.report(
        "this is an older copy of the vault; its newest card is from \(date); the first change, or qv sync now, asks whether to use it",
        "这是保险库的旧副本，最新的卡片日期为 \(date)；首次更改或运行 qv sync now 时会询问是否使用它")
    }
    if answer.isReadOnly == true { invocation.report(Localized.readOnly[invocation.language]) }
    if offersFingerprint, answer.offersBiometric, let password, case .read = password {
      try offerFingerprint(password)
    }
  }

  private func offerFingerprint(_ password: Password) throws(Failure) {
    guard Terminal.isInteractive,
      try invocation.terminal.confirm(
        invocation.text("Turn on fingerprint unlock on this device? [y/N]", "要在本机开启指纹解锁吗？[y/N]"))
    else { return }
    switch try bindDevice(password) {
    case .success: invocation.report(Localized.fingerprintEnabled[invocation.language])
    case .failure(let error):
      if !error.isCancellation { invocation.report(error.message) }
    }
  }

  func acceptOlderCopy() throws(Failure) {
    let question = invocation.text(
      "This is an older copy of the vault. Change it anyway? [y/N]", "这是保险库的旧副本，仍要更改吗？[y/N]")
    guard try invocation.terminal.confirm(question) else { throw .declined }
    _ = try send(VaultAcceptOlder()).getOrFail()
  }

  // MARK: Creating

  private func offerToCreate(_ status: VaultStatus.Response) throws(Failure) {
    guard Terminal.isInteractive else { throw .noVault(status.path) }
    invocation.terminal.show(Localized.welcome(status.path)[invocation.language])
    guard
      try invocation.terminal.confirm(
        invocation.text("Create one now? [Y/n]", "要现在创建吗？[Y/n]"), defaultAnswer: true)
    else {
      invocation.report(Localized.joining[invocation.language])
      throw .declined
    }
    try create()
  }

  /// Creates the vault with a new password.
  func create() throws(Failure) {
    let derivation = try KeyDerivationRequest.chosen(invocation.arguments)
    let password =
      passwords.usesPinentry ? Password.pinentry : .read(try passwords.readNew(.passwordDescriptor, self))
    let answer = try send(password) { VaultCreate(password: $0, keyDerivation: derivation) }.getOrFail()
    invocation.report("the vault was created and is unlocked", "保险库已创建并解锁")
    try after(answer.value, password: password)
  }
}

extension Vault {
  /// Says why the vault is locked, if that is not by the user's own wish.
  func reportLock() throws(Failure) {
    guard Terminal.showsMessages else { return }
    guard let event = try? send(LogList(limit: 1)).get().items.first, event.event == "locked",
      let message = event.reason.flatMap({ Localized.locked[$0] })
    else { return }
    invocation.report(message[invocation.language])
  }
}

extension Localized {
  /// Why the vault was locked, by the reason of the log.
  fileprivate static let locked = [
    "timeout": Localized("the vault was locked because it was idle", "保险库闲置超时，已锁定"),
    "background": Localized("the vault was locked in the background", "转入后台，保险库已锁定"),
    "deviceLocked": Localized("the vault was locked because the desktop was locked", "桌面已锁定，保险库也已锁定"),
    "sleep": Localized("the vault was locked before the computer went to sleep", "电脑进入睡眠前，保险库已锁定"),
    "passwordChanged": Localized(
      "the vault was locked because another program changed its password or replaced its file; enter its password",
      "另一个程序更改了主密码，或替换了保险库文件，保险库已锁定；请输入其密码"),
  ]
}
