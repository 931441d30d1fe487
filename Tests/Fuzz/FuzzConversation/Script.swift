import FuzzSupport
import JSONRPC

/// The messages of one input.
enum Script {
  /// One message.
  struct Message {
    var bytes: [UInt8]
    var demandsAnswer: Bool
    /// The id that its answer must carry; nil where that is not known beforehand.
    var id: JSON?
    var method: String?
    var parameters: JSON?
  }

  private static let most = 24

  /// Reads the lines; requests get ids of their own, and paths lead into the run's own directory.
  static func messages(_ input: UnsafeBufferPointer<UInt8>, in stage: VaultStage) -> [Message] {
    input.split(separator: 0x0A).prefix(most).enumerated().compactMap { number, line in
      let bytes = Array(line)
      guard bytes.contains(where: { $0 > 0x20 }) else { return nil }
      guard let value = try? JSONReader.read(bytes) else {
        return Message(bytes: bytes, demandsAnswer: true)
      }
      return message(fill(value, in: stage), number + 1)
    }
  }

  private static func message(_ value: JSON, _ number: Int) -> Message? {
    guard case .object(var members) = value else {
      return Message(bytes: value.utf8, demandsAnswer: demandsAnswer(value))
    }
    // The end of the conversation would leave what follows without an answer.
    if value["method"] == "exit" { return nil }
    if let index = members.firstIndex(where: { $0.name == "id" }), case .number = members[index].value {
      members[index].value = .integer(number)
    }
    let value = JSON.object(members)
    let names = Set(members.map(\.name))
    let isPlain = names.count == members.count && value["jsonrpc"] == "2.0" && isIdentifier(value["id"])
    return Message(
      bytes: value.utf8, demandsAnswer: demandsAnswer(value), id: isPlain ? value["id"] : nil,
      method: isPlain ? value["method"]?.string : nil, parameters: value["params"])
  }

  private static func isIdentifier(_ value: JSON?) -> Bool {
    switch value {
    case .number, .string, .null: true
    default: false
    }
  }

  /// By JSON-RPC 2.0, sections 4 to 6; what is no message at all is answered too.
  private static func demandsAnswer(_ value: JSON) -> Bool {
    switch value {
    case .object:
      if value["method"]?.string != nil { return value["id"] != nil || value["jsonrpc"] != "2.0" }
      return value["result"] == nil && value["error"] == nil
    case .array(let parts): return parts.isEmpty || parts.contains(where: demandsAnswer)
    default: return true
    }
  }

  /// Puts ids of cards in for placeholders, keeps paths within the run's own directory, and names no process: a conversation
  /// ends when the client's is gone.
  private static func fill(_ value: JSON, in stage: VaultStage) -> JSON {
    switch value {
    case .string(let text) where text.hasPrefix("<id:"):
      let cards = stage.beginnings[0].cards
      return .string(cards[text.utf8.reduce(0) { $0 + Int($1) } % cards.count].id)
    case .array(let parts): return .array(parts.map { fill($0, in: stage) })
    case .object(let members):
      return .object(
        members.map { member in
          if member.name == "processId" { return JSON.Member(member.name, .null) }
          guard member.name.lowercased().hasSuffix("path"), let text = member.value.string else {
            return JSON.Member(member.name, fill(member.value, in: stage))
          }
          let name = text.split(separator: "/").last { $0 != ".." && $0 != "." } ?? ""
          return JSON.Member(member.name, .string(stage.vault + "-" + name.filter { $0 != "\0" }.prefix(40)))
        })
    default: return value
    }
  }
}
