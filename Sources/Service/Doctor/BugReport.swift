import Vault
import VaultInterface

extension DoctorReport {
  /// The most errors in a bug report.
  private static let errorLimit = 50

  /// What a bug report needs: the results and the last errors, with `~` for the home directory.
  ///
  /// - Parameters:
  ///   - directory: where the error log is; nil for none.
  ///   - home: the home directory; nil if it is not known.
  public func bugReport(errors directory: String?, home: String?, locale: String) -> String {
    let language = Language(locale: locale)
    let errors = directory.map { LineLog(in: $0).lastLines(Self.errorLimit) } ?? []
    let beginning = Localized(
      "QuickVault bug report. It contains no card and no password; please review it before you send it.",
      "随取问题报告。其中不含卡片和密码，发送前请先查看。")
    let heading =
      errors.isEmpty
      ? Localized("No errors are logged.", "错误日志中没有记录。")
      : Localized("The last errors, the newest at the end:", "最近的错误（最新的在最后）：")
    let lines = [beginning[language], "", text(locale: locale), heading[language]] + errors
    return Self.shortened(lines.joined(separator: "\n"), home) + "\n"
  }

  /// Writes `~` for a directory, but not where it is only part of a longer path.
  private static func shortened(_ text: String, _ home: String?) -> String {
    guard let home, home.hasPrefix("/"), home != "/" else { return text }
    var shortened = ""
    var rest = text[...]
    while let range = rest.firstRange(of: home) {
      let neighbours = [rest[..<range.lowerBound].last, rest[range.upperBound...].first]
      let isWhole = !neighbours.contains {
        $0.map { $0.isLetter || $0.isNumber || "-_.".contains($0) } ?? false
      }
      shortened += rest[..<range.lowerBound] + (isWhole ? "~" : home)
      rest = rest[range.upperBound...]
    }
    return shortened + rest
  }
}
