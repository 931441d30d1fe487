import JSON
import VaultModel
import VaultProtocol

/// Unlocking the vault, and creating it.
extension Vault {
  /// Unlocks the vault unless this program can use it already.
  func ensureOpen() throws(Failure) {
    let status = try status()
    if !Self.isUsable(status) { try open(status) }
  }

  /// Unlocks the vault like ``ensureOpen()``. A password that an option gives is read and checked in any case.
  func unlock() throws(Failure) {
    if passwords.isGiven { try authenticate(Prompt.unlock) } else { try ensureOpen() }
  }

  func open() throws(Failure) { try open(status()) }

  private static func isUsable(_ status: JSON) -> Bool {
    status["exists"] == true && status["locked"] == false && status["admitted"] != false
  }

  private func open(_ status: JSON) throws(Failure) {
    if passwords.isGiven { return try openInTurn(status) }
    try Terminal.inTurn { hasWaited throws(Failure) in
      let current = hasWaited ? try self.status() : status
      // What another asked for does for this program, too.
      if !hasWaited || !Self.isUsable(current) { try openInTurn(current) }
    }
  }

  private func openInTurn(_ status: JSON) throws(Failure) {
    guard status["exists"] == true else { return try offerToCreate(status) }
    if status["locked"] == false {
      invocation.mention(
        "the vault is unlocked, but not for this program yet", "保险库已解锁，但本程序尚未获准使用")
      if try askForConsent(status) { return }
    } else {
      try reportLock()
    }
    guard try unlock(status, Prompt.unlock) else { return try offerToCreate(self.status()) }
  }

  /// Asks for a fingerprint or the password. The authentication is valid for a minute.
  func authenticate(_ prompt: Localized) throws(Failure) {
    guard try unlock(status(), prompt) else { throw .noVault("") }
  }

  /// - Returns: false if there is no vault.
  private func unlock(_ status: JSON, _ prompt: Localized) throws(Failure) -> Bool {
    if let answer = try withFingerprint(SessionUnlock.method, [], status) {
      try after(answer, password: nil)
      return true
    }
    if let demo = status["demo"]?["password"]?.string {
      invocation.mention("the password of the sample cards is \(demo)", "示例卡片的密码是 \(demo)")
    }
    var exists = true
    let (answer, password) = try withPassword(prompt) { members throws(Failure) in
      let answer = try send(SessionUnlock.method, .object(members)).mapError(\.whileOpening)
      guard case .failure(let error) = answer, error.kind == "vault.notFound" else { return answer }
      exists = false
      return .success([:])
    }
    if exists { try after(answer, password: password) }
    return exists
  }

  /// Sends a request with a password that is asked for until it is right.
  ///
  /// - Parameter isOther: whether it is that of another copy or machine. The master password also unlocks the vault if needed.
  func requestWithPassword(
    _ method: String, _ prompt: Localized, _ parameters: [JSON.Member], isOther: Bool = false
  ) throws(Failure) -> JSON {
    try withPassword(prompt, isOther: isOther) { members throws(Failure) in
      try attempt(method, .object(parameters + members), unlockingBy: isOther ? nil : members)
    }.answer
  }

  /// Calls `send` with the password parameters until the password is right.
  ///
  /// - Parameter isOther: whether it is the password of another copy or machine.
  /// - Returns: the answer, and the password unless a pinentry asked for it.
  func withPassword(
    _ prompt: Localized, isOther: Bool = false,
    _ send: ([JSON.Member]) throws(Failure) -> Result<JSON, VaultError>
  ) throws(Failure) -> (answer: JSON, password: String?) {
    while true {
      let password =
        passwords.usesPinentry ? nil : try isOther ? passwords.readOther(prompt) : passwords.read(prompt)
      switch try send(PasswordSource.members(password)) {
      case .success(let answer): return (answer, password)
      case .failure(let error) where error.isWrongPassword: try passwords.reportWrong(error)
      case .failure(let error): throw error.failure
      }
    }
  }

