import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

extension ResponseError {
  /// An error as the protocol tells it (R17): the message in the conversation's language, and in its data the stable
  /// kind, both languages, and what a program needs beyond that.
  init(code: Int, kind: String, words: Localized, details: [JSON.Member] = [], in language: Language) {
    let members: [JSON.Member] = [.init("kind", .string(kind)), .init("messages", words.json)]
    self.init(code: code, message: words[language], data: .object(members + details))
  }

  /// A fault of the protocol.
  init(_ fault: ProtocolError, in language: Language) {
    var details: [JSON.Member] = []
    if case .invalidParameters(let parameter) = fault {
      details = [
        .init("parameter", .string(parameter.parameter)),
        .init("expected", .string(parameter.expectation.words.english)),
      ]
    }
    self.init(code: fault.code, kind: fault.kind, words: fault.words, details: details, in: language)
  }

  /// What is refused.
  init(_ error: any Refusal, in language: Language) {
    self.init(
      code: error.code, kind: error.kind, words: error.words, details: error.details(in: language),
      in: language)
  }
}
