import VaultModel

/// The first row of a table, with the target of each column.
struct CSVHeader {
  /// The columns with their targets, in order. Repeated names get a number.
  private(set) var columns: [ColumnMapping] = []
  /// The program whose export has these columns; nil for any other table.
  private(set) var source: String?
  /// Whether folder paths begin with the root folder.
  var hasRootFolder: Bool { source == "KeePassXC" }
  /// Whether the cells escape quotation marks and backslashes with a backslash.
  var hasBackslashEscapes: Bool { source == "KeePass" }

  /// Reads the first row.
  /// - Throws: ``ImportError`` for a mapping that does not fit it.
  init(_ cells: [String], _ options: ImportOptions) throws(ImportError) {
    let names = Self.names(cells, options.language)
    let plain = Set(cells.map(Self.plain))
    source = Self.sources.first { plain.isSuperset(of: $0.columns) }?.name
    var given: [String: ColumnTarget] = [:]
    for (column, name) in options.mapping.sorted(by: { $0.key < $1.key }) {
      guard names.contains(column) else { throw .unknownColumn(column) }
      guard let target = ColumnTarget(name) else { throw .unknownTarget(column: column) }
      guard target.allowsSeveralColumns || !given.values.contains(target) else {
        throw .repeatedTarget(column: column)
      }
      given[column] = target
    }
    var taken = Set(given.values)
    for (name, cell) in zip(names, cells) {
      var target = given[name] ?? automatic(cell.isBlank ? name : cell.trimmed, plain)
      if given[name] == nil, !target.allowsSeveralColumns, !taken.insert(target).inserted {
        target = .extra(name, concealed: false)
      }
      columns.append(ColumnMapping(column: name, target: target))
    }
  }

  private static func names(_ cells: [String], _ language: Language) -> [String] {
    var names: [String] = []
    var taken: Set<String> = []
    for (index, cell) in cells.enumerated() {
      let base = cell.isBlank ? ImportMessages.column(index + 1)[language] : cell.trimmed
      var (name, number) = (base, 2)
      while !taken.insert(name).inserted {
        name = "\(base) \(number)"
        number += 1
      }
      names.append(name)
    }
    return names
  }

  /// Returns a column's name in lower case and without separators.
  private static func plain(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.filter {
        !" _-*:：（）()".unicodeScalars.contains($0) && $0 != "\u{3000}"
      })
  }

  private func automatic(_ name: String, _ all: Set<String>) -> ColumnTarget {
    if let target = ColumnTarget(name), source == "QuickVault" || isExtra(target) { return target }
    let plain = Self.plain(name)
    switch (source, plain) {
    case ("KeePass", "account"): return .title
    case ("KeePassXC", "group"): return .folder
    case ("KeePassXC", "icon"), ("Bitwarden", "type"), ("Bitwarden", "reprompt"),
      ("Bitwarden", "archiveddate"):
      return .ignored
    case ("Bitwarden", "fields"): return .fieldLines
    case ("1Password", "archived"), ("1Password", "archivedstatus"): return .archived
    case (_, "name") where !all.isDisjoint(with: Self.secrets): return .title
    default: return Self.targets[plain] ?? .extra(name, concealed: false)
    }
  }

  private func isExtra(_ target: ColumnTarget) -> Bool {
    if case .extra = target { return true }
    return false
  }

  private static let secrets: Set<String> = ["password", "loginpassword", "密码"]

  private static let sources: [(name: String, columns: Set<String>)] = [
    ("QuickVault", ["title", "type", "group", "tags", "extrafields"]),
    ("Bitwarden", ["name", "loginuri", "loginusername", "loginpassword"]),
    ("KeePassXC", ["group", "title", "username", "password", "url", "notes"]),
    // What KeePass 1 writes, and KeePass 2 as “KeePass CSV (1.x)”.
    ("KeePass", ["account", "loginname", "password", "website", "comments"]),
    ("1Password", ["title", "username", "password", "otpauth"]),
    ("1Password", ["title", "username", "password", "notesplain"]),
  ]

  /// Usual names of columns, in both languages.
  private static let targets: [String: ColumnTarget] = {
    var targets: [String: ColumnTarget] = [:]
    for template in CardTemplate.all {
      for field in template.fields {
        for name in [field.key, field.label.english, field.label.simplifiedChinese] {
          targets[plain(name)] = .field(field.key)
        }
      }
    }
    for (target, names) in synonyms {
      for name in names { targets[name] = target }
    }
    return targets
  }()

  private static let synonyms: [(ColumnTarget, [String])] = [
    (.title, ["title", "标题", "名称", "cardtitle"]), (.type, ["type", "类型"]),
    (.group, ["group", "分组"]), (.tags, ["tags", "tag", "labels", "标签"]),
    (.folder, ["folder", "grouping", "category", "文件夹", "分类"]),
    (.pinned, ["pinned", "favorite", "favourite", "favoritestatus", "置顶", "收藏"]),
    (.createdAt, ["createdat", "created", "creationdate", "timecreated", "创建时间"]),
    (.modifiedAt, ["modifiedat", "modified", "lastmodified", "timepasswordchanged", "修改时间"]),
    (
      .userName,
      ["username", "loginusername", "loginname", "login", "user", "account", "用户名", "账号", "帐号", "账户"]
    ),
    (.password, ["password", "loginpassword", "密码"]),
    (.website, ["url", "website", "loginuri", "loginurl", "urls", "网址", "网站"]),
    (.oneTimePassword, ["totp", "otpauth", "logintotp", "otp", "onetimepassword", "一次性密码"]),
    (.field("notes"), ["note", "notesplain", "comment", "comments", "remark", "remarks", "备注", "说明"]),
    (.field("name"), ["fullname", "contact", "recipient", "收件人", "收货人", "联系人"]),
    (.field("phone"), ["mobile", "mobilephone", "tel", "telephone", "手机", "手机号", "手机号码", "联系电话", "电话号码"]),
    (.field("province"), ["state", "省份", "省"]), (.field("city"), ["城市", "市"]),
    (.field("district"), ["county", "区县", "区", "县"]), (.field("address"), ["street", "详细地址", "地址", "街道"]),
    (.field("postalCode"), ["zip", "zipcode", "postcode", "邮编", "邮政编码"]),
    (.field("companyName"), ["company", "公司名称", "公司", "单位名称", "抬头", "发票抬头"]),
    (.field("taxId"), ["taxid", "taxnumber", "税号", "纳税人识别号", "统一社会信用代码"]),
    (.field("bankName"), ["bank", "开户行", "开户银行"]),
    (.field("bankAccount"), ["accountnumber", "银行账号", "银行帐号", "账号号码"]),
    (.field("text"), ["text", "content", "正文", "内容"]),
  ]
}
