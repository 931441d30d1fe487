import VaultInterface

/// Puts values of cards in place of references, all or none. A person is asked once for all concealed values.
struct ReferenceFiller {
  private let invocation: Invocation
  /// The option that a script gives for concealed values.
  private let consent: Option
  private var answers: [Reference: CardResolve.Response] = [:]
  private var found: [Reference] = []
  private var mistakes: [Localized] = []
  private var status: ExitStatus?
  /// What is filled in, once ``take(_:)`` has succeeded.
  private(set) var values: [Reference: String] = [:]

  init(_ invocation: Invocation, consent: Option) { (self.invocation, self.consent) = (invocation, consent) }

  /// A text with its references found.
  struct Text {
    fileprivate let lines: [[Reference.Part]]

    init(_ text: String) {
      lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
        Reference.parts(of: Substring($0))
      }
    }

    var hasReferences: Bool {
      lines.contains { $0.contains { if case .text = $0 { false } else { true } } }
    }
  }

  /// Finds the cards and fields of a text. What is wrong is reported by ``take(_:)``, with the others.
  ///
  /// - Parameter place: what a line is called in errors, by its index.
  mutating func find(_ text: Text, _ place: (Int) -> String) throws(Failure) {
    for (index, line) in text.lines.enumerated() {
      do throws(Failure) {
        for part in line { try find(part) }
      } catch .exit(let kind, let messages) where Self.isOfReference(kind) {
        status = status ?? kind
        mistakes += messages.map {
          Localized("\(place(index)): \($0.english)", "\(place(index))：\($0.simplifiedChinese)")
        }
      }
    }
  }

  /// Whether the next line may have another mistake.
  private static func isOfReference(_ status: ExitStatus) -> Bool {
    [.notFound, .ambiguous, .invalid, .usage].contains(status)
  }

  private mutating func find(_ part: Reference.Part) throws(Failure) {
    switch part {
    case .text: break
    case .malformed:
      throw .exit(
        .invalid,
        Localized(
          "a placeholder or qv:// has no card, no field or no end", "占位符或 qv:// 引用缺少卡片、字段或结尾"))
    case .reference(let reference):
      if answers[reference] != nil { return }
      let answer = try resolve(reference)
      if answer.field?.isConcealed == true, !hasConsent, !Terminal.isInteractive {
        throw .usage(
          Localized(
            "\(reference.name) is concealed; --\(consent.name) fills it in",
            "“\(reference.name)”是保密字段；用 --\(consent.name) 可填入"))
      }
      answers[reference] = answer
      found.append(reference)
    }
  }

  private var hasConsent: Bool { invocation.arguments.has(consent) || invocation.arguments.has(.yes) }

  /// Asks for the concealed values, and then takes all from the vault.
  ///
  /// - Parameter question: for the names of what is concealed.
  /// - Throws: also if a reference was wrong, all of which are reported.
  mutating func take(_ question: (_ names: String) -> Localized) throws(Failure) {
    if let status { throw .exit(status, mistakes) }
    let concealed = found.compactMap { reference -> String? in
      guard let answer = answers[reference], let field = answer.field, field.isConcealed else { return nil }
      return "\(answer.card.title) · \(field.label)".oneLine
    }
    if !concealed.isEmpty, !hasConsent {
      let names = concealed.joined(separator: invocation.text(", ", "、"))
      guard try invocation.terminal.confirm(question(names)[invocation.language]) else { throw .declined }
    }
    for reference in found {
      guard let answer = answers[reference] else { continue }
      let copied = try CopiedText(answer.card, invocation, field: answer.field?.name)
      copied.reportOmittedFields(invocation)
      values[reference] = copied.text
    }
  }

  /// Returns a text with the values that were taken.
  func filled(_ text: Text) -> String {
    text.lines.map { line in
      line.map { part in
        switch part {
        case .text(let text): text
        case .reference(let reference): values[reference] ?? ""
        case .malformed: ""
        }
      }.joined()
    }.joined(separator: "\n")
  }

  private func resolve(_ reference: Reference) throws(Failure) -> CardResolve.Response {
    switch reference {
    case .field(let field, let card): if let answer = try resolve(card, field: field) { return answer }
    case .name(let name):
      if let answer = try resolve(name) { return answer }
      if let (title, field) = Placeholder.parts(of: name), let answer = try resolve(title, field: field) {
        return answer
      }
    }
    let name = if case .field(_, let card) = reference { card } else { reference.name }
    throw .exit(.notFound, Localized("no card has the title of \(name)", "没有卡片的标题与“\(name)”相符"))
  }

  /// - Returns: nil if no card has the name.
  private func resolve(_ name: String, field: String? = nil) throws(Failure) -> CardResolve.Response? {
    switch try invocation.vault.attempt(CardResolve(name: name, guesses: false, field: field)) {
    case .success(let answer): return answer.value
    case .failure(let error) where error.kind == "card.notFound": return nil
    case .failure(let error) where error.kind == "card.ambiguous":
      throw .exit(.ambiguous, Localized("several cards have the title \(name)", "有多张卡片的标题为“\(name)”"))
    case .failure(let error) where error.kind == "card.fieldNotFound":
      let field = error.data["field"]?.string ?? ""
      throw .exit(.notFound, Localized("\(name) has no field \(field)", "“\(name)”没有字段“\(field)”"))
    case .failure(let error): throw error.failure
    }
  }
}
