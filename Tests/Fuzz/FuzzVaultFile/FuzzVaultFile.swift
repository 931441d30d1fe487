import FuzzSupport
import Wire

/// A vault whose file was changed anywhere is opened or refused, and gives no value that was never stored in it. Where it can be
/// repaired it is intact afterwards.
///
/// The first byte chooses the vault to begin with; after it, six bytes each make one change of ``Edit``.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let beginning = stage.beginnings[Int(first) % stage.beginnings.count]
  let (file, log) = Edit.apply(Array(input.dropFirst()), to: beginning.bytes)
  stage.begin(with: file, beside: log.map { [("-wal", $0)] } ?? [])

  var requests = [
    Exchange.request(0, "session/unlock", ["password": .string(VaultStage.password)]),
    Exchange.request(1, "card/list", ["limit": 1000]),
    Exchange.request(2, "card/search", ["query": "4711"]),
    Exchange.request(3, "tag/list", [:]),
    Exchange.request(4, "settings/get", [:]),
    Exchange.request(5, "log/list", [:]),
    Exchange.request(6, "vault/verify", [:]),
    Exchange.request(7, "card/conflicts", [:]),
  ]
  let firstGet = requests.count
  for (id, _) in beginning.cards {
    requests.append(Exchange.request(requests.count, "card/get", ["id": .string(id)]))
  }
  let firstContent = requests.count
  for (id, _) in beginning.attachments {
    requests.append(Exchange.request(requests.count, "attachment/get", VaultStage.original(id)))
  }
  // Another look at what can be written, and at what that leaves.
  requests.append(Exchange.request(requests.count, "settings/update", ["autoLockSeconds": 700]))
  requests.append(
    Exchange.request(
      requests.count, "card/create",
      ["title": "new", "group": "personal", "type": "text", "fields": ["text": "new"]]))
  let repair = requests.count
  requests.append(
    Exchange.request(repair, "vault/repair", ["password": .string(VaultStage.password)]))
  // A vault that is repaired while it is locked stays so.
  requests.append(
    Exchange.request(repair + 1, "session/unlock", ["password": .string(VaultStage.password)]))
  requests.append(Exchange.request(repair + 2, "vault/verify", [:]))
  for (id, _) in beginning.cards {
    requests.append(Exchange.request(requests.count, "card/get", ["id": .string(id)]))
  }
  let answers = Exchange.hold(requests.map(\.utf8), vault: stage.vault)
  guard answers.count == requests.count else {
    fatalError("\(answers.count) answers to \(requests.count) requests")
  }
  for answer in answers { errors.check(answer) }

  let isIntact = answers[0]["result"]?["integrity"]?.string == "intact"
  for (number, stored) in beginning.cards.enumerated() {
    for answer in [answers[firstGet + number], answers[repair + 3 + number]] {
      if let card = answer["result"]?["card"] {
        guard card.values == stored.card.values else {
          fatalError("a value that was never stored: \(card), not \(stored.card)")
        }
      } else if isIntact {
        fatalError("intact, and a card is missing: \(answer)")
      }
    }
    if let card = answers[firstGet + number]["result"]?["card"], card.unlabelled != stored.card.unlabelled {
      fatalError("not the card that was stored: \(card), not \(stored.card)")
    }
  }
  for (number, stored) in beginning.attachments.enumerated() {
    if let data = answers[firstContent + number]["result"]?["data"], data != stored.data {
      fatalError("a content that was never stored, of \(stored.id)")
    }
  }
  if answers[repair]["result"] != nil, answers[repair + 2]["result"]?["integrity"]?.string != "intact" {
    fatalError("repaired, and not intact: \(answers[repair]), \(answers[repair + 2])")
  }
  if isIntact, answers[1]["result"]?["total"]?.integer != beginning.cards.count {
    fatalError("intact, and the list is another: \(answers[1])")
  }
  return 0
}

private let stage = VaultStage()
private let errors = KnownErrors()

extension JSON {
  /// A card without the labels that templates give to fields: they are in the language of the settings, which may be lost.
  fileprivate var unlabelled: JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.name == "fields", case .array(let fields) = member.value else { return member }
        return Member("fields", .array(fields.map { $0.without("label") }))
      })
  }

  /// What of a card a repair leaves as it was: it may keep the card without an attachment.
  fileprivate var values: JSON { unlabelled.without("attachments").without("revision") }

  private func without(_ name: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name })
  }
}
