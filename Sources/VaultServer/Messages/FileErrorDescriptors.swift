import JSON
import VaultModel
import VaultSession

extension FileError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notFound: .init(1551, "file.notFound", "There is no such file or directory.", "找不到该文件或目录。")
    case .notRegular:
      .init(
        1552, "file.notRegular", "This is not a file but a directory, a link, a device or a pipe.",
        "这不是文件，而是目录、链接、设备或管道。")
    case .unreadable(let reason, _):
      .init(
        1553, "file.unreadable",
        reason == .permissionDenied
          ? Localized("The system denies permission to read the file.", "没有读取该文件的权限。")
          : Localized("The file cannot be read.", "无法读取该文件。"), ["reason": .string(reason.rawValue)])
    case .exists: .init(1554, "file.exists", "A file with this name already exists.", "已有同名文件。")
    case .notWritable(let reason, _):
      .init(1555, "file.notWritable", Self.notWritableMessage(reason), ["reason": .string(reason.rawValue)])
    case .tooLarge(let limit):
      .init(
        1556, "file.tooLarge", "The file is longer than \(Self.size(limit)).", "文件超过 \(Self.size(limit))。",
        ["limit": .integer(limit)])
    }
  }

  private static func notWritableMessage(_ reason: VaultError.Reason) -> Localized {
    switch reason {
    case .permissionDenied: Localized("The system denies permission to write the file.", "没有写入该文件的权限。")
    case .diskFull: Localized("The disk is full; no file was written.", "磁盘已满，未写入文件。")
    case .busy: Localized("A vault uses a file with this name.", "有保险库正在使用同名文件。")
    case .readOnly: Localized("The file system is read-only.", "文件系统为只读。")
    default: Localized("The file cannot be written.", "无法写入该文件。")
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) B"
  }
}
