package import Wire

/// `window/showMessageRequest` (LSP 3.17), from the server: a question with two answers.
package struct ShowMessageRequest: OutgoingRequest {
  package static let method = "window/showMessageRequest"

  private let message: String
  private let actions: [String]

  package init(_ message: String, actions: [String]) {
    (self.message, self.actions) = (message, actions)
  }

  /// The chosen answer; nil if the user chose none.
  package struct Response: ParameterValue {
    package let title: String?

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
      Self(title: value["title"]?.string)
    }
  }

  package var parameters: JSON? {
    ["type": 3, "message": .string(message), "actions": .array(actions.map { ["title": .string($0)] })]
  }
}
