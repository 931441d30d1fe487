import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

extension VaultError {
  /// The number on the wire. Numbers are never given to another error.
  var code: Int {
    switch self {
    case .notFound: 1001
    case .exists: 1002
    case .locked: 1003
    case .notAVault: 1004
    case .newerVersion: 1005
    case .damaged: 1006
    case .unavailable: 1007
    case .confirmationMismatch: 1008
    case .unsupportedParameters: 1009
    case .changed: 1010
    case .wrongPassword: 1101
    case .lockedOut: 1102
    case .passwordTooShort: 1103
    case .passwordTooLong: 1104
    case .cardNotFound: 1201
    case .cardInvalid: 1202
    case .conflict: 1203
    case .fieldNotFound: 1204
    case .templateInvalid: 1205
    case .noTemplate: 1206
    case .queryInvalid: 1207
    case .invalidCursor: 1208
    case .settingsInvalid: 1301
    case .authorizationRequired: 1105
    case .attachmentNotFound: 1501
    case .attachmentTooLarge: 1502
    case .tooManyAttachments: 1503
    case .attachmentNameInvalid: 1504
    case .watermarkInvalid: 1505
    case .file(let error): error.code
    case .backup(let error): error.code
    case .repair(let error): error.code
    case .merge(let error): error.code
    case .failed: ProtocolError.internalError.code
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .notFound: "vault.notFound"
    case .exists: "vault.exists"
    case .locked: "vault.locked"
    case .notAVault: "vault.notAVault"
    case .newerVersion: "vault.newerVersion"
    case .damaged: "vault.damaged"
    case .unavailable: "vault.unavailable"
    case .confirmationMismatch: "vault.confirmationMismatch"
    case .unsupportedParameters: "vault.unsupportedParameters"
    case .changed: "vault.changed"
    case .wrongPassword: "auth.wrongPassword"
    case .lockedOut: "auth.lockedOut"
    case .passwordTooShort: "auth.passwordTooShort"
    case .passwordTooLong: "auth.passwordTooLong"
    case .cardNotFound: "card.notFound"
    case .cardInvalid: "card.invalid"
    case .conflict: "card.conflict"
    case .fieldNotFound: "card.fieldNotFound"
    case .templateInvalid: "copy.templateInvalid"
    case .noTemplate: "copy.noTemplate"
    case .queryInvalid: "query.invalid"
    case .invalidCursor: "list.invalidCursor"
    case .settingsInvalid: "settings.invalid"
    case .authorizationRequired: "auth.required"
    case .attachmentNotFound: "attachment.notFound"
    case .attachmentTooLarge: "attachment.tooLarge"
    case .tooManyAttachments: "attachment.tooMany"
    case .attachmentNameInvalid: "attachment.nameInvalid"
    case .watermarkInvalid: "attachment.watermarkInvalid"
    case .file(let error): error.kind
    case .backup(let error): error.kind
    case .repair(let error): error.kind
    case .merge(let error): error.kind
    case .failed: ProtocolError.internalError.kind
    }
  }

