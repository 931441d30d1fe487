package import Wire

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
