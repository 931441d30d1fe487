package import Wire

/// `$/progress` (LSP 3.17) of work that an editor shows while it runs.
package struct WorkDoneProgress: OutgoingNotification {
  package static let method = "$/progress"

  package enum Stage: Sendable {
    case begin(title: String)
    case end
  }

  private let token: JSON
  private let stage: Stage

  /// - Parameter token: the client's, or that of ``Create``.
  package init(_ token: JSON, _ stage: Stage) {
    (self.token, self.stage) = (token, stage)
  }

  package var json: JSON {
    switch stage {
    case .begin(let title):
      ["token": token, "value": ["kind": "begin", "title": .string(title), "cancellable": false]]
    case .end: ["token": token, "value": ["kind": "end"]]
    }
  }

  /// `window/workDoneProgress/create` (LSP 3.17), from the server: makes a token of its own.
  package struct Create: OutgoingRequest {
    package static let method = "window/workDoneProgress/create"
    private let token: JSON

    package init(_ token: JSON) {
      self.token = token
    }

    package struct Response: ParameterValue {
      package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self { Self() }
    }

    package var parameters: JSON? { ["token": token] }
  }
}
