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
