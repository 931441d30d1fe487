import Wire

extension ErrorKind {
  /// Errors of cards and settings.
  static let cards: [ErrorKind] = [
    ErrorKind(
      "card.notFound", 1201, .notFound, "There is no such card.", "找不到该卡片。",
      data: ["id?": "string: Absent if the card was named by a title."]),
    ErrorKind(
      "card.invalid", 1202, .invalid, "The card was not saved{issues}", "卡片未保存{issues}",
      data: ["issues": "[Issue] 1…"]),
    ErrorKind(
      "card.conflict", 1203, .conflict, "Another program has changed the card.", "卡片已被其他程序修改。",
      data: ["card": "Card", "text": "string 1…: The card as `form/open` writes it."]),
    ErrorKind(
      "card.fieldNotFound", 1204, .notFound, "The card has no field \"{field…}\", or it is empty.",
      "卡片没有字段“{field…}”，或该字段为空。", data: ["field": "string"]),
    ErrorKind(
      "copy.templateInvalid", 1205, .invalid, "{problem}", "{problem}",
      data: [
        "placeholder": "string",
        "position": "integer 0…: Where the placeholder begins, in code points of the template.",
      ]),
    ErrorKind("copy.noTemplate", 1206, .invalid, "No copy template is set for this type.", "该类型尚未设置复制模板。"),
    ErrorKind("query.invalid", 1207, .invalid, "{problem}", "{problem}"),
    ErrorKind("list.invalidCursor", 1208, .invalid, "The cursor is invalid.", "游标无效。"),
    ErrorKind(
      "copy.tooLong", 1209, .invalid, "The copied text would be longer than {size} MiB.",
      "复制的文本超过 {size} MiB。", data: ["limit": "\(Limits.copiedBytes): In bytes of UTF-8."]),
    ErrorKind(
      "card.ambiguous", 1210, .ambiguous, "This name fits {total} cards.", "有 {total} 张卡片符合这个名称。",
      data: [
        "cards": "[CardSummary] 1…20: The first of the cards, in the order of `card/list`.",
        "total": "integer 2…: The number of the cards.",
      ]),
    ErrorKind(
      "card.versionNotFound", 1214, .notFound, "The card has no such earlier version.", "该卡片没有这个历史版本。"),
    ErrorKind(
      "code.none", 1211, .notFound, "The card has no key for one-time codes there.", "该卡片没有一次性密码的密钥。"),
    ErrorKind(
      "code.unreadable", 1212, .invalid,
      "The key for one-time codes cannot be read: it must be an otpauth:// URI or text in base32.",
      "无法读取一次性密码的密钥：应为 otpauth:// 链接或 base32 文本。"),
    ErrorKind(
      "code.counter", 1213, .invalid,
      "The code of a counter is taken with “qv code”, which stores that it was taken.",
      "按计数生成的密码须用 qv code 获取，以便记录已使用。"),
    ErrorKind(
      "settings.invalid", 1301, .invalid, "The settings were not saved{issues}", "设置未保存{issues}",
      data: ["issues": "[Issue] 1…"]),
  ]

