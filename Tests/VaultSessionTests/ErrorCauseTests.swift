import Testing
import VaultCrypto
import VaultModel
import VaultSession
import VaultStore

@Suite("Causes of errors in the log") struct ErrorCauseTests {
  private struct Unknown: Error {
    let value = "secret"
  }

  @Test("R17 the cause is a case with a code or a type, never a value")
  func causes() {
    #expect(
      VaultError.cause(of: StoreError.internalFailure(code: 21)) == "StoreError.internalFailure(code: 21)")
    #expect(VaultError.cause(of: StoreError.diskFull) == "StoreError.diskFull")
    #expect(VaultError.cause(of: CryptoError.malformed) == "CryptoError.malformed")
    #expect(VaultError.cause(of: Unknown()) == "Unknown")
    #expect(VaultError.cause(of: VaultError.fieldNotFound("secret")) == nil)
    #expect(VaultError.cause(of: VaultError.failed(.recordMissing)) == "recordMissing")
    #expect(VaultError.cause(of: VaultError(Unknown())) == "Unknown")
  }
}
