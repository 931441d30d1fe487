import Glibc
import HelperProtocols
import WebCarrier
import Wire

/// Runs `quickvault-carrier mirror`: one pass.
enum MirrorCommand {
  /// Returns the exit status.
  static func run(_ options: Options, _ address: WebAddress) -> Int32 {
    Sandbox.protectMemory()
    let signals = Signals()
    do {
      let credentials = try self.credentials(options, signals)
      let outcome = try carry(options, address, credentials, signals)
      let failure = outcome.failed.first
      if options.writesJSON {
        Program.write(line(outcome.json.adding(failure)), to: 1)
      } else {
        Program.write(Program.text(outcome.message) + "\n", to: 1)
        if let failure {
          let text = Program.text(failure.error.message)
          Program.write("quickvault-carrier: \(failure.file): \(text)\n", to: 2)
        }
      }
      return outcome.damaged.isEmpty ? failure?.error.exitStatus ?? 0 : 65
    } catch {
      return fail(error, options)
    }
  }

  private static func carry(
    _ options: Options, _ address: WebAddress, _ credentials: Credentials?, _ signals: Signals
  ) throws(CarrierError) -> CarrierMirror.Response {
    let authorities = try options.authorities.map { (file) throws(CarrierError) in
      try MirrorPass.absolute(file, orElse: CarrierError.certificateFile)
    }
    Sandbox.restrictCalls()
    let environment = WebEnvironment(authorities: authorities, stall: options.timeout, cancellation: signals)
    let showsProgress = isatty(2) == 1 && !options.writesJSON
    return try MirrorPass.run(
      options.folder, address, credentials, environment, listsAll: options.listsAll
    ) { done, total in
      if showsProgress { Program.write("\r\(done)/\(total)" + (done == total ? "\n" : ""), to: 2) }
    }
  }

  private static func credentials(
    _ options: Options, _ signals: Signals
  ) throws(CarrierError) -> Credentials? {
    if let descriptor = options.token {
      guard let token = try Secret.read(from: descriptor, signals), token.isToken else { throw .refused }
      return .token(token)
    }
    guard let user = options.user else { return nil }
    let prompt = Program.text(CarrierText("Password of \(user): ", "\(user) 的密码："))
    let password =
      if let descriptor = options.password {
        try Secret.read(from: descriptor, signals)
      } else {
        try Secret.ask(prompt, signals)
      }
    guard let password else { throw .refused }
    return .password(user: user, password: password)
  }

  private static func fail(_ error: CarrierError, _ options: Options) -> Int32 {
    if options.writesJSON {
      Program.write(line(["error": error.json]), to: 1)
    } else {
      Program.write("quickvault-carrier: \(Program.text(error.message))\n", to: 2)
    }
    return error.exitStatus
  }

  private static func line(_ value: JSON) -> String { value.text + "\n" }
}

extension JSON {
  /// The object with the first failure as its error, as for a pass that failed as a whole.
  fileprivate func adding(_ failure: CarrierMirror.Failure?) -> JSON {
    guard let failure else { return self }
    return .object(members + [.init("error", failure.error.json)])
  }
}

/// One pass over a folder, from the command line or the service.
enum MirrorPass {
  /// How long a pass waits for another one over the folder, in seconds.
  private static let passTimeout = 120

  /// Confines the calling thread and runs a pass.
  ///
  /// - Parameters:
  ///   - waits: whether to wait for another pass over the folder, for up to two minutes.
  ///   - listsAll: whether all files are listed, even if the marks of other carriers show no change.
  ///   - report: is called after each file, with the numbers of files that are copied and that are to be.
  static func run(
    _ path: String, _ address: WebAddress, _ credentials: Credentials?, _ environment: WebEnvironment,
    waits: Bool = false, listsAll: Bool = false, report: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(CarrierError) -> CarrierMirror.Response {
    let (path, directory) = (try absolute(path), try stateDirectory())
    let storedTag = MirrorState(in: directory, folder: path, address: address.url("")).storedTag
    let folder = try folder(path, seconds: waits ? passTimeout : 0, environment)
    defer { folder.close() }
    Sandbox.restrictFiles(writing: [path, directory], authorities: environment.authorities)
    let state = MirrorState(in: directory, folder: path, address: address.url(""))
    // What is on the server was deleted meanwhile.
    guard storedTag == nil || storedTag == state.storedTag else { throw .cancelled }
    var mirror = try FolderMirror(folder, address, credentials, environment, state: state, report: report)
    return try mirror.run(isQuick: !listsAll)
  }

  /// Runs `body` while no pass over the folder runs. Waits for a running pass; passes that wait do not begin afterwards.
  static func between<Value>(
    passesOver path: String?, _ address: WebAddress, _ environment: WebEnvironment,
    _ body: () throws(CarrierError) -> Value
  ) throws(CarrierError) -> Value {
    guard let path, let resolved = try? absolute(path) else {
      Sandbox.restrictFiles(writing: [], authorities: environment.authorities)
      return try body()
    }
    let directory = try stateDirectory()
    let folder = try folder(resolved, seconds: passTimeout, environment)
    defer { folder.close() }
    Sandbox.restrictFiles(writing: [directory], authorities: environment.authorities)
    let value = try body()
    try MirrorState(in: directory, folder: resolved, address: address.url("")).remove()
    return value
  }

  private static func folder(
    _ path: String, seconds: Int, _ environment: WebEnvironment
  ) throws(CarrierError) -> MirroredFolder {
    var secondsLeft = seconds
    while true {
      do {
        return try MirroredFolder(path)
      } catch .folderInUse where secondsLeft > 0 {
        try environment.cancellation.wait(1)
        secondsLeft -= 1
      }
    }
  }

  /// - Parameter failure: the error for a path that cannot be resolved, with its number.
  static func absolute(
    _ path: String, orElse failure: (Int32) -> CarrierError = CarrierError.folder
  ) throws(CarrierError) -> String {
    guard let resolved = SystemPath.resolved(path) else { throw failure(errno) }
    return resolved
  }

  /// Makes the directory of the carrier's state, beneath `XDG_STATE_HOME` or `~/.local/state`.
  private static func stateDirectory() throws(CarrierError) -> String {
    let base = ProcessEnvironment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let top = base ?? ProcessEnvironment["HOME"].map({ $0 + "/.local/state" }) else {
      throw .folder(ENOENT)
    }
    var path = ""
    for name in (top + "/quickvault/carrier").split(separator: "/") {
      path += "/\(name)"
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else {
        throw .folder(errno)
      }
    }
    return path
  }
}
