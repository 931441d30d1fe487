import Foundation
import TestSamples
import Testing

@testable import VaultInterface

/// A block of `pasted/blocks.txt`.
private struct Block {
  var kind: String
  var text = ""
  var type = ""
  var fields: [String: String] = [:]

  static func all() throws -> [Block] {
    let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "pasted/blocks.txt")
    var (blocks, lines, isText): ([Block], [Substring], Bool) = ([], [], false)
    for line in try String(contentsOf: place, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("== ") {
        blocks.append(Block(kind: String(line.dropFirst(3))))
        (lines, isText) = ([], true)
      } else if var block = blocks.popLast() {
        if isText, line.hasPrefix("=> ") {
          (block.type, block.text, isText) = (String(line.dropFirst(3)), lines.joined(separator: "\n"), false)
          if block.type == "text" { block.fields["text"] = block.text }
        } else if isText {
          lines.append(line)
        } else if let colon = line.firstRange(of: ": ") {
          block.add(String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
        blocks.append(block)
      }
    }
    return blocks
  }

  private mutating func add(_ key: String, _ value: String) {
    if key == "region" {
      for (key, name) in zip(Block.divisions, value.split(separator: " ")) { fields[key] = String(name) }
    } else {
      fields[key] = fields[key].map { $0 + "\n" + value } ?? value
    }
  }

  static let divisions = ["province", "city", "district"]
}

@Suite("What people paste") struct PastedTextTests {
  @Test("P: the blocks of the set become the cards that a person would make of them")
  func set() throws {
    let blocks = try Block.all()
    var (right, types, divisions, addresses) = (0, 0, 0, 0)
    for (index, block) in blocks.enumerated() {
      let draft = CardDraft(pasted: block.text)
      let isRight = draft.type.rawValue == block.type && draft.fields == block.fields
      right += isRight ? 1 : 0
      types += draft.type.rawValue == block.type ? 1 : 0
      if block.type == "address" {
        addresses += 1
        divisions += Block.divisions.allSatisfy { draft.fields[$0] == block.fields[$0] } ? 1 : 0
      }
      // The third that is held out is not to be looked at.
      if !isRight, index % 3 != 2 { Issue.record("\(block.kind): \(block.text)\n\(draft.fields)") }
    }
    #expect((blocks.count, addresses) == (312, 223))
    #expect(right >= 310)
    #expect(types >= 312)
    #expect(divisions >= 222)
  }

  @Test("P: nothing of the set is lost")
  func nothingLost() throws {
    for block in try Block.all() { expectKept(block.text) }
  }

  @Test("P: nothing is lost of any other text, whatever is put together")
  func random() {
    var random = SeededGenerator(seed: 55)
    let words = [
      "收件人", "电话", "地址", "税号", "开户行及账号", "名称", "备注", "微信", "：", ":", "，", ",", " ", "\n", "、", "（", "）", "【",
      "】", "/",
      "广东省", "深圳", "南山区", "北京市", "四川北路", "新疆", "石河子市", "12号", "13800138000", "0755-86541234", "转802", "+86 ",
      "518000",
      "91440300MA5FA6HQ2F", "6222 0200 1234", "鑫淼", "焱垚", "犇骉", "Qzx", "7", "99", "收", "先生", "有限公司", "银行",
      "或", "𠮷", "é", "👍", "\u{202D}",
      "1、", "\t", "张三", "王小明", "请放门口",
    ]
    for _ in 0..<3_000 {
      let count = Int.random(in: 1...24, using: &random)
      expectKept((0..<count).compactMap { _ in words.randomElement(using: &random) }.joined())
    }
    let characters = words.joined().unicodeScalars.map { $0 }
    for _ in 0..<1_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...80, using: &random) {
        text.append(characters.randomElement(using: &random) ?? " ")
      }
      expectKept(String(text))
    }
  }

  @Test("P: a long text is a text card, and hostile ones end soon")
  func hostile() {
    for part in [
      "1", " ", "电话：", "(", "【收件人】", "广东省", "13800138000,", "a:", "\n", "0755-", "收", "号张三", "税号 ", "北京",
    ] {
      let block = String(repeating: part, count: 2_000 / part.unicodeScalars.count)
      for _ in 0..<3 { expectKept(block) }
      let long = String(repeating: part, count: (1 << 20) / part.utf8.count)
      let draft = CardDraft(pasted: long)
      #expect(draft.type == .text && draft.fields["text"] == (long.isBlank ? nil : long))
    }
  }

  /// Checks that all that is neither a label, a separator nor the name of a division is in a field.
  private func expectKept(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let draft = CardDraft(pasted: text)
    guard draft.type != .text else {
      #expect(draft.fields["text"] == (text.isBlank ? nil : text), sourceLocation: sourceLocation)
      return
    }
    var kept: [Unicode.Scalar: Int] = [:]
    for scalar in PastedText(draft.fields.values.joined()).folded { kept[scalar, default: 0] += 1 }
    let lost = PastedText(text.lines.map(withoutNumber).joined()).folded.filter { scalar in
      guard !Self.dropped.contains(scalar), !isSeparator(scalar) else { return false }
      kept[scalar, default: 0] -= 1
      return kept[scalar, default: 0] < 0
    }
    #expect(lost.isEmpty, "\(text)\n\(draft.fields)", sourceLocation: sourceLocation)
  }

  /// A line without the number in front of its label: `1、`.
  private func withoutNumber(_ line: String) -> String {
    let rest = line.unicodeScalars.drop { isSeparator($0) }
    let digits = rest.prefix { $0.properties.numericType == .decimal }
    guard (1...2).contains(digits.count), let mark = rest.dropFirst(digits.count).first,
      "、.．)）".unicodeScalars.contains(mark)
    else { return line }
    return String(rest.dropFirst(digits.count))
  }

  private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || [
        .dashPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation, .initialPunctuation,
        .finalPunctuation,
        .connectorPunctuation,
      ].contains(category) || "|=~＝｜～".unicodeScalars.contains(scalar)
  }

  /// The characters of labels and divisions, and of words that join two phones.
  private static let dropped: Set<Unicode.Scalar> = {
    var dropped = Set("中国市辖省直县级行政区划自治或和及是为收启亲".unicodeScalars)
    for word in PastedLabel.words.keys { dropped.formUnion(word.unicodeScalars) }
    for province in Divisions.all.provinces {
      let cities = province.cities.flatMap { $0.names + $0.districts.flatMap(\.names) }
      for name in province.names + cities { dropped.formUnion(name.scalars) }
    }
    return dropped
  }()
}
