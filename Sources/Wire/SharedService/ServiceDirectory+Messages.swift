extension ServiceDirectory.Refusal {
  /// What a person reads, in English and in Chinese.
  package var message: (english: String, simplifiedChinese: String) {
    switch self {
    case .link(let path): ("\(path) is a symbolic link; remove it", "\(path) 是符号链接，请删除")
    case .noDirectory(let path): ("\(path) is not a directory; remove it", "\(path) 不是目录，请删除")
    case .otherOwner(let path, let user):
      ("\(path) belongs to another user (\(user))", "\(path) 属于其他用户（\(user)）")
    case .wrongMode(let path, let mode):
      (
        "\(path) has the mode \(String(mode, radix: 8)) instead of 700; run: chmod 700 '\(path)'",
        "\(path) 的权限是 \(String(mode, radix: 8))，应为 700；请运行 chmod 700 '\(path)'"
      )
    case .system(let path, let error): ("\(path): \(error)", "\(path): \(error)")
    }
  }
}
