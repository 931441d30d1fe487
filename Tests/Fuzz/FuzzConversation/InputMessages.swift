import FuzzSupport
import Wire

/// The messages of one input.
enum InputMessages {
  /// One message.
  struct Message {
    var bytes: [UInt8]
    var demandsAnswer: Bool
    /// The id that its answer must carry; nil if that is not known beforehand.
    var id: JSON?
    var method: String?
    var parameters: JSON?
  }

  private static let limit = 24

  /// Reads the lines; requests get ids of their own, and paths lead into the run's own directory.
  static func messages(_ input: UnsafeBufferPointer<UInt8>, in stage: VaultStage) -> [Message] {
    input.split(separator: 0x0A).prefix(limit).enumerated().compactMap { number, line in
      let bytes = Array(line)
      guard bytes.contains(where: { $0 > 0x20 }) else { return nil }
      guard let value = try? JSONReader.read(bytes) else {
        return Message(bytes: bytes, demandsAnswer: true)
      }
      return message(fill(value, in: stage), number + 1)
    }
  }

  private static func message(_ value: JSON, _ number: Int) -> Message? {
    // The end of the conversation would leave what follows without an answer.
    if ends(value) { return nil }
    guard case .object(var members) = value else {
      return Message(bytes: value.utf8, demandsAnswer: demandsAnswer(value))
    }
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

  private static func ends(_ value: JSON) -> Bool {
    if case .array(let parts) = value { return parts.contains { $0["method"] == "exit" } }
    return value["method"] == "exit"
  }

  /// By JSON-RPC 2.0, sections 4 to 6: what is neither a notification nor an answer, in its right form, is answered.
  private static func demandsAnswer(_ value: JSON) -> Bool {
    switch value {
    case .object(let members):
      guard Set(members.map(\.name)).count == members.count, value["jsonrpc"] == "2.0" else { return true }
      guard let method = value["method"] else { return !isAnswer(value) }
      switch value["params"] {
      case nil, .null, .object, .array: return value["id"] != nil || method.string == nil
      default: return true
      }
    case .array(let parts): return parts.isEmpty || parts.contains { isArray($0) || demandsAnswer($0) }
    default: return true
    }
  }

  /// A batch within a batch is not a request.
  private static func isArray(_ value: JSON) -> Bool {
    if case .array = value { true } else { false }
  }

  private static func isAnswer(_ value: JSON) -> Bool {
    guard value["id"] == nil || isIdentifier(value["id"]) else { return false }
    return value["result"] != nil ? value["error"] == nil : value["error"]?["code"]?.integer != nil
  }

  /// Puts ids of cards and attachments in for placeholders, keeps paths within the run's own directory, and names no process:
  /// a conversation ends when the client's is gone.
  private static func fill(_ value: JSON, in stage: VaultStage, isOfAttachment: Bool = false) -> JSON {
    switch value {
    case .string(let text) where text.hasPrefix("<id:"):
      let ids = isOfAttachment ? stage.richest.attachments.map(\.id) : stage.richest.cards.map(\.id)
      return .string(ids[text.utf8.reduce(0) { $0 + Int($1) } % ids.count])
    case .array(let parts):
      return .array(parts.map { fill($0, in: stage, isOfAttachment: isOfAttachment) })
    case .object(let members):
      let isOfAttachment = isOfAttachment || value["method"]?.string?.hasPrefix("attachment/") == true
      return .object(
        members.map { member in
          if member.name == "processId" { return JSON.Member(member.name, .null) }
          let isPath = member.name.lowercased().hasSuffix("path") || member.name == "backup"
          guard isPath, let text = member.value.string else {
            return JSON.Member(
              member.name,
              fill(member.value, in: stage, isOfAttachment: isOfAttachment && member.name != "cardId"))
          }
          let name = text.split(separator: "/").last { $0 != ".." && $0 != "." } ?? ""
          return JSON.Member(member.name, .string(stage.vault + "-" + name.filter { $0 != "\0" }.prefix(40)))
        })
    default: return value
    }
  }
}
