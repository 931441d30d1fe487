import VaultModel

/// The labels of imported cards, and the messages about them.
enum ImportMessages {
  static let untitled = Localized("Untitled", "无标题")
  static let field = Localized("Field", "字段")
  static let tag = Localized("Tag", "标签")
  static let folder = Localized("Folder", "文件夹")
  static let archived = Localized("Archived", "已归档")
  static let userName = Localized("User name", "用户名")
  static let password = Localized("Password", "密码")
  static let website = Localized("Website", "网址")
  static let oneTimePassword = Localized("One-time password", "一次性密码")
  static let notes = Localized("Notes", "备注")
  static let phone = Localized("Phone", "电话")
  static let email = Localized("Email", "电子邮件")
  static let address = Localized("Address", "地址")
  static let organization = Localized("Organization", "单位")
  static let jobTitle = Localized("Job title", "职务")
  static let name = Localized("Name", "姓名")
  static let birthday = Localized("Birthday", "生日")
  static let nickname = Localized("Nickname", "昵称")
  static let country = Localized("Country", "国家")
  static let postOfficeBox = Localized("PO box", "邮政信箱")

  static let photo = Localized("a photo or another binary part", "照片或其他二进制内容")
  static let attachment = Localized("an attached file", "附件")
  static let attachmentsOfDuplicate = Localized(
    "Its attachments were left out: the vault has this card.", "未导入其附件：保险库中已有此卡片。")
  static let notAnAttachment = Localized("Left out: this is not an attachment.", "未导入：这不是附件。")
  static let noOwner = Localized(
    "Left out: this attachment does not belong to any card in the file.", "未导入：该附件不属于文件中的任何卡片。")
  static let passkey = Localized("a passkey", "通行密钥")

  static let titleGiven = Localized("The entry had no title; one was added.", "该条目没有标题，已自动命名。")
  static let keptAsText = Localized(
    "A required field of this card type is missing or invalid; the entry was saved as a text card with all its content.",
    "缺少此类卡片的必填内容或格式不符；该条目已保存为文本卡片，内容完整。")
  static let recycleBin = Localized("It is in the recycle bin.", "该条目位于回收站中。")
  static let unfinished = Localized(
    "A quotation mark is not closed: the file ends inside a cell.", "引号未闭合，文件在单元格内结束。")
  static let notACard = Localized("This is not a card.", "这不是卡片。")
  static let notAnItem = Localized("This is not an item.", "这不是条目。")
  static let tooManyProperties = Localized("The entry has more than 1,000 properties.", "该条目的属性超过 1,000 个。")
  static let encryptedValue = Localized("One of its values is encrypted.", "其中有已加密的内容。")
  static let unreadableProperty = Localized(
    "One of its lines cannot be read.", "其中有无法读取的行。")
  static let unfinishedCard = Localized("The file ends inside this entry.", "文件在此条目内结束。")

  static func notImported(_ what: Localized) -> Localized {
    Localized("Left out: \(what.english).", "未导入：\(what.simplifiedChinese)。")
  }

  static func notImported(_ name: String, _ reason: Localized) -> Localized {
    Localized("Left out: “\(name)”. \(reason.english)", "未导入：“\(name)”。\(reason.simplifiedChinese)")
  }

  static func wrongValue(_ field: String) -> Localized {
    Localized("The value of \(field) is invalid.", "“\(field)”的内容无效。")
  }

  static func wrongCell(_ column: String) -> Localized {
    Localized("The cell in the column \(column) was not understood.", "无法理解“\(column)”列的内容。")
  }

  static func column(_ number: Int) -> Localized {
    Localized("Column \(number)", "第 \(number) 列")
  }

  static let extraCells = Localized(
    "The row has more cells than the first row; the others were saved as extra fields.",
    "该行的单元格多于首行；多出的已存为自定义字段。")
}