  /// Errors of attachments and pictures.
  static let attachments: [ErrorKind] = [
    ErrorKind(
      "attachment.notFound", 1501, .notFound, "There is no such attachment.", "找不到该附件。",
      data: ["id": "AttachmentId"]),
    ErrorKind(
      "attachment.tooLarge", 1502, .invalid, "An attachment can have at most {size} MiB.",
      "附件不能超过 {size} MiB。", data: ["limit": "\(Limits.attachmentBytes): In bytes."]),
    ErrorKind(
      "attachment.tooMany", 1503, .invalid, "A card can have at most {limit} attachments.",
      "一张卡片最多可有 {limit} 个附件。", data: ["limit": "\(Limits.attachments)"]),
    ErrorKind(
      "attachment.nameInvalid", 1504, .invalid, data: ["reason": ""],
      reasons: [
        "empty": ("The attachment needs a name.", "附件名称不能为空。"),
        "tooLong": ("The name is longer than {limit} characters.", "附件名称超过 {limit} 个字符。"),
        "invalidCharacter": (
          "The name contains a character that is not allowed in file names.", "附件名称含有文件名不允许使用的字符。"
        ),
      ]),
    ErrorKind(
      "attachment.watermarkInvalid", 1505, .invalid, data: ["reason": ""],
      reasons: [
        "empty": ("The watermark needs text.", "水印文字不能为空。"),
        "tooLong": (
          "The watermark has more than {limit} characters or {lines} lines.", "水印文字超过 {limit} 个字符或 {lines} 行。"
        ), "invalidCharacter": ("The watermark contains control characters.", "水印文字含有控制字符。"),
        "outOfRange": ("A setting of the watermark is out of range.", "水印的参数超出范围。"),
      ]),
    ErrorKind(
      "imaging.missingWorker", 1510,
      "The program {program}, which reads pictures, is not installed; install it with \"make install\" of QuickVault.",
      "未安装读取图片的程序 {program}；请在随取的源码目录中运行 make install。", data: ["program": "quickvault-imaging"]),
    ErrorKind(
      "imaging.crashed", 1511, "The program that reads pictures crashed on this picture.", "读取图片的程序在处理该图片时崩溃。"
    ),
    ErrorKind("imaging.timedOut", 1512, "Reading the picture took too long.", "读取图片超时。"),
    ErrorKind(
      "imaging.notAnImage", 1513, "This is neither a JPEG, PNG or HEIC picture nor a PDF.",
      "该文件不是 JPEG、PNG、HEIC 图片，也不是 PDF。"),
    ErrorKind(
      "imaging.unsupportedType", 1514, "{detected} is not supported. Use JPEG, PNG, HEIC or PDF.",
      "不支持 {detected} 类型，仅支持 JPEG、PNG、HEIC 和 PDF。", data: ["detected": "string"]),
    ErrorKind("imaging.truncated", 1515, "The file is incomplete: it ends too early.", "文件不完整，内容提前结束。"),
    ErrorKind("imaging.damaged", 1516, "The file is damaged.", "文件已损坏。"),
    ErrorKind(
      "imaging.tooManyPixels", 1517, "The picture has more than {millions} million pixels.",
      "图片超过 {millions}00 万像素。", data: ["maximum": "50000000"]),
    ErrorKind(
      "imaging.encryptedDocument", 1518, "The PDF requires a password; save it without one first.",
      "该 PDF 需要密码；请先另存为无密码的文件。"),
    ErrorKind(
      "imaging.missingFont", 1519,
      data: [
        "characters": "string: Empty where a PDF needs the package to show its text.",
        "package": "string 1…: The Debian package with a font for these characters, or poppler-data.",
      ],
      reasons: [
        "document": (
          "The fonts of the PDF are not in it, so its text would be missing; install the package {package}.",
          "该 PDF 未嵌入字体，其文字将无法显示；请安装软件包 {package}。"
        ),
        "": (
          "No installed font contains \"{characters…}\"; install the package {package}.",
          "已安装的字体中没有字符“{characters…}”；请安装软件包 {package}。"
        ),
      ]),
    ErrorKind(
      "imaging.watermarkUnsupported", 1520,
      "A PDF cannot have a watermark: make a picture of it and attach that.", "无法给 PDF 添加水印：请先转为图片再添加。"),
    ErrorKind("imaging.stripUnsupported", 1521, "The metadata of a PDF cannot be removed.", "无法移除 PDF 的元数据。"),
    ErrorKind("imaging.outOfMemory", 1522, "There is not enough memory for this picture.", "内存不足，无法处理该图片。"),
    ErrorKind(
      "imaging.sandboxUnavailable", 1523,
      "The system cannot confine the program that reads pictures, so the picture was not read.",
      "系统不支持隔离读取图片的程序，因此未读取该图片。"),
    ErrorKind("imaging.failed", 1524, "The generated picture is invalid.", "生成的图片不符合要求。"),
  ]
}
