import CResources
import Glibc
public import VaultInterface
import VaultStore

/// A vault with sample cards in a private directory, which is deleted when the program ends.
///
/// The directory's name holds the number of the process, which stays over every lock; what a process that was killed left
/// behind is removed when the next demo begins.
public struct DemoVault: Sendable, Hashable {
  /// The password of a demo vault for which nobody chose one: known to all.
  public static let knownPassword = "demo demo"
  private static let prefix = "quickvault-demo-"
  private static let fileName = "demo.quickvault"

  /// The path of the vault file.
  public let path: String
  /// The well-known password; nil if the user chose another one.
  public let password: String?

  /// The demo vault at a path that another process created; nil if its directory was deleted.
  public init?(at path: String, hasKnownPassword: Bool) {
    self.init(path: path, hasKnownPassword: hasKnownPassword)
    var status = stat()
    guard unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
  }

  private init(path: String, hasKnownPassword: Bool) {
    self.path = path
    password = hasKnownPassword ? Self.knownPassword : nil
  }

  /// A new private directory for a demo vault, in the first place of several that has room for it.
  ///
  /// - Throws: ``VaultError/unavailable(_:)`` where none has.
  public static func makeDemoDirectory(in parents: [String], hasKnownPassword: Bool) throws(VaultError)
    -> DemoVault
  {
    for parent in parents {
      removeLeftovers(parent)
      var template = "\(parent)/\(prefix)\(getpid())-XXXXXX".utf8CString.map { $0 }
      guard unsafe mkdtemp(&template) != nil else { continue }
      let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      return DemoVault(path: "\(directory)/\(fileName)", hasKnownPassword: hasKnownPassword)
    }
    throw .unavailable(.permissionDenied)
  }

  private var directory: String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Removes the vault and its directory.
  public func remove() {
    Self.removeDirectory(directory)
  }

  /// Removes what demos of processes that are no more left in a directory.
  private static func removeLeftovers(_ parent: String) {
    for name in (try? Directory.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let process = Int32(number), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      removeDirectory("\(parent)/\(name)")
    }
  }

  /// Removes a directory of the user's own with the files in it, and never follows a link.
  private static func removeDirectory(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid()
    else { return }
    for name in (try? Directory.names(in: path)) ?? [] where name != "." && name != ".." {
      unsafe unlink("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }
}

extension VaultSession {
  /// Makes a demo vault with its sample cards and a sample attachment, and unlocks it.
  ///
  /// - Parameters:
  ///   - password: nil for the one known to all.
  ///   - keyDerivation: nil for the fastest that the format allows: there is nothing to guard.
  ///   - watermarksAttachment: whether the attachment has a watermark.
  /// - Throws: as ``create(password:keyDerivation:)``.
  public func createDemo(
    password: String?, keyDerivation: KeyDerivationRequest?, watermarksAttachment: Bool
  ) async throws {
    try await create(
      password: password ?? DemoVault.knownPassword,
      keyDerivation: keyDerivation ?? .pbkdf2(iterations: 100_000))
    for draft in DemoCards.all {
      let card = try createCard(draft).card
      guard draft == DemoCards.invoice else { continue }
      _ = try addAttachment(DemoLicence.draft(isWatermarked: watermarksAttachment), to: card.id)
    }
  }
}

/// The sample cards of a demo vault, in both languages and of every type. All data is fictitious.
enum DemoCards {
  /// The cards in reverse list order.
  static let all = [reply, hours, network, office, invoice, parents, home]

  private static let home = CardDraft(
    title: "家 · Home", group: .personal, type: .address,
    fields: [
      "name": "林晓 Lin Xiao", "phone": "138 0013 8000", "province": "浙江省", "city": "杭州市", "district": "西湖区",
      "address": "桂花路 18 号 3 幢 502 室", "postalCode": "310012", "notes": "Leave parcels at the gate. 快递放门卫。",
    ],
    tags: ["家 home", "快递"], pinned: true)

  private static let parents = CardDraft(
    title: "爸妈 · My parents", group: .personal, type: .address,
    fields: [
      "name": "林国强", "phone": "023-6300 1234", "province": "重庆市", "city": "重庆市", "district": "渝中区",
      "address": "长江路 7 号 1201 室",
    ],
    tags: ["家 home"])

  /// The card with the attachment.
  static let invoice = CardDraft(
    title: "公司发票 · Invoice details", group: .company, type: .invoice,
    fields: [
      "companyName": "杭州样本科技有限公司", "taxId": "91330106MA0DEM000Q", "address": "杭州市西湖区样本路 1 号",
      "phone": "0571-8800 0000", "bankName": "招商银行杭州分行", "bankAccount": "5719 0000 0000 0001",
      "notes": "Hangzhou Sample Technology Co., Ltd.",
    ],
    tags: ["税务 tax", "bank"], pinned: true)

  private static let office = CardDraft(
    title: "公司收件 · Office deliveries", group: .company, type: .address,
    fields: [
      "name": "前台 Reception", "phone": "0571-8800 0000", "province": "浙江省", "city": "杭州市", "district": "西湖区",
      "address": "样本路 1 号 12 楼", "postalCode": "310012",
    ],
    tags: ["快递"])

  private static let network = CardDraft(
    title: "访客无线网 · Guest network", group: .company, type: .text,
    fields: ["text": "Network: Sample-Guest\n密码每周一更换。The password changes on Mondays."],
    extraFields: [
      ExtraField(label: "密码 Password", value: "sunny-坚果-42", concealed: true),
      ExtraField(label: "楼层 Floor", value: "12"),
    ],
    tags: ["办公室 office"])

  private static let hours = CardDraft(
    title: "营业时间 · Opening hours", group: .company, type: .text,
    fields: ["text": "周一至周五 9:00–18:00\nMonday to Friday, 9 a.m. to 6 p.m."], tags: ["办公室 office"])

  private static let reply = CardDraft(
    title: "稍后回复 · Will reply later", group: .personal, type: .text,
    fields: ["text": "谢谢，我收到了，今天内回复您。\nThank you, I have it and will answer today."])
}

/// The attachment of the demo vault: a fictitious business licence.
enum DemoLicence {
  /// The watermark that states the purpose (R6).
  private static let watermark = Watermark(text: "仅供演示使用 For the demo only")

  /// The picture, to be attached. Nobody needs to look at it first: it is the program's own.
  ///
  /// - Parameter isWatermarked: whether it has a watermark, without which it can be shown where nothing can draw one.
  /// - Throws: ``VaultError/unavailable(_:)``.
  static func draft(isWatermarked: Bool) throws -> AttachmentDraft {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: quickvault_licence(), count: quickvault_licence_count())
    guard let content = PrivateBytes(capacity: bytes.count) else {
      throw VaultError.unavailable(.outOfMemory)
    }
    unsafe content.append(bytes.bytes)
    return AttachmentDraft(
      name: "营业执照 · Business licence.png", mediaType: .png, width: 600, height: 400,
      watermark: isWatermarked ? watermark : nil, content: content)
  }
}
