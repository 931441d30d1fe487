import VaultInterface

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
  static let invalidContact = Localized("A card cannot hold it:", "卡片无法容纳：")
  static let encryptedValue = Localized("One of its values is encrypted.", "其中有已加密的内容。")
  static let unfinishedCard = Localized("The file ends inside this entry.", "文件在此条目内结束。")

  static let previousPassword = Localized("Previous password", "旧密码")
  static let moreFields = Localized("More fields", "更多字段")
  static let history = Localized("earlier versions of the entry", "该条目的历史版本")
  static let autoType = Localized("the settings of auto-type", "自动输入的设置")
  static let groupNotes = Localized("the notes of a folder", "文件夹的备注")
  static let nestedContact = Localized("a contact inside the contact", "联系人中嵌套的联系人")
  static let header = Localized("the lines above the header row", "标题行之前的内容")
  static let unresolvedReference = Localized(
    "A reference to another entry could not be resolved and stays as it is.", "指向其他条目的引用无法解析，已原样保留。")
  static let noHeader = Localized(
    "The table has no header row: what its columns are was guessed from their values. Check each column.",
    "该表没有标题行，各列的含义根据内容推测。请逐列核对。")

  static func fewColumns(_ known: Int, _ all: Int) -> Localized {
    Localized(
      "Only \(known) of \(all) columns were recognised. Check where each column goes.",
      "\(all) 列中只识别出 \(known) 列。请核对每一列的去向。")
  }

  static func roundedNumber(_ column: String, _ line: Int) -> Issue {
    Issue(
      field: column, code: .unclear,
      message: Localized(
        "The cell “\(column)” in line \(line) is a number that a spreadsheet shortened, such as 1.23E+15; its digits are "
          + "lost. Format the column as text and export again.",
        "第 \(line) 行“\(column)”的单元格是被电子表格缩写的数字（如 1.23E+15），部分位数已丢失。请将该列设为文本格式后重新导出。"))
  }

  static func leftOutLine(_ line: Int, _ field: String) -> Issue {
    Issue(
      field: field, code: .leftOut,
      message: Localized("Line \(line) cannot be read and was left out.", "第 \(line) 行无法读取，未导入。"))
  }

  static func repairedLine(_ line: Int, _ field: String) -> Issue {
    Issue(
      field: field, code: .unclear,
      message: Localized(
        "Line \(line) has characters in another encoding; check its text.", "第 \(line) 行含有其他编码的字符，请核对其文本。"))
  }

  static func repairedLines(_ lines: [Int]) -> Issue {
    let list = lines.prefix(20).map(String.init)
    let (english, chinese) = (list.joined(separator: ", "), list.joined(separator: "、"))
    let more = lines.count > 20 ? "…" : ""
    return Issue(
      field: "", code: .unclear,
      message: Localized(
        "Some lines have characters in another encoding; check their texts: \(english)\(more)",
        "部分行含有其他编码的字符，请核对其文本：\(chinese)\(more)"))
  }

  /// - Parameter readings: the start of the text in each encoding, the chosen one first.
  static func unclearEncoding(_ readings: [(encoding: TextEncoding, text: String)]) -> Issue {
    let english = readings.map { "\($0.encoding.rawValue) “\($0.text)”" }.joined(separator: ", ")
    let chinese = readings.map { "\($0.encoding.rawValue)“\($0.text)”" }.joined(separator: "、")
    return Issue(
      field: "encoding", code: .unclear,
      message: Localized(
        "The encoding is not certain; the first of these was taken: \(english). If another is right, import with that "
          + "encoding.",
        "文本编码不能确定，已采用第一种：\(chinese)。若另一种正确，请指定该编码重新导入。"))
  }

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
