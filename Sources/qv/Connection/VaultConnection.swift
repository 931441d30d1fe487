import Glibc
import VaultInterface
import Wire

/// A conversation with quickvault, one message per line.
final class VaultConnection {
  private let transport: Transport
  private var reader = FrameReader()
  private var lastIdentifier = 0
  /// Whether a lock was noticed.
  private(set) var wasLocked = false
  /// The last message for the user since ``takeMessage()``.
  private var lastMessage: String?
  /// Shows the progress of long work.
  var progress: ProgressLine?
  /// Receives what a fingerprint reader says.
  var onFingerprint: ((String) -> Void)?
  /// What the user is asked for another program; nil if nothing is asked, or no longer.
  private(set) var question: (id: RequestIdentifier, text: String, isUse: Bool)?
  /// Receives the messages for the user in place of ``takeMessage()``.
  var onMessage: ((ShowMessage) -> Void)?
  /// Receives the page to sign in to a server.
  var onSignInPage: ((AccountDidPrompt) -> Void)?

  init(_ transport: Transport) { self.transport = transport }

  /// Introduces this program, and checks the version of the protocol.
  ///
  /// - Parameter answersConsent: whether the user can be asked to admit other programs.
  func initialize(answersConsent: Bool = false) throws(Failure) {
    let parameters = Initialize(
      processIdentifier: Int(getpid()), locale: Environment.locale, answersConsent: answersConsent
    ).json
    var answer: Result<JSON, ResponseError>
    do throws(Failure) {
      answer = try send(Initialize.method, parameters)
      // The first request after another program has changed the vault's password or file says so.
      if case .failure(let error) = answer, RequestError(error).kind == "vault.changed" {
        answer = try send(Initialize.method, parameters)
      }
    } catch {
      if case .signal = error { throw error }
      throw transport.unusable()
    }
    guard case .success(let result) = answer, let number = result["protocolVersion"]?.integer, number >= 1
    else {
      throw .exit(
        .program,
        Localized(
          "the quickvault program is too old for this qv; install a newer version",
          "quickvault 程序的版本太旧，与此 qv 不兼容：请安装较新版本"))
    }
    guard number == 1 else {
      throw .exit(
        .program,
        Localized(
          "the quickvault program is newer than this qv; install the qv that belongs to it",
          "quickvault 程序的版本比此 qv 新：请安装与它配套的 qv"))
    }
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameter cancelling: a descriptor that cancels the request when it becomes readable.
  func send(_ method: String, _ parameters: JSON = [:], cancelling: Int32? = nil) throws(Failure)
    -> Result<JSON, ResponseError>
  {
    try answer(to: begin(method, parameters), cancelling: cancelling)
  }

  /// Sends a request whose answer is taken before another request is sent.
  func begin(_ method: String, _ parameters: JSON) throws(Failure) -> RequestIdentifier {
    lastIdentifier += 1
    let id = RequestIdentifier.string(String(lastIdentifier))
    try write(.request(id: id, method: method, parameters: parameters))
    return id
  }

  /// Waits for the answer to a request.
  ///
  /// - Parameter isCancellation: whether what can be read from `cancelling` cancels the request.
  func answer(
    to id: RequestIdentifier, cancelling: Int32? = nil,
    when isCancellation: () throws(Failure) -> Bool = { () throws(Failure) in true }
  ) throws(Failure) -> Result<JSON, ResponseError> {
    var cancelling = cancelling
    defer { progress?.clear() }
    do throws(Failure) {
      while true {
        if let answer = try takeAnswer(to: id) { return answer }
        if try transport.wait(or: cancelling) {
          guard let bytes = transport.read() else { throw Self.ended }
          reader.append(bytes)
        } else if try isCancellation() {
          cancelling = nil
          try cancel(id)
        }
      }
    } catch {
      if case .signal = error { try? cancel(id) }
      throw error
    }
  }

  /// Returns the last message for the user. Messages follow their answer, so this waits for another answer.
  func takeMessage() throws(Failure) -> String? {
    _ = try send(VaultStatus.method)
    defer { lastMessage = nil }
    return lastMessage
  }

  /// Waits until the vault is locked or the other side has ended the conversation. No request may be under way.
  ///
  /// - Parameter timeout: in milliseconds.
  /// - Returns: false after the timeout.
  func waitForLock(timeout: Int32) throws(Failure) -> Bool {
    while !wasLocked {
      guard try transport.wait(timeout: timeout) else { return false }
      guard let bytes = transport.read() else { return true }
      reader.append(bytes)
      _ = try takeAnswer(to: .string(""))
    }
    return true
  }

  /// Ends the command if the vault was locked: nobody may go on reading what it shows.
  func requireUnlocked() throws(Failure) {
    guard !wasLocked else { throw .exit(.locked, Localized("the vault was locked", "保险库已锁定")) }
  }

  /// Waits until a descriptor becomes readable. No request may be under way.
  ///
  /// - Throws: also if the vault is locked before.
  func wait(for descriptor: Int32) throws(Failure) {
    repeat { try requireUnlocked() } while try receive(or: descriptor)
  }

  /// Waits for a notification or a question. No request may be under way.
  ///
  /// - Parameter other: a descriptor that ends the wait when it becomes readable.
  /// - Returns: false if that has ended it.
  func receive(or other: Int32? = nil) throws(Failure) -> Bool {
    guard try transport.wait(or: other) else { return false }
    guard let bytes = transport.read() else { throw Self.ended }
    reader.append(bytes)
    _ = try takeAnswer(to: .string(""))
    return true
  }

  /// Answers the question.
  func answerQuestion(_ answer: SessionAdmit.Response) throws(Failure) {
    guard let asked = question else { return }
    question = nil
    try write(.response(id: asked.id, .success(answer.json)))
  }

  /// Whether the other side has ended the conversation. No request may be under way.
  func hasEnded() -> Bool {
    while transport.isReadable {
      guard let bytes = transport.read() else { return true }
      reader.append(bytes)
    }
    return false
  }

  /// Ends the conversation. A private process has ended then.
  func close() { transport.close() }

  private func cancel(_ id: RequestIdentifier) throws(Failure) {
    try write(.notification(method: "$/cancelRequest", parameters: ["id": id.json]))
  }

  private func write(_ message: Message) throws(Failure) {
    guard transport.write(message.json.utf8 + [0x0A]) else { throw Self.ended }
  }

  private func takeAnswer(to id: RequestIdentifier) throws(Failure) -> Result<JSON, ResponseError>? {
    do {
      while let frame = try reader.next() {
        guard case .message(let bytes) = frame, let message = try? Message(JSONReader.read(bytes)) else {
          continue
        }
        switch message {
        case .response(id, let result): return result
        case .notification(let method, let parameters): take(method, parameters ?? [:])
        case .request(let id, SessionAdmit.method, let parameters):
          guard let asked = try? LocalizedMessage.decoded(parameters ?? [:]) else { continue }
          question = (id, asked.text, parameters?["use"] == true)
        case .request, .response: continue
        }
      }
      return nil
    } catch {
      throw Self.ended
    }
  }

  private func take(_ method: String, _ parameters: JSON) {
    switch method {
    // Whatever the reason is called.
    case SessionDidLock.method: wasLocked = true
    case ShowMessage.method:
      guard let shown = try? ShowMessage.decoded(parameters), shown.severity == .information else { return }
      lastMessage = shown.message.text
      onMessage?(shown)
    case Progress.method:
      guard case .report(let percentage)? = (try? Progress.decoded(parameters))?.stage else { return }
      progress?.show(percentage)
    case BiometricDidChangeState.method:
      if let change = try? BiometricDidChangeState.decoded(parameters) { onFingerprint?(change.message.text) }
    case "$/cancelRequest": if question?.id.json == parameters["id"] { question = nil }
    case AccountDidPrompt.method:
      if let page = try? AccountDidPrompt.decoded(parameters) { onSignInPage?(page) }
    default: break
    }
  }

  static let ended = Failure.exit(
    .program,
    Localized(
      "QuickVault exited before it responded. Your change may or may not be saved",
      "随取在响应之前退出了，无法确定修改是否已保存"))
}

/// The progress of a request on a terminal, in one line that is cleared at its end.
final class ProgressLine {
  private let text: String
  private var isShown = false

  /// - Returns: nil if nobody would see it.
  init?(_ text: String) {
    guard Terminal.showsMessages else { return nil }
    self.text = text
  }

  func show(_ percentage: Int) {
    isShown = true
    Terminal.standard.show("\r\(text) \(percentage) %\u{1b}[K")
  }

  func clear() {
    if isShown { Terminal.standard.show("\r\u{1b}[K") }
    isShown = false
  }
}