  /// What a program is told beyond the kind.
  func details(in language: Language) -> [JSON.Member] {
    switch self {
    case .damaged(let id?), .cardNotFound(let id), .attachmentNotFound(let id):
      [.init("id", .string(id.description))]
    case .unavailable(let reason): [.init("reason", .string(reason.rawValue))]
    case .wrongPassword(let left, let seconds):
      [.init("attemptsLeft", .integer(left)), .init("retryAfterSeconds", .integer(seconds))]
    case .lockedOut(let seconds): [.init("retryAfterSeconds", .integer(seconds))]
    case .passwordTooShort(let minimum): [.init("minimum", .integer(minimum))]
    case .passwordTooLong(let maximum): [.init("maximum", .integer(maximum))]
    case .cardInvalid(let issues), .settingsInvalid(let issues):
      [.init("issues", .array(issues.map { $0.json(in: language) }))]
    case .conflict(let card): [.init("card", card.json(in: language))]
    case .fieldNotFound(let field): [.init("field", .string(field))]
    case .templateInvalid(let error):
      [.init("placeholder", .string(error.placeholder)), .init("position", .integer(error.position))]
    case .attachmentTooLarge(let limit), .tooManyAttachments(let limit): [.init("limit", .integer(limit))]
    case .attachmentNameInvalid(let fault): [.init("reason", .string(fault.rawValue))]
    case .watermarkInvalid(let fault): [.init("reason", .string(fault.rawValue))]
    case .file(let error): error.details
    default: []
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .notFound: Localized("There is no vault here yet.", "这里还没有保险库。")
    case .exists: Localized("There is something at this path already.", "该路径下已有文件。")
    case .locked: Localized("The vault is locked.", "保险库已锁定。")
    case .notAVault: Localized("This file is not a QuickVault vault.", "该文件不是随取保险库。")
    case .newerVersion:
      Localized("A newer version of QuickVault made this vault.", "该保险库由更新版本的随取创建。")
    case .damaged: Localized("The vault is damaged here; nothing was changed.", "保险库此处已损坏，未做任何更改。")
    case .unavailable(let reason): reason.words
    case .confirmationMismatch:
      Localized("The confirmation is not the name of the vault's file.", "确认内容与保险库文件名不符。")
    case .unsupportedParameters:
      Localized("The key derivation of this vault is outside the allowed limits.", "该保险库的密钥派生参数超出允许范围。")
    case .changed:
      Localized(
        "Another program changed the vault's password or replaced its file.", "其他程序更改了保险库密码或替换了其文件。")
    case .wrongPassword(let left, let seconds): Self.wrongPassword(attemptsLeft: left, seconds: seconds)
    case .lockedOut(let seconds):
      Localized(
        "Too many wrong passwords: try again in \(seconds) s.", "密码错误次数过多：请在 \(seconds) 秒后重试。")
    case .passwordTooShort(let minimum):
      Localized("The password needs at least \(minimum) characters.", "密码至少需要 \(minimum) 个字符。")
    case .passwordTooLong(let maximum):
      Localized("The password is longer than \(maximum) characters.", "密码超过 \(maximum) 个字符。")
    case .cardNotFound: Localized("There is no such card.", "没有这张卡片。")
    case .cardInvalid(let issues): Self.invalid(issues, Localized("The card was not saved", "卡片未保存"))
    case .conflict: Localized("The card was changed meanwhile.", "卡片已被更改。")
    case .fieldNotFound(let field):
      Localized(
        "The card has no field \(field.quoted), or it is empty.", "卡片没有字段 \(field.quoted)，或该字段为空。")
    case .templateInvalid(let error): error.message
    case .noTemplate: Localized("No copy template is set for this type.", "该类型尚未设置复制模板。")
    case .queryInvalid(let words): words
    case .invalidCursor: Localized("The cursor is not one that a page gave.", "游标无效。")
    case .settingsInvalid(let issues): Self.invalid(issues, Localized("The settings were not saved", "设置未保存"))
    case .authorizationRequired:
      Localized("This needs the master password once more.", "此操作需要再次验证主密码。")
    case .attachmentNotFound, .attachmentTooLarge, .tooManyAttachments, .attachmentNameInvalid,
      .watermarkInvalid:
      attachmentWords
    case .file(let error): error.words
    case .backup(let error): error.words
    case .repair(let error): error.words
    case .merge(let error): error.words
    case .failed: ProtocolError.internalError.words
    }
  }

  private static func wrongPassword(attemptsLeft: Int, seconds: Int) -> Localized {
    guard attemptsLeft > 0 else {
      return Localized(
        "Wrong password. The next try is possible in \(seconds) s.", "密码错误。\(seconds) 秒后才能再试。")
    }
    let tries = attemptsLeft == 1 ? "try" : "tries"
    return Localized(
      "Wrong password. \(attemptsLeft) \(tries) left before a wait.", "密码错误。还可尝试 \(attemptsLeft) 次，之后需等待。")
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

extension VaultError.Reason {
  fileprivate var words: Localized {
    switch self {
    case .permissionDenied: Localized("The system denies access to the vault's file.", "系统拒绝访问保险库文件。")
    case .diskFull: Localized("The disk is full; nothing was changed.", "磁盘已满，未做任何更改。")
    case .readOnly: Localized("The vault's file is read-only.", "保险库文件为只读。")
    case .busy: Localized("Another program keeps the vault busy; try again.", "其他程序正在使用保险库，请重试。")
    case .inputOutput: Localized("The vault's file cannot be read or written.", "无法读写保险库文件。")
    case .missingDirectory:
      Localized("The directory of the vault is missing and cannot be made.", "保险库所在目录不存在且无法创建。")
    case .notARegularFile: Localized("The vault's path is not a file.", "保险库路径不是文件。")
    case .invalidPath: Localized("The vault's path cannot be used.", "保险库路径无法使用。")
    case .unsupportedFileSystem:
      Localized("The file system cannot hold a vault that several programs use.", "该文件系统不支持多个程序共用的保险库。")
    case .outOfMemory: Localized("There is not enough memory.", "内存不足。")
    case .writableByOthers:
      Localized(
        "Other users may write to the directory of the vault; keep the vault in a directory of your own.",
        "其他用户可以写入保险库所在目录；请将保险库放在仅供自己使用的目录中。")
    }
  }
}
