import JSON
import VaultModel
import VaultProtocol

extension Vault {
  /// Merges another copy into the vault. Asks for its password only if the vault's key does not open it.
  func merge(_ file: String, isDryRun: Bool) throws(Failure) -> JSON {
    try withProgress(Localized("Merging...", "正在合并…")) { () throws(Failure) in
      let parameters: [JSON.Member] = [
        .init("path", .string(Environment.absolutePath(file))), .init("dryRun", .bool(isDryRun)),
        .init("progressToken", "qv"),
      ]
      switch try attempt(VaultMerge.method, .object(parameters)) {
      case .success(let report): return report
      case .failure(let error) where error.kind == "merge.passwordRequired":
        return try requestWithPassword(VaultMerge.method, Prompt.copy, parameters, isOther: true)
      case .failure(let error): throw error.failure
      }
    }
  }
}

/// The result of a merge.
enum MergeReport {
  static func show(_ report: JSON, isDryRun: Bool, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(report) { return }
    let number = { (name: String) in report[name]?.integer ?? 0 }
    let conflicts = report["conflicts"]?.elements ?? []
    let leftOut = number("conflictsLeftOut")
    let begin =
      isDryRun
      ? Localized("A merge would make these changes. ", "合并后将有如下更改：") : Localized("Merged. ", "已合并：")
    try invocation.output.line(
      invocation.text(
        "\(begin.english)Added: \(number("added")), changed: \(number("updated")), deleted: \(number("deleted")), kept in both versions: \(conflicts.count + leftOut)",
        "\(begin.simplifiedChinese)新增 \(number("added")) 张，修改 \(number("updated")) 张，删除 \(number("deleted")) 张，两个版本都保留 \(conflicts.count + leftOut) 张"
      ))
    for conflict in conflicts {
      let id = (conflict["copyId"]?.string ?? "").prefix(8)
      try invocation.output.line("  \(id)  \((conflict["title"]?.string ?? "").oneLine)")
    }
    if leftOut > 0 {
      try invocation.output.line(
        invocation.text("  and \(leftOut) more that are not listed", "  另有 \(leftOut) 张未列出"))
    }
  }
}