  /// Sends a request with a fingerprint instead of a password, if this device is bound and there is somebody to give it.
  ///
  /// - Returns: nil if the password is needed instead.
  func withFingerprint(_ method: String, _ parameters: [JSON.Member], _ status: JSON? = nil) throws(Failure)
    -> JSON?
  {
    guard !passwords.isGiven, Terminal.isInteractive else { return nil }
    let status = if let status { status } else { try self.status() }
    guard status["biometric"]?["enabled"] == true else { return nil }
    let answer = try waitForFingerprint(method, .object(parameters + [.init("method", "biometric")]))
    switch answer {
    case .success(let result): return result
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
  private func waitForFingerprint(_ method: String, _ parameters: JSON) throws(Failure) -> Result<
    JSON, VaultError
  > {
    let connection = try connected()
    let (invocation, terminal) = (invocation, invocation.terminal)
    connection.onFingerprint = { invocation.report($0) }
    defer { connection.onFingerprint = nil }
    return try terminal.withoutEcho { () throws(Failure) in
      invocation.report("waiting for your fingerprint; press Enter for the password", "正在等待指纹识别；按回车改用密码")
      let answer = try send(method, parameters, cancelling: terminal.input)
      try terminal.skipLine(after: answer)
      return answer
    }
  }

  /// Binds this device.
  func bindDevice(_ password: [JSON.Member]) throws(Failure) -> Result<JSON, VaultError> {
    try waitForFingerprint(BiometricEnable.method, .object(password))
  }

  /// Says what the user should know of the vault that was opened.
  func after(_ answer: JSON, password: String?) throws(Failure) {
    switch answer["integrity"]?.string {
    case "damaged":
      invocation.report(
        "the vault is damaged or was tampered with; qv verify shows details", "保险库已损坏或被篡改：用 qv verify 查看详情")
    case "older":
      let date = answer["older"]?["modifiedAt"]?.string.map { String($0.prefix(10)) } ?? "-"
      invocation.report(
        "this is an older copy of the vault; its newest card is from \(date); the first change, or qv sync now, asks whether to use it",
        "这是保险库的旧副本，最新的卡片日期为 \(date)；首次更改或运行 qv sync now 时会询问是否使用它")
    default: break
    }
    if answer["readOnly"] == true { invocation.report(Localized.readOnly[invocation.language]) }
    if offersFingerprint, answer["offerBiometric"] == true, let password { try offerFingerprint(password) }
  }

  private func offerFingerprint(_ password: String) throws(Failure) {
    guard Terminal.isInteractive,
      try invocation.terminal.confirm(
        invocation.text("Turn on fingerprint unlock on this device? [y/N]", "要在本机开启指纹解锁吗？[y/N]"))
    else { return }
    switch try bindDevice(PasswordSource.members(password)) {
    case .success: invocation.report(Localized.fingerprintEnabled[invocation.language])
    case .failure(let error):
      if !error.isCancellation { invocation.report(error.message) }
    }
  }

  func acceptOlderCopy() throws(Failure) {
    let question = invocation.text(
      "This is an older copy of the vault. Change it anyway? [y/N]", "这是保险库的旧副本，仍要更改吗？[y/N]")
    guard try invocation.terminal.confirm(question) else { throw .declined }
    _ = try send(VaultAcceptOlder.method).getOrFail()
  }

  // MARK: Creating

  private func offerToCreate(_ status: JSON) throws(Failure) {
    let path = status["path"]?.string ?? ""
    guard Terminal.isInteractive else { throw .noVault(path) }
    invocation.report("there is no vault yet at \(path)", "还没有保险库：\(path)")
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
    let derivation = try KeyDerivation.parameters(invocation.arguments)
    let password = passwords.usesPinentry ? nil : try passwords.readNew(.passwordDescriptor, self)
    let parameters =
      PasswordSource.members(password) + (derivation.map { [JSON.Member("kdf", $0)] } ?? [])
    let answer = try send(VaultCreate.method, .object(parameters)).getOrFail()
    invocation.report("the vault was created and is unlocked", "保险库已创建并解锁")
    try after(answer, password: password)
  }
}
