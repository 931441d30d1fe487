import VaultInterface

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
