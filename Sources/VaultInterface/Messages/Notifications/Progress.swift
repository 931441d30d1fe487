package import Wire

/// `$/progress`: the progress of long work (LSP 3.17, work done progress).
package struct Progress: VaultNotification, Hashable {
  package static let method = "$/progress"

  package enum Stage: ResultObject, Hashable {
    case begin(message: String)
    /// The part that is done, in percent.
    case report(percentage: Int)
    /// The work is over, with or without success.
    case end

    private enum Kind: String, CaseIterable, JSONCodable {
      case begin, report, end
    }

    package static let coder = ObjectCoder<Self>(
      read: { members throws(ParameterError) in
        let kind: Kind = try members.required("kind")
        switch kind {
        case .begin: return .begin(message: try members.required("message"))
        case .report: return .report(percentage: try members.required("percentage"))
        case .end: return .end
        }
      },
      write: { stage, members in
        switch stage {
        case .begin(let message):
          members += [.init("kind", "begin"), .init("message", .string(message)), .init("percentage", 0)]
        case .report(let percentage):
          members += [.init("kind", "report"), .init("percentage", .integer(percentage))]
        case .end: members.append(.init("kind", "end"))
        }
      })
  }

  package var token: ProgressToken
  package var stage: Stage

  package init(_ token: ProgressToken, _ stage: Stage) {
    self.token = token
    self.stage = stage
  }

  package static let coder = ObjectCoder(
    Self.init(_:_:), .required("token", \.token), .required("value", \.stage))
}
