import Glibc
import Testing
import VaultCrypto
import VaultInterface
import VaultStore

@testable import Vault

@Suite("Causes of errors in the log") struct ErrorCauseTests {
  private struct Unknown: Error {
    let value = "secret"
  }

  @Test("R17 the cause is a case with a code or a type and a place, never a value")
  func causes() {
    func cause(_ error: any Error) -> String? { VaultError.cause(of: error)?.description }
    let line = #line + 1
    let store = cause(StoreError(.internalFailure(code: 21)))
    #expect(store == "StoreError.internalFailure(code: 21) VaultSessionTests/ErrorCauseTests.swift:\(line)")
    #expect(cause(CryptoError.malformed) == "CryptoError.malformed")
    #expect(cause(Unknown())?.hasPrefix("Unknown ") == true)
    #expect(cause(VaultError.fieldNotFound("secret")) == nil)
    #expect(cause(VaultError.failed(.recordMissing))?.hasPrefix("recordMissing VaultSessionTests/") == true)
    #expect(cause(VaultError.unavailable(.busy)) == "VaultError.busy")
    let file = cause(FileError.reading(EIO))
    #expect(file?.hasPrefix("FileError.inputOutput errno=5 VaultSessionTests/") == true, "\(file ?? "")")
  }

  @Test("R17 errors of one kind are equal, wherever they were made")
  func equality() {
    let (one, other) = (StoreError(.corrupt), StoreError(.corrupt))
    #expect(one == other && one.origin.line == other.origin.line && one != StoreError(.changed))
    #expect(FileError.writing(EIO) == .notWritable(.inputOutput))
    do {
      throw one
    } catch StoreError.corrupt {
    } catch {
      Issue.record("an error matches its kind")
    }
  }
}
