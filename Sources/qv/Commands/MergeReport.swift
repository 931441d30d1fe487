import VaultInterface
import Wire

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
