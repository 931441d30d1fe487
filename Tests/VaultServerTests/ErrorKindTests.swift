import Testing
import VaultInterface
import Wire

@testable import Service

/// The errors of the program, and the catalogue.
@Suite("Codes and kinds") struct ErrorKindTests {
  /// Told in a status, and by no request.
  private static let told = [true, false].map {
    ErrorDescriptor.damaged(DamagedFile(path: "changes/1", isThere: $0))
  }

  @Test("R17 every error has a row of the catalogue, and no two errors have the same kind or code")
  func same() throws {
    let kinds = try ErrorExamples.all().map(\.descriptor.kind) + Self.told.map(\.kind)
    let catalogue = ErrorKind.all.map(\.name)
    #expect(Set(kinds) == Set(catalogue))
    #expect(catalogue.count == Set(catalogue).count)
    // JSON-RPC has one code for all that is no request; the numbers of the application are each one error's.
    let numbers = ErrorKind.all.map(\.code).filter { $0 > 0 }
    #expect(numbers.count == Set(numbers).count)
  }

  @Test("R17 each message is a sentence in both languages, without a place that was not filled")
  func messages() throws {
    for error in try ErrorExamples.all().map(\.descriptor) + Self.told {
      // A placeholder of a copy template has braces.
      guard error.kind != "copy.templateInvalid" else { continue }
      let message = error.message
      for text in [message.english, message.simplifiedChinese] {
        #expect(text.count > 2 && !text.contains(/\{[A-Za-z]+…?\}/), "\(error.kind): \(text)")
      }
    }
  }

  @Test("R17 the exit statuses of errors are those that qv describes")
  func statuses() {
    for kind in ErrorKind.all {
      #expect(ExitStatus(rawValue: kind.exitStatus)?.meaning != nil, "\(kind.name)")
    }
  }
}
