import JSON
import VaultModel
import VaultSession

extension FileError {
  /// The number on the wire.
  var code: Int {
    switch self {
    case .notFound: 1551
    case .notRegular: 1552
    case .unreadable: 1553
    case .exists: 1554
    case .notWritable: 1555
    case .tooLarge: 1556
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .notFound: "file.notFound"
    case .notRegular: "file.notRegular"
    case .unreadable: "file.unreadable"
    case .exists: "file.exists"
    case .notWritable: "file.notWritable"
    case .tooLarge: "file.tooLarge"
    }
  }

  /// What a program is told beyond the kind.
  var details: [JSON.Member] {
    switch self {
    case .unreadable(let reason), .notWritable(let reason): [.init("reason", .string(reason.rawValue))]
    case .tooLarge(let limit): [.init("limit", .integer(limit))]
    case .notFound, .notRegular, .exists: []
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .notFound: Localized("There is no such file or directory.", "没有该文件或目录。")
    case .notRegular:
      Localized("This is not a file but a directory, a link, a device or a pipe.", "这不是文件，而是目录、链接、设备或管道。")
    case .unreadable(.permissionDenied): Localized("The system denies reading the file.", "系统拒绝读取该文件。")
    case .unreadable: Localized("The file cannot be read.", "无法读取该文件。")
    case .exists: Localized("There is a file of this name already.", "已有同名文件。")
    case .notWritable(.permissionDenied):
      Localized("The system denies writing the file.", "系统拒绝写入该文件。")
    case .notWritable(.diskFull): Localized("The disk is full; no file was written.", "磁盘已满，未写入文件。")
    case .notWritable(.busy): Localized("A vault uses a file of this name.", "保险库正在使用该文件名。")
    case .notWritable(.readOnly): Localized("The file system is read-only.", "文件系统为只读。")
    case .notWritable: Localized("The file cannot be written.", "无法写入该文件。")
    case .tooLarge(let limit):
      Localized("The file is longer than \(Self.size(limit)).", "文件超过 \(Self.size(limit))。")
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) B"
  }
}
