import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

extension VaultError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notFound: .init(1001, "vault.notFound", "There is no vault here yet.", "此处还没有保险库。")
    case .exists: .init(1002, "vault.exists", "Something already exists at this path.", "该路径已被占用。")
    case .locked: .init(1003, "vault.locked", "The vault is locked.", "保险库已锁定。")
    case .notAVault: .init(1004, "vault.notAVault", "This file is not a QuickVault vault.", "该文件不是随取保险库。")
    case .newerVersion:
      .init(1005, "vault.newerVersion", "A newer version of QuickVault made this vault.", "该保险库由较新版本的随取创建。")
    case .damaged(let id):
      .init(
        1006, "vault.damaged", "This part of the vault is damaged; nothing was changed.",
        "保险库的这一部分已损坏，未作任何更改。",
        id.map { ["id": .string($0.description)] } ?? [:])
    case .unavailable(let reason, let holder?):
      .init(
        1007, "vault.unavailable", holder.message,
        [
          "reason": .string(reason.rawValue),
          "holder": ["program": .string(holder.program), "process": .integer(holder.process)],
        ])
    case .unavailable(let reason, nil):
      .init(1007, "vault.unavailable", reason.message, ["reason": .string(reason.rawValue)])
    case .confirmationMismatch:
      .init(
        1008, "vault.confirmationMismatch", "The confirmation is not the name of the vault's file.",
        "输入的内容与保险库的文件名不一致。")
    case .unsupportedParameters:
      .init(
        1009, "vault.unsupportedParameters",
        "The key derivation of this vault is outside the allowed limits.", "该保险库的密钥派生参数超出允许范围。")
    case .changed:
      .init(
        1010, "vault.changed",
        "Another program changed the vault's password or replaced its file.", "其他程序更改了保险库的主密码，或替换了保险库文件。")
    case .older:
      .init(
        1011, "vault.older",
        "This is an older copy of the vault. It cannot be changed until you accept it.",
        "这是保险库的旧副本，确认后才能修改。")
    case .readOnly:
      .init(
        1012, "vault.readOnly",
        "The vault can only be read: its file cannot be written, or the disk was full.",
        "该保险库目前只能查看：其文件无法写入，或磁盘曾经写满。")
    case .wrongPassword(let left, let seconds):
      .init(
        1101, "auth.wrongPassword", Self.wrongPassword(attemptsLeft: left, seconds: seconds),
        ["attemptsLeft": .integer(left), "retryAfterSeconds": .integer(seconds)])
    case .lockedOut(let seconds):
      .init(
        1102, "auth.lockedOut",
        "Too many wrong passwords: try again in \(seconds) s.", "密码错误次数过多，请在 \(seconds) 秒后重试。",
        ["retryAfterSeconds": .integer(seconds)])
    case .passwordTooShort(let minimum):
      .init(
        1103, "auth.passwordTooShort", "The password needs at least \(minimum) characters.",
        "密码至少需要 \(minimum) 个字符。", ["minimum": .integer(minimum)])
    case .passwordTooLong(let maximum):
      .init(
        1104, "auth.passwordTooLong", "The password is longer than \(maximum) characters.",
        "密码超过 \(maximum) 个字符。", ["maximum": .integer(maximum)])
    case .cardNotFound(let id):
      .init(
        1201, "card.notFound", "There is no such card.", "找不到该卡片。",
        id.map { ["id": .string($0.description)] } ?? [:])
    case .cardInvalid(let issues):
      .init(
        1202, "card.invalid", Self.invalid(issues, Localized("The card was not saved", "卡片未保存")),
        localizedData: { ["issues": issues.json(in: $0)] })
    case .conflict(let card):
      .init(
        1203, "card.conflict", Localized("Another program has changed the card.", "卡片已被其他程序修改。"),
        localizedData: { ["card": card.json(in: $0)] })
    case .fieldNotFound(let field):
      .init(
        1204, "card.fieldNotFound",
        "The card has no field \(field.quoted), or it is empty.", "卡片没有字段\(field.quotedInChinese)，或该字段为空。",
        ["field": .string(field)])
    case .templateInvalid(let error):
      .init(
        1205, "copy.templateInvalid", error.message,
        ["placeholder": .string(error.placeholder), "position": .integer(error.position)])
    case .noTemplate: .init(1206, "copy.noTemplate", "No copy template is set for this type.", "该类型尚未设置复制模板。")
    case .copyTooLong(let limit):
      .init(
        1209, "copy.tooLong", "The copied text would be longer than \(limit >> 20) MiB.",
        "复制的文本超过 \(limit >> 20) MiB。", ["limit": .integer(limit)])
    case .queryInvalid(let message): .init(1207, "query.invalid", message)
    case .invalidCursor: .init(1208, "list.invalidCursor", "The cursor is invalid.", "游标无效。")
    case .settingsInvalid(let issues):
      .init(
        1301, "settings.invalid", Self.invalid(issues, Localized("The settings were not saved", "设置未保存")),
        localizedData: { ["issues": issues.json(in: $0)] })
    case .authorizationRequired:
      .init(
        1105, "auth.required", "This needs the master password or a fingerprint again.",
        "此操作需要再次验证主密码或指纹。", isSilent: true)
    case .attachmentNotFound(let id):
      .init(
        1501, "attachment.notFound", "There is no such attachment.", "找不到该附件。",
        ["id": .string(id.description)]
      )
    case .attachmentTooLarge(let limit):
      .init(
        1502, "attachment.tooLarge", "An attachment can have at most \(limit >> 20) MiB.",
        "附件不能超过 \(limit >> 20) MiB。", ["limit": .integer(limit)])
    case .tooManyAttachments(let limit):
      .init(
        1503, "attachment.tooMany", "A card can have at most \(limit) attachments.",
        "一张卡片最多可有 \(limit) 个附件。", ["limit": .integer(limit)])
    case .attachmentNameInvalid(let error):
      .init(1504, "attachment.nameInvalid", error.message, ["reason": .string(error.rawValue)])
    case .watermarkInvalid(let error):
      .init(1505, "attachment.watermarkInvalid", error.message, ["reason": .string(error.rawValue)])
    case .file(let error): error.descriptor
    case .backup(let error): error.descriptor
    case .repair(let error): error.descriptor
    case .merge(let error): error.descriptor
    case .failed: ProtocolError.internalError.descriptor
    }
  }

  private static func wrongPassword(attemptsLeft: Int, seconds: Int) -> Localized {
    guard attemptsLeft > 0 else {
      return Localized(
        "Wrong password. Try again in \(seconds) s.", "密码错误，请在 \(seconds) 秒后重试。")
    }
    let attempts = attemptsLeft == 1 ? "attempt" : "attempts"
    return Localized(
      "Wrong password. \(attemptsLeft) \(attempts) left before a delay.", "密码错误，还可尝试 \(attemptsLeft) 次，之后需等待。"
    )
  }

  private static func invalid(_ issues: [Issue], _ what: Localized) -> Localized {
    guard let first = issues.first?.message else {
      return Localized(what.english + ".", what.simplifiedChinese + "。")
    }
    let more = issues.count - 1
    return Localized(
      "\(what.english): \(first.english)" + (more > 0 ? " (and \(more) more)" : ""),
      "\(what.simplifiedChinese)：\(first.simplifiedChinese)" + (more > 0 ? "（另有 \(more) 处）" : ""))
  }
}

