import CLinux
import Glibc
import Vault
import VaultInterface
import Wire

/// Checks the installation and the vault's file, and says how to fix problems: `quickvault doctor`.
///
/// It opens no card, needs no password and changes nothing.
public struct Doctor {
  let vault: String
  let programs: ProgramDirectory
  let isProtected: Bool
  let missingRestrictions: [String]
  let environment: (String) -> String?

  /// A check of one vault.
  ///
  /// - Parameters:
  ///   - vault: the vault's path.
  ///   - helpers: where the helper programs are; nil for the usual places.
  ///   - isProtected: whether core files and tracing by other processes were disabled.
  ///   - missingRestrictions: the mechanisms of the sandbox that the kernel does not support.
  ///   - environment: gives the variables of the environment.
  public init(
    vault: String, helpers: String?, isProtected: Bool, missingRestrictions: [String],
    environment: @escaping (String) -> String?
  ) {
    self.vault = vault
    programs = ProgramDirectory(override: helpers)
    self.isProtected = isProtected
    self.missingRestrictions = missingRestrictions
    self.environment = environment
  }

  /// Runs all checks. It may take 30 seconds if the desktop program does not answer.
  public func examine() -> DoctorReport {
    DoctorReport(
      findings: versions + vaultFindings + [sharedService] + helperFindings + desktopFindings + memoryFindings
        + [clipboard])
  }

  private var versions: [Finding] {
    let kernel = Self.text(of: "/proc/sys/kernel/osrelease").map { "Linux " + $0.trimmed } ?? "?"
    let gcrypt = Libraries.libgcrypt
    return [
      Finding(
        "program", Localized("Program", "程序"), .ok, Localized(verbatim: "quickvault \(Server.version)")),
      Finding("sqlite", Localized(verbatim: "SQLite"), .ok, Localized(verbatim: Libraries.sqlite)),
      Finding(
        "libgcrypt", Localized(verbatim: "libgcrypt"), gcrypt == nil ? .failed : .ok,
        gcrypt.map { Localized(verbatim: $0) } ?? Localized("does not start", "无法启动"),
        advice: gcrypt == nil
          ? Localized("install libgcrypt20 1.10 or later", "请安装 libgcrypt20 1.10 或更高版本") : nil),
      Finding("kernel", Localized("Kernel", "内核"), .ok, Localized(verbatim: kernel)),
    ]
  }

  private var helperFindings: [Finding] {
    [
      helper(
        "imaging", "quickvault-imaging",
        without: Localized("you cannot attach pictures or PDFs", "无法添加图片和 PDF 附件")),
      popplerData,
      helper(
        "desktop", "quickvault-desktop",
        without: Localized(
          "no fingerprint, no keychain and no locking with the desktop",
          "无法使用指纹解锁、密钥环和随桌面锁定")),
    ]
  }

  /// What shows Chinese text in PDFs that do not embed their fonts.
  private var popplerData: Finding {
    let (directory, subject) = ("/usr/share/poppler/cMap", Localized(verbatim: "poppler-data"))
    if unsafe access(directory, R_OK) == 0 {
      return Finding("popplerData", subject, .ok, Localized(verbatim: directory))
    }
    return Finding(
      "popplerData", subject, .missing,
      Localized(
        "not installed: you cannot attach Chinese PDFs that do not embed their fonts",
        "未安装：无法添加未嵌入字体的中文 PDF 附件"),
      advice: Localized("install the package poppler-data", "请安装软件包 poppler-data"))
  }

  private func helper(_ key: String, _ name: String, without: Localized) -> Finding {
    let subject = Localized(verbatim: name)
    if let path = programs.path(of: name) { return Finding(key, subject, .ok, Localized(verbatim: path)) }
    return Finding(
      key, subject, .missing,
      Localized("not installed: \(without.english)", "未安装：\(without.simplifiedChinese)"),
      advice: Localized(
        "apt install \(name), or 'make install' in the source tree",
        "请运行 apt install \(name)，或在源码目录运行 make install"))
  }

  private var clipboard: Finding {
    let subject = Localized("Clipboard program", "剪贴板程序")
    let (isWayland, isX11) = (has("WAYLAND_DISPLAY"), has("DISPLAY"))
    let candidates =
      (isWayland ? [["wl-copy", "wl-paste"]] : []) + (isX11 ? [["xclip"], ["xsel"]] : [])
      + [["pbcopy", "pbpaste"]]
    if let found = candidates.first(where: { $0.allSatisfy { isOnPath($0) } })?.first {
      return Finding("clipboard", subject, .ok, Localized(verbatim: found))
    }
    guard isWayland || isX11 else {
      return Finding(
        "clipboard", subject, .missing,
        Localized("not needed without a graphical session", "没有图形会话，无需剪贴板程序"))
    }
    let package = isWayland ? "wl-clipboard" : "xclip"
    return Finding(
      "clipboard", subject, .failed, Localized("none found on PATH", "PATH 中没有可用的程序"),
      advice: Localized("apt install \(package)", "请运行 apt install \(package)"))
  }

  private func has(_ variable: String) -> Bool {
    environment(variable).map { !$0.isEmpty } ?? false
  }

  private func isOnPath(_ program: String) -> Bool {
    (environment("PATH") ?? "").split(separator: ":").contains {
      unsafe access("\($0)/\(program)", X_OK) == 0
    }
  }

  /// The first 16 KiB of a file; nil if it cannot be read.
  static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}

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

extension Localized {
  fileprivate var messages: JSON {
    ["en": .string(english), "zh-Hans": .string(simplifiedChinese)]
  }
}
