import JSON
import VaultModel

/// One thing that the doctor looked at.
struct Finding: Sendable {
  /// How it is.
  enum State: String, Sendable {
    /// As it should be.
    case well
    /// Not there, and nothing is wrong: something cannot be used.
    case absent
    /// Something should be done.
    case amiss

    /// The mark at the beginning of a line.
    var mark: Localized {
      switch self {
      case .well: Localized("ok   ", "正常")
      case .absent: Localized("none ", "没有")
      case .amiss: Localized("amiss", "注意")
      }
    }
  }

  /// A name that stays the same over versions.
  let key: String
  let subject: Localized
  let state: State
  let found: Localized
  /// What to do; nil where there is nothing to do.
  let advice: Localized?

  init(_ key: String, _ subject: Localized, _ state: State, _ found: Localized, advice: Localized? = nil) {
    self.key = key
    self.subject = subject
    self.state = state
    self.found = found
    self.advice = advice
  }
}

/// What the doctor found; nothing in it is secret.
public struct DoctorReport: Sendable {
  let findings: [Finding]

  /// Whether nothing is amiss.
  public var isWell: Bool {
    findings.allSatisfy { $0.state != .amiss }
  }

  /// The findings for a person: a line for each, and a line with what to do.
  public func text(locale: String) -> String {
    let language = Language(locale: locale)
    let lines = findings.flatMap { finding in
      let colon = language == .english ? ": " : "："
      let line =
        "\(finding.state.mark[language])  \(finding.subject[language])\(colon)\(finding.found[language])"
      return [line] + (finding.advice.map { ["       → \($0[language])"] } ?? [])
    }
    let end =
      isWell
      ? Localized("All is well.", "一切正常。") : Localized("Something is amiss: see above.", "有需要处理之处，见上文。")
    return (lines + [end[language]]).joined(separator: "\n") + "\n"
  }

  /// The findings for a program: one line of JSON.
  public var json: String {
    let list = findings.map { finding -> JSON in
      [
        "key": .string(finding.key), "state": .string(finding.state.rawValue),
        "subject": finding.subject.messages,
        "found": finding.found.messages, "advice": finding.advice?.messages ?? .null,
      ]
    }
    let report: JSON = ["well": .bool(isWell), "findings": .array(list)]
    return String(decoding: report.utf8, as: UTF8.self) + "\n"
  }
}

extension Localized {
  fileprivate var messages: JSON {
    ["en": .string(english), "zh-Hans": .string(simplifiedChinese)]
  }
}
