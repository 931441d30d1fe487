import Glibc
import JSON
import WebCarrier

enum Program {
  static let version = "0.2.0"

  private static let help = Text(
    """
    usage: quickvault-carrier mirror FOLDER URL [--user NAME [--password-fd N] | --token-fd N]
                              [--ca-file FILE] [--timeout SECONDS] [--json]
    Makes FOLDER, in which a vault is synchronised, and a WebDAV folder the same. See quickvault-carrier(1).
    """,
    """
    用法：quickvault-carrier mirror 文件夹 网址 [--user 用户名 [--password-fd N] | --token-fd N]
                             [--ca-file 文件] [--timeout 秒] [--json]
    使同步保险库的文件夹与 WebDAV 文件夹保持一致。参见 quickvault-carrier(1)。
    """)

  private static let inChinese =
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }?.hasPrefix("zh")
    ?? false

  /// Runs the command line. Returns the exit status.
  static func run() -> Int32 {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "--version"?:
      write("quickvault-carrier \(version)\n", to: 1)
      return 0
    case "--help"?:
      write(help.text(inChinese: inChinese) + "\n", to: 1)
      return 0
    case "mirror"?:
      guard let options = Options(Array(words.dropFirst())), let address = WebAddress(options.address) else {
        break
      }
      return mirror(options, address)
    default: break
    }
    write(help.text(inChinese: inChinese) + "\n", to: 2)
    return 64
  }

  private static func mirror(_ options: Options, _ address: WebAddress) -> Int32 {
    Confinement.protectMemory()
    let credentials: Credentials?
    do {
      credentials = try self.credentials(options)
    } catch {
      return fail(error, options)
    }
    let signals = Signals()
    do {
      let outcome = try carry(options, address, credentials, signals)
      write(options.writesJSON ? json(outcome) : outcome.message.text(inChinese: inChinese) + "\n", to: 1)
      return outcome.damaged.isEmpty ? 0 : 65
    } catch {
      return fail(error, options)
    }
  }

  private static func carry(
    _ options: Options, _ address: WebAddress, _ credentials: Credentials?, _ signals: Signals
  ) throws(CarrierError) -> FolderMirror.Outcome {
    let folder = try CarriedFolder(options.folder)
    defer { folder.close() }
    let (path, directory) = (try absolute(options.folder), try stateDirectory())
    let authorities = try options.authorities.map { (file) throws(CarrierError) in try absolute(file) }
    Confinement.enter(folder: path, state: directory, authorities: authorities)

    let client = try HTTPClient(
      address, credentials, authorities: authorities, timeouts: HTTPTimeouts(stall: options.timeout),
      isCancelled: signals.isCancelled)
    let retry = Retry(attempts: 4) { (seconds) throws(CarrierError) in try signals.wait(seconds) }
    let state = CarriedState(in: directory, folder: path, address: address.url(""))
    let showsProgress = isatty(2) == 1 && !options.writesJSON
    var mirror = FolderMirror(folder, client, retry, state: state) { done, total in
      if showsProgress { write("\r\(done)/\(total)" + (done == total ? "\n" : ""), to: 2) }
    }
    return try mirror.run()
  }

  private static func credentials(_ options: Options) throws(CarrierError) -> Credentials? {
    if let descriptor = options.token {
      guard let token = Secret.read(from: descriptor) else { throw .refused }
      return .token(token)
    }
    guard let user = options.user else { return nil }
    let prompt = Text("Password of \(user): ", "\(user) 的密码：").text(inChinese: inChinese)
    guard let password = options.password.map(Secret.read(from:)) ?? Secret.ask(prompt) else {
      throw .refused
    }
    return .password(user: user, password: password)
  }

  /// Makes the directory of the carrier's state, beneath `XDG_STATE_HOME` or `~/.local/state`.
  private static func stateDirectory() throws(CarrierError) -> String {
    let base = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let top = base ?? environment("HOME").map({ $0 + "/.local/state" }) else { throw .folder(ENOENT) }
    var path = ""
    for name in (top + "/quickvault/carrier").split(separator: "/") {
      path += "/\(name)"
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else {
        throw .folder(errno)
      }
    }
    return path
  }

  private static func absolute(_ path: String) throws(CarrierError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .folder(errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func fail(_ error: CarrierError, _ options: Options) -> Int32 {
    if options.writesJSON {
      let texts: JSON = ["en": .string(error.message.english), "zh-Hans": .string(error.message.chinese)]
      write(line(["error": ["kind": .string(error.kind), "messages": texts]]), to: 1)
    } else {
      write("quickvault-carrier: \(error.message.text(inChinese: inChinese))\n", to: 2)
    }
    return error.exitStatus
  }

  private static func json(_ outcome: FolderMirror.Outcome) -> String {
    line([
      "sent": .number(.init(outcome.sent)), "received": .number(.init(outcome.received)),
      "removedThere": .number(.init(outcome.removedThere)),
      "removedHere": .number(.init(outcome.removedHere)),
      "bytesSent": .number(.init(outcome.bytesSent)), "bytesReceived": .number(.init(outcome.bytesReceived)),
      "damaged": .array(outcome.damaged.map { .string($0) }),
    ])
  }

  private static func line(_ value: JSON) -> String {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  private static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
