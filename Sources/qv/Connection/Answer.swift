import VaultInterface
import Wire

/// The answer to a request: as the service sent it, for `--json`, and as its type reads it.
@dynamicMemberLookup
struct Answer<Value> {
  let json: JSON
  let value: Value

  subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

  /// A member of the answer that is an object.
  func part<Part>(_ name: String, _ member: KeyPath<Value, Part>) -> Answer<Part> {
    Answer<Part>(json: json[name] ?? .null, value: value[keyPath: member])
  }
}

typealias Answered<Request: VaultRequest> = Result<Answer<Request.Response>, RequestError>

extension Result where Failure == RequestError {
  /// Returns the answer; an error ends the command.
  func getOrFail() throws(qv.Failure) -> Success {
    switch self {
    case .success(let answer): return answer
    case .failure(let error): throw error.failure
    }
  }
}

extension Result<JSON, RequestError> {
  /// Reads the answer to a request.
  func read<Request: VaultRequest>(_: Request.Type) throws(qv.Failure) -> Answered<Request> {
    switch self {
    case .success(let json): .success(Answer(json: json, value: try Request.Response.decoded(json)))
    case .failure(let error): .failure(error)
    }
  }
}

extension ParameterValue {
  /// Reads an answer, or a part of one; a service of another version may send a different one.
  static func decoded(_ answer: JSON) throws(Failure) -> Self {
    do throws(ParameterError) {
      return try read(answer, at: "")
    } catch {
      throw .exit(
        .program,
        Localized(
          "the running quickvault is of another version; end it with qv lock, and try again",
          "正在运行的 quickvault 是其他版本：请用 qv lock 结束后重试"))
    }
  }
}

/// A password for a request: one that was read, or one for which the service has the user's pinentry ask.
enum Password {
  case read(String)
  case pinentry

  /// The parameters of a request with the password. The service itself adds all passwords that a pinentry asks for.
  func parameters<Request: VaultRequest>(_ request: (String) -> Request) -> JSON {
    if case .read(let password) = self { return request(password).json }
    guard case .object(let members) = request("").json else { return [:] }
    let passwords = ["password", "oldPassword", "newPassword"]
    return .object(members.filter { !passwords.contains($0.name) } + [.init("method", "pinentry")])
  }
}

extension SessionUnlock {
  static func byPassword(_ password: String) -> SessionUnlock { SessionUnlock(means: .password(password)) }
}

/// An error of a request, as the server words it.
struct RequestError: Error {
  /// The stable kind, such as `card.invalid`; the code for an error of the protocol.
  let kind: String
  let message: String
  let data: JSON
  /// The file that the request named, for an error about a file.
  private var file: String?
  /// Whether the vault could not even be opened.
  private var preventsOpening = false

  init(_ error: ResponseError) {
    data = error.data ?? [:]
    kind = data["kind"]?.string ?? String(error.code)
    message = error.message
  }

  /// The same error of a request with a file in its parameters.
  func naming(fileOf parameters: JSON) -> RequestError {
    guard Self.fileKinds.contains(where: kind.hasPrefix) else { return self }
    var error = self
    let path = (parameters["path"] ?? parameters["folder"] ?? parameters["caFile"])?.string
    // As it was typed, as far as that is known.
    let here = Environment.workingDirectory + "/"
    error.file = path.map { $0.hasPrefix(here) ? String($0.dropFirst(here.count)) : $0 }
    return error
  }

  private static let fileKinds = [
    "attachment.tooLarge", "backup.needs", "carrier.certificateFile", "carrier.folder", "file.", "imaging.",
    "import.",
    "merge.", "sync.folder", "sync.notAFolder", "vault.notAVault", "vault.unavailable",
  ]

  /// The same error of a vault that could not even be opened.
  var whileOpening: RequestError {
    var error = self
    error.preventsOpening = true
    return error
  }

  /// Whether the user, or this program for them, cancelled the request.
  var isCancellation: Bool { ["biometric.userCancel", "pinentry.cancelled", "rpc.cancelled"].contains(kind) }
  var isWrongPassword: Bool { ["auth.wrongPassword", "auth.lockedOut", "sync.wrongPassword"].contains(kind) }

  private var status: ExitStatus { ExitStatus(kind: kind == "-32601" ? "rpc.methodNotFound" : kind) }

  /// The failure of a command that cannot go on.
  var failure: Failure {
    if kind == "pinentry.cancelled" { return .declined }
    let shown = file.map { "\($0.printable): \(message)" } ?? message
    return .exit(status, [Localized(verbatim: shown), hint].compactMap(\.self))
  }

  /// What the user can do about it.
  private var hint: Localized? {
    switch kind {
    case "vault.damaged" where !preventsOpening:
      Localized(
        "qv verify checks every record; you can still read the others", "qv verify 会检查每条记录；其余记录仍可读取")
    case "vault.damaged" where preventsOpening, "vault.notAVault" where preventsOpening:
      Localized(
        "if it is a vault that was damaged, restore a backup, or let qv repair keep what can be read",
        "如果这是已损坏的保险库，请恢复备份，或用 qv repair 保留可读取的内容")
    case "merge.otherKey":
      Localized(
        "qv export cards.json --vault COPY exports the copy, and qv import cards.json adds its cards",
        "用“qv export cards.json --vault 副本”导出该副本，再用“qv import cards.json”添加其中的卡片")
    case "carrier.certificate":
      Localized("qv account sign-in takes it with --ca-file", "qv account sign-in 用 --ca-file 指定该文件")
    default: nil
    }
  }

  /// The problems with parts of a card, or with settings.
  var issues: [IssueJSON] { (try? data["issues"].map([IssueJSON].decoded)) ?? [] }

  var issueLines: [Localized] { issues.map { Localized(verbatim: "\($0.field): \($0.message.text)") } }
}
