import FuzzSupport
import Glibc
import Wire

/// A conversation of any requests: each is answered once, in order, with a result or an error as described, and the vault
/// opens afterwards with the password that the answers say, intact, and with as many cards as they say.
///
/// The input is one message a line. `<id:NAME>` in it is a card, or an attachment, of the vault that every run begins with; beside
/// it lie a table, `cards.csv`, and another vault, `other`.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let messages = InputMessages.messages(UnsafeBufferPointer(start: start, count: count), in: stage)
  stage.begin(
    with: stage.richest.bytes, beside: [("-cards.csv", table), ("-other", stage.beginnings[1].bytes)])
  let unlock = { Exchange.request($0, "session/unlock", ["password": .string(VaultStage.password)]).utf8 }
  // How many cards there are at the end, if a vault can still be opened.
  let closing = [unlock(98), Exchange.request(99, "card/list", ["limit": 1]).utf8]
  let all = Exchange.hold([unlock(0)] + messages.map(\.bytes) + closing, vault: stage.vault)
  let answers = all.filter { $0["id"] != 98 && $0["id"] != 99 }
  var state = State()
  let expected = messages.filter(\.demandsAnswer)
  guard all.count == expected.count + 3, answers.count == expected.count + 1 else {
    fatalError("\(all.count) answers to \(expected.count + 3) requests")
  }
  for (message, answer) in zip(expected, inOrder(Array(answers.dropFirst()), of: expected)) {
    if case .array(let parts) = answer {
      for part in parts { errors.check(part) }
      state.isFollowed = false
    } else {
      errors.check(answer)
      if let id = message.id, answer["id"] != id { fatalError("\(answer) does not answer \(id)") }
      state.follow(message, answer)
      if answer["result"] != nil, let method = message.method { coverage.count(method) }
    }
  }
  state.check(vault: stage.vault, cards: all.first { $0["id"] == 99 }?["result"]?["total"]?.integer)
  return 0
}

/// Puts the answers in the order of the requests: what a lock refuses is answered before what it leaves in the queue.
private func inOrder(_ answers: [JSON], of messages: [InputMessages.Message]) -> [JSON] {
  var left = answers
  return messages.map { message in
    let place = left.firstIndex { answer in
      guard isRefused(answer) else { return true }
      if case .array = answer { return message.id == nil }
      guard let id = message.id else { return isInvalid(answer) || answer["id"] == .null }
      return answer["id"] == id
    }
    return left.remove(at: place ?? 0)
  }
}

private func isRefused(_ answer: JSON) -> Bool {
  if case .array(let parts) = answer { return parts.contains(where: isRefused) }
  return isInvalid(answer) || answer["error"]?["data"]?["kind"]?.string == "vault.locked"
}

private func isInvalid(_ answer: JSON) -> Bool {
  ["rpc.parseError", "rpc.invalidRequest"].contains(answer["error"]?["data"]?["kind"]?.string)
}

private let stage = VaultStage()
private let errors = KnownErrors()
private let table = Array("title,text\nDoor,1984#\n门,=1+1\n".utf8)
private let coverage: MethodCoverage = {
  atexit { coverage.report() }
  return MethodCoverage()
}()

/// What the vault must be like, by the answers.
private struct State {
  /// Whether no batch may have changed the password or deleted the vault.
  var isFollowed = true
  /// Whether a demo vault is in use; the vault beside it waits.
  var isDemo = false
  var password: String? = VaultStage.password

  mutating func follow(_ message: InputMessages.Message, _ answer: JSON) {
    guard answer["result"] != nil, let method = message.method else { return }
    if isDemo {
      isDemo = method != "vault/delete"
      return
    }
    switch method {
    case "vault/create" where message.parameters?["demo"] == true: isDemo = true
    case "vault/changePassword": password = message.parameters?["newPassword"]?.string
    case "vault/create": password = message.parameters?["password"]?.string
    case "vault/delete": password = nil
    default: break
    }
  }

  /// Opens the vault an hour later, when every wait has passed.
  ///
  /// - Parameter cards: how many there are; nil if that is not known.
  func check(vault: String, cards: Int?) {
    guard let password else {
      // A batch may have made another.
      guard access(vault, F_OK) != 0 || !isFollowed else { fatalError("a deleted vault is there") }
      return
    }
    let unlock = Exchange.request(0, "session/unlock", ["password": .string(password)])
    let answers = Exchange.hold(
      [unlock.utf8, Exchange.request(1, "vault/verify", [:]).utf8], vault: vault, later: 3_600_000)
    guard isFollowed || answers.first?["result"] != nil else { return }
    guard answers.count == 2, answers[0]["result"]?["integrity"]?.string == "intact",
      answers[1]["result"]?["integrity"]?.string == "intact", answers[1]["result"]?["damaged"] == .array([])
    else { fatalError("the vault does not open whole: \(answers)") }
    guard let cards, !isDemo, isFollowed else { return }
    guard answers[0]["result"]?["cardCount"]?.integer == cards else {
      fatalError("not \(cards) cards: \(answers[0])")
    }
  }
}
