import VaultInterface
import Wire

/// The result of one check.
struct Finding: Sendable {
  enum State: String, Sendable {
    /// No problem.
    case ok
    /// Not available, which is no problem: a feature cannot be used.
    case missing
    /// A problem to fix.
    case failed

    /// The mark at the beginning of a line.
    var mark: Localized {
      switch self {
      case .ok: Localized("ok   ", "正常")
      case .missing: Localized("note ", "提示")
      case .failed: Localized("error", "问题")
      }
    }
  }

  /// A name that is the same in all versions.
  let key: String
  let subject: Localized
  let state: State
  let found: Localized
  /// How to fix it; nil if there is nothing to do.
  let advice: Localized?

  init(_ key: String, _ subject: Localized, _ state: State, _ found: Localized, advice: Localized? = nil) {
    self.key = key
    self.subject = subject
    self.state = state
    self.found = found
    self.advice = advice
  }
}

/// The results of all checks; they contain no secret.
public struct DoctorReport: Sendable {
  let findings: [Finding]

  /// Whether there is no problem.
  public var hasNoProblems: Bool {
    findings.allSatisfy { $0.state != .failed }
  }

  /// The results for the user: a line for each, and a line with the advice.
  public func text(locale: String) -> String {
    let language = Language(locale: locale)
    let lines = findings.flatMap { finding in
      let colon = language == .english ? ": " : "："
      let line =
        "\(finding.state.mark[language])  \(finding.subject[language])\(colon)\(finding.found[language])"
      return [line] + (finding.advice.map { ["       → \($0[language])"] } ?? [])
    }
    let end =
      hasNoProblems
      ? Localized("No problems found.", "没有发现问题。") : Localized("There are problems: see above.", "发现问题，见上文。")
    return (lines + [end[language]]).joined(separator: "\n") + "\n"
  }

  /// The results for a program: one line of JSON.
  public var json: String {
    let list = findings.map { finding -> JSON in
      [
        "key": .string(finding.key), "state": .string(finding.state.rawValue),
        "subject": finding.subject.messages,
        "found": finding.found.messages, "advice": finding.advice?.messages ?? .null,
      ]
    }
    let report: JSON = ["ok": .bool(hasNoProblems), "findings": .array(list)]
    return String(decoding: report.utf8, as: UTF8.self) + "\n"
  }
}

extension Localized {
  fileprivate var messages: JSON {
    ["en": .string(english), "zh-Hans": .string(simplifiedChinese)]
  }
}
