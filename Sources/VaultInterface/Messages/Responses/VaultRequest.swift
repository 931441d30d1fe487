package import Wire

/// A request to the vault, which a client writes and the server reads, and its answer the other way round.
package protocol VaultRequest: RequestType, JSONObject where Response: JSONCodable {}

/// A request without parameters.
package protocol ParameterlessRequest: VaultRequest {
  init()
}

extension ParameterlessRequest {
  package static var coder: ObjectCoder<Self> { ObjectCoder(Self.init) }
}

/// A notification from the server.
package protocol VaultNotification: OutgoingNotification, ResultObject {}

/// The page of a long list.
package struct PageParameters: JSONObject, Hashable {
  /// The allowed values of `limit`.
  package static let limits = 1...1_000

  /// The maximum number of items.
  package var limit: Int
  /// The `nextCursor` of the page before; nil for the first page.
  package var cursor: String?

  package init(limit: Int, cursor: String? = nil) { (self.limit, self.cursor) = (limit, cursor) }

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: limits, default: 50), .optional("cursor", \.cursor))
}

extension Page: JSONConvertible, ParameterValue, JSONObject, ResultObject where Item: JSONCodable {
  package static var coder: ObjectCoder<Self> {
    ObjectCoder(
      Self.init, .required("items", \.items), .required("total", \.total),
      .optional("nextCursor", \.nextCursor))
  }
}

/// Identifies a task in progress notifications: a string or an integer. A request without one gets none.
package struct ProgressToken: JSONCodable, Hashable {
  package let json: JSON

  private init(json: JSON) { self.json = json }

  package init(_ name: String) { json = .string(name) }

  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> ProgressToken {
    guard value.string != nil || value.integer != nil else { throw ParameterError(path, .token) }
    return ProgressToken(json: value)
  }
}

/// A list in an answer: an object with the one member `items`.
package struct ItemsResponse<Item: JSONCodable>: ResultObject {
  package var items: [Item]

  package init(items: [Item]) { self.items = items }

  package static var coder: ObjectCoder<Self> {
    ObjectCoder(Self.init, .required("items", \.items))
  }
}

extension MemberCoder where Value == String {
  /// Refuses a text of more than a number of code points.
  func limited(_ name: String, to limit: Int) -> Self {
    checked(name, .atMost(limit)) { text in !text.isLonger(than: limit) }
  }
}

extension MemberCoder where Value == String? {
  /// Refuses a text of more than a number of code points.
  func limited(_ name: String, to limit: Int) -> Self {
    checked(name, .atMost(limit)) { text in !(text?.isLonger(than: limit) ?? false) }
  }
}

extension MemberCoder {
  /// Refuses a list of more than a number of elements.
  func limited<Element>(_ name: String, to limit: Int) -> Self where Value == [Element] {
    checked(name, .atMost(limit)) { elements in elements.count <= limit }
  }
}

/// The source of content, by the parameter `path` or `data`.
package enum ContentSource: JSONObject, Hashable {
  case path(String)
  /// The content in Base64.
  case data(String)

  /// Takes exactly one of the two parameters.
  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let path: String? = try parameters.optional("path")
      let data: String? = try parameters.optional("data")
      switch (path, data) {
      case (let path?, nil): return .path(path)
      case (nil, let data?): return .data(data)
      case (nil, nil): throw ParameterError("path", .presence)
      case (_?, _?): throw ParameterError("data", .absenceWith("path"))
      }
    },
    write: { source, members in
      switch source {
      case .path(let path): members.append(.init("path", .string(path)))
      case .data(let data): members.append(.init("data", .string(data)))
      }
    })
}

/// The members `message`, in the session's language, and `messages`, in both.
package struct LocalizedMessage: ResultObject, Hashable {
  package var text: String
  package var messages: Localized

  package static let coder = ObjectCoder(
    Self.init, .required("message", \.text), .required("messages", \.messages))
}

extension LocalizedMessage {
  package init(_ messages: Localized, in language: Language) {
    self.init(text: messages[language], messages: messages)
  }
}

/// A problem with a value, in the session's language.
package struct IssueJSON: ResultObject, Hashable {
  package var field: String
  package var code: Issue.Code
  package var message: LocalizedMessage
  /// The line in the text of a form, from 1; nil for none.
  package var line: Int?

  package static let coder = ObjectCoder(
    Self.init, .required("field", \.field), .required("code", \.code), .members(\.message),
    .optional("line", \.line))
}

extension IssueJSON {
  package init(_ issue: Issue, in language: Language) {
    self.init(
      field: issue.field, code: issue.code, message: LocalizedMessage(issue.message, in: language),
      line: issue.line)
  }
}

extension Issue {
  package func json(in language: Language) -> JSON { IssueJSON(self, in: language).json }
}