extension [Issue] {
  fileprivate func json(in language: Language) -> JSON { .array(map { $0.json(in: language) }) }
}

extension VaultError.Holder {
  fileprivate var message: Localized {
    Localized(
      "Another program is using the vault: \(program) (process \(process)). Try again.",
      "\(program)（进程 \(process)）正在使用保险库，请重试。")
  }
}

extension VaultError.Reason {
  fileprivate var message: Localized {
    switch self {
    case .permissionDenied: Localized("The system denies access to the vault's file.", "没有访问保险库文件的权限。")
    case .diskFull: Localized("The disk is full; nothing was changed.", "磁盘已满，未作任何更改。")
    case .readOnly: Localized("The vault's file is read-only.", "保险库文件为只读。")
    case .busy: Localized("Another program is using the vault; try again.", "其他程序正在使用保险库，请重试。")
    case .inputOutput: Localized("The vault's file cannot be read or written.", "无法读写保险库文件。")
    case .missingDirectory:
      Localized("The directory of the vault is missing and cannot be created.", "保险库所在目录不存在且无法创建。")
    case .notARegularFile: Localized("The vault's path is not a file.", "保险库路径不是文件。")
    case .invalidPath: Localized("The vault's path cannot be used.", "保险库路径无法使用。")
    case .unsupportedFileSystem:
      Localized("The file system does not support a vault that several programs use.", "该文件系统不支持多个程序同时使用保险库。")
    case .outOfMemory: Localized("There is not enough memory.", "内存不足。")
    case .writableByOthers:
      Localized(
        "Other users can write to the directory of the vault; keep the vault in a directory that only you can write to.",
        "其他用户可以写入保险库所在目录；请将保险库放在只有您能写入的目录中。")
    }
  }
}
