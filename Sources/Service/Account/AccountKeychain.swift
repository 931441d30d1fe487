import HelperProtocols
import Vault
import Wire

/// Stores the server's credentials in the desktop's keychain: one item for each vault and device.
struct AccountKeychain {
  /// What the desktop's keychain viewer shows.
  private static let label = "QuickVault: sign-in to the server that carries the folder"
  private static let timeoutSeconds = BiometricUnlock.keychainTimeoutSeconds

  /// An item's content. Another vault with the same identifier may have signed in elsewhere.
  private struct Content: ResultObject {
    var address: String
    var credentials: CarrierCredentials

    static let coder = ObjectCoder(
      Self.init(address:credentials:), .required("address", \.address),
      .required("credentials", \.credentials))
  }

  let desktop: DesktopLink

  /// Reads an item.
  ///
  /// - Parameters:
  ///   - address: the server that it must be for.
  ///   - prompts: whether the keychain may ask the user to unlock it.
  /// - Throws: ``AccountError/keychainLocked``; `CarrierError.signInAgain` if it is not there; `CancellationError`.
  func read(_ item: KeychainItem, for address: String, prompts: Bool) async throws -> CarrierCredentials {
    let request = KeychainRead(item: item, prompts: prompts, timeoutSeconds: Self.timeoutSeconds)
    guard let bytes = Base64.bytes(of: try await ask(request).secret), let json = try? JSONReader.read(bytes),
      let content = try? Content.read(json, at: "secret"), content.address == address
    else { throw CarrierError.signInAgain }
    return content.credentials
  }

  /// Stores an item in place of the one before.
  ///
  /// - Throws: ``AccountError/keychainLocked``, `CancellationError`.
  func store(
    _ credentials: CarrierCredentials, for address: String, as item: KeychainItem, prompts: Bool
  ) async throws {
    let content = Content(address: address, credentials: credentials).json.utf8
    _ = try await ask(
      KeychainStore(
        item: item, secret: unsafe Base64.encode(content.span.bytes), label: Self.label, prompts: prompts,
        timeoutSeconds: Self.timeoutSeconds))
  }

  /// Deletes an item, if the keychain allows it.
  func delete(_ item: KeychainItem, prompts: Bool) async {
    _ = try? await ask(KeychainDelete(item: item, prompts: prompts, timeoutSeconds: Self.timeoutSeconds))
  }

  private func ask<Request: KeychainRequest>(_ request: Request) async throws -> Request.Response {
    do {
      return try await request.prompts ? desktop.askUser(request) : desktop.ask(request)
    } catch BiometricError.invalidContext {
      throw CarrierError.signInAgain
    } catch is BiometricError {
      throw AccountError.keychainLocked
    }
  }
}
