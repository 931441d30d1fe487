import Glibc
import VaultInterface
import Wire

/// Merges a file into another, for scripts and for git; `quickvault merge` runs it.
///
/// The work is done on a copy of the first file, which then replaces it: that is either merged or as it was, whatever ends
/// the command. The state of this machine is left alone, because neither file need be the newest that it has seen.
enum MergeFilesCommand {
  private static let git = Option(name: "git")

  static let command = Command(
    name: "merge-files", summary: Localized("merge one file into another", "把一个文件合并到另一个文件"),
    options: [git, .json] + Option.password, operands: [.files], repeatsOperands: true, isHidden: true
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    let files = arguments.has(git) ? Array(invocation.operands.dropFirst()) : invocation.operands
    guard files.count >= 2 else { throw .whichFile }
    try arguments.allow(arguments.has(git) ? 3 : 2)
    do throws(Failure) {
      try merge(files[1], into: Environment.absolutePath(files[0]), isGit: arguments.has(git), invocation)
    } catch {
      guard case .exit(let status, let lines) = error else { throw error }
      guard arguments.has(git) else { throw .exit(status == .untried ? .failure : status, lines) }
      // Git leaves a conflict for 1, and gives up the whole merge for what is above 128.
      throw .exit([.failure, .vault, .file].contains(status) ? .failure : .untried, lines)
    }
  }

  private static func merge(
    _ theirs: String, into ours: String, isGit: Bool, _ invocation: Invocation
  ) throws(Failure) {
    let target = try WholeFile(ours)
    let place = try PrivateDirectory(in: target.directory)
    defer { place.remove() }
    // A pinentry names the vault after its file; that of git has a temporary name.
    let copy = place.path + "/" + (isGit ? "vault.quickvault" : target.path.fileName)
    try target.copy(to: copy)
    // No state of vaults can be kept in a file.
    let vault = Vault(invocation, alone: copy, environment: ["XDG_STATE_HOME": "/dev/null"])
    let report: Answer<Merge>
    do throws(Failure) {
      try vault.ensureOpen()
      report = try vault.merge(theirs, isDryRun: false)
    } catch {
      vault.close()
      throw error
    }
    // The file is complete when the process has ended.
    vault.close()
    try target.replace(with: copy)
    try MergeReport.show(report, isDryRun: false, invocation)
  }
}

extension Vault {
  /// Merges another copy into the vault. Asks for its password only if the vault's key does not open it.
  func merge(_ file: String, isDryRun: Bool) throws(Failure) -> Answer<Merge> {
    try withProgress(Localized("Merging...", "正在合并…")) { () throws(Failure) in
      var request = VaultMerge(path: Environment.absolutePath(file), isDryRun: isDryRun, progressToken: .qv)
      let answer = try attempt(request)
      guard case .failure(let error) = answer, error.kind == "merge.passwordRequired" else {
        return try answer.getOrFail()
      }
      return try askWithPassword(Prompt.copy, isOther: true) {
        request.password = $0
        return request
      }
    }
  }
}

/// The result of a merge.
enum MergeReport {
  static func show(_ report: Answer<Merge>, isDryRun: Bool, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(report) { return }
    let leftOut = report.conflictsLeftOut ?? 0
    let both = report.conflicts.count + leftOut
    let begin =
      isDryRun
      ? Localized("A merge would make these changes. ", "合并后将有如下更改：") : Localized("Merged. ", "已合并：")
    var lines = [
      invocation.text(
        "\(begin.english)Added: \(report.added), changed: \(report.updated), deleted: \(report.deleted), kept in both versions: \(both)",
        "\(begin.simplifiedChinese)新增 \(report.added) 张，修改 \(report.updated) 张，删除 \(report.deleted) 张，两个版本都保留 \(both) 张"
      )
    ]
    lines += report.conflicts.map { "  \($0.copy.short)  \($0.title.oneLine)" }
    if leftOut > 0 {
      lines.append(invocation.text("  and \(leftOut) more that are not listed", "  另有 \(leftOut) 张未列出"))
    }
    try invocation.printLines(lines)
    if !isDryRun, both > 0 { try invocation.showNext([.conflicts]) }
  }
}
