import CFuzz
import FuzzSupport
import TestSamples
import Wire

/// Changes a conversation as one that knows what it is made of: lines come, go and change places, and parameters get other
/// values, names and company.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  var random = SeededGenerator(seed: UInt64(seed))
  if random.number(0..<8) == 0 { return LLVMFuzzerMutate(data, count, most) }
  var lines = UnsafeBufferPointer(start: data, count: count).split(separator: 0x0A).map(Array.init)
  for _ in 0...random.number(0..<3) { Mutation.change(&lines, &random) }
  let bytes = Array(lines.joined(separator: [0x0A]).prefix(most))
  bytes.withUnsafeBufferPointer {
    if let start = $0.baseAddress { data.update(from: start, count: $0.count) }
  }
  return bytes.count
}

private enum Mutation {
  static func change(_ lines: inout [[UInt8]], _ random: inout SeededGenerator) {
    let step = random.number(0..<10)
    guard !lines.isEmpty, step > 1 else {
      let example = random.one(of: examples) ?? []
      return lines.insert(example, at: random.number(0..<(lines.count + 1)))
    }
    let index = random.number(0..<lines.count)
    switch step {
    case 2 where lines.count > 1: lines.remove(at: index)
    case 3: lines.swapAt(index, random.number(0..<lines.count))
    case 4: lines.insert(lines[index], at: random.number(0..<lines.count))
    case 5 where lines.count > 1:
      lines[index] =
        Array("[".utf8) + lines[index] + Array(",".utf8) + (random.one(of: lines) ?? []) + Array("]".utf8)
    default:
      guard let value = try? JSONReader.read(lines[index]) else { return }
      lines[index] = changed(value, depth: 0, &random).utf8
    }
  }

  private static func changed(_ value: JSON, depth: Int, _ random: inout SeededGenerator) -> JSON {
    switch value {
    case .object(var members) where !members.isEmpty:
      let index = random.number(0..<members.count)
      switch random.number(0..<(depth == 0 ? 20 : 8)) {
      case 0: members.remove(at: index)
      case 1: members.append(JSON.Member(random.one(of: names) ?? "", one(&random)))
      case 2: members.append(members[index])
      case 3: members[index].name = random.one(of: names) ?? ""
      default:
        let target = depth == 0 ? members.firstIndex { $0.name == "params" } ?? index : index
        members[target].value = changed(members[target].value, depth: depth + 1, &random)
      }
      return .object(members)
    case .array(var parts) where !parts.isEmpty:
      let index = random.number(0..<parts.count)
      switch random.number(0..<4) {
      case 0: parts.remove(at: index)
      case 1: parts.append(one(&random))
      case 2: parts += parts.prefix(64)
      default: parts[index] = changed(parts[index], depth: depth + 1, &random)
      }
      return .array(parts)
    case .string(let text) where random.number(0..<2) == 0:
      let piece = random.one(of: texts) ?? ""
      switch random.number(0..<3) {
      case 0: return .string(text + piece)
      case 1: return .string(String(text.prefix(random.number(0..<(text.count + 1)))) + piece)
      default: return .string(String(repeating: text, count: random.number(1..<20)))
      }
    default: return one(&random)
    }
  }

  private static func one(_ random: inout SeededGenerator) -> JSON {
    if random.number(0..<2) == 0 { return .string(random.one(of: texts) ?? "") }
    return random.one(of: values) ?? .null
  }

  private static let values: [JSON] = [
    .null, true, false, 0, 1, -1, 15, 50, 1000, 86400, 100_000, .integer(.max), .integer(.min), [], [:], [[]],
    ["a"],
    ["a": 1], ["label": "PIN", "value": "1", "concealed": true],
  ]
  private static let texts = [
    "", " ", "<id:a>", "<id:b>", "<id:c>", VaultStage.password, "another password", "text", "address",
    "invoice",
    "personal",
    "company", "税务", "tag:税务", "type:text", "\"", "{text}", "{", "}", "labelled", "template", "json",
    "vault.quickvault", "cards.csv", "other", "file", "csv", "markdown",
    "\0", "\u{FEFF}", "é\u{301}", "👩‍👩‍👧", "91440300MA5FA6HQ2E", "13800138000", "en", "zh-Hans", "argon2id",
    "pbkdf2-hmac-sha256", "00000000-0000-4000-8000-000000000000", String(repeating: "长", count: 1001),
    "\u{202E}a",
  ]
  private static let names =
    [
      "id", "method", "params", "jsonrpc", "text", "algorithm", "iterations", "memoryKiB", "opacity", "angle",
      "unknown", "",
    ]
    + Document.methods.flatMap { method -> [String] in
      guard case .array(let parameters) = method["params"] else { return [] }
      return parameters.compactMap { $0["name"]?.string }
    }

  /// A request of every method that the protocol's document gives an example of.
  private static let examples: [[UInt8]] = {
    Document.methods.flatMap { method -> [[UInt8]] in
      guard let name = method["name"]?.string, case .array(let examples) = method["examples"] else {
        return []
      }
      return examples.map { example in
        guard case .array(let parameters) = example["params"] else { return [] }
        let members = parameters.compactMap { parameter -> JSON.Member? in
          guard let name = parameter["name"]?.string, let value = parameter["value"] else { return nil }
          return JSON.Member(name, filled(name, of: method["name"]) ?? value)
        }
        return Exchange.request(1, name, .object(members)).utf8
      }
    }.filter { !$0.isEmpty }
  }()

  /// What leads to a card, opens the vault, or names one of the files beside it.
  private static func filled(_ parameter: String, of method: JSON?) -> JSON? {
    switch (parameter, method?.string) {
    case ("id", _), ("cardId", _): "<id:a>"
    case ("password", _), ("oldPassword", _), ("newPassword", _): .string(VaultStage.password)
    case ("confirm", _): "vault.quickvault"
    case ("path", "vault/import"): "cards.csv"
    case ("path", "vault/merge"): "other"
    default: nil
    }
  }
}
