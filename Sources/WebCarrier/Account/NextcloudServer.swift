package import HelperProtocols
import Wire

/// A Nextcloud server, which issues an app password after a sign-in in a browser.
package struct NextcloudServer {
  private let address: WebAddress
  private let environment: WebEnvironment
  private var web: WebService { WebService(environment: environment) }

  /// Interfaces of Nextcloud refuse requests without it.
  private static let header = "OCS-APIRequest: true"
  /// Nextcloud keeps the token of a login for twenty minutes.
  private static let loginTimeout = 1_200

  package init(_ address: WebAddress, _ environment: WebEnvironment) {
    (self.address, self.environment) = (address, environment)
  }

  /// The server of a collection; nil if its URL is not one of Nextcloud.
  package init?(ofCollection url: String, _ environment: WebEnvironment) {
    guard let range = url.firstRange(of: "/remote.php/dav/"),
      let address = WebAddress(String(url[..<range.lowerBound]))
    else { return nil }
    self.init(address, environment)
  }

  /// Signs in by Login Flow v2.
  ///
  /// - Parameter prompt: is called once, before the wait for the person.
  package func signIn(
    timeout: Int, prompt: (CarrierPrompt) -> Void
  ) throws(CarrierError) -> CarrierSignIn.Response {
    let begun = try web.send("POST", address.url("index.php/login/v2"), form: [])
    guard begun.response.status == 200 else { throw begun.response.error }
    guard let page = begun.json?["login"]?.string, let endpoint = begun.json?["poll"]?["endpoint"]?.string,
      let token = begun.json?["poll"]?["token"]?.string, token.isToken,
      [page, endpoint].allSatisfy(isURL)
    else { throw .wrongServer }
    guard [page, endpoint].allSatisfy(address.isSameOrigin) else { throw .overwriteHost }
    let seconds = min(timeout, Self.loginTimeout)
    let deadline = Deadline(seconds)
    prompt(CarrierPrompt(url: page, expiresInSeconds: seconds))
    let login = try poll(endpoint, token, until: deadline)
    guard let user = login["loginName"]?.string, let password = login["appPassword"]?.string else {
      throw .wrongServer
    }
    let credentials = CarrierCredentials.password(user: user, password: password)
    // What would not be read again must not be given out.
    guard (try? CarrierCredentials.read(credentials.json, at: "")) != nil else { throw .wrongServer }
    do {
      let account = try WebAccount(folder(of: credentials), credentials, environment)
      return CarrierSignIn.Response(address: try account.check(), credentials: credentials)
    } catch {
      // Nobody will have it.
      _ = try? revoke(credentials)
      throw error
    }
  }

  private func poll(
    _ endpoint: String, _ token: String, until deadline: Deadline
  ) throws(CarrierError) -> JSON {
    while deadline.secondsLeft > 0 {
      try environment.cancellation.wait(min(2, deadline.secondsLeft))
      let answer: WebService.Response
      do {
        answer = try web.send("POST", endpoint, form: [("token", token)])
      } catch {
        // The person may be done before the network is back.
        guard error.isTransientForSignIn else { throw error }
        continue
      }
      // 404: the person is not done.
      if answer.response.status == 404 { continue }
      guard answer.response.status == 200 else {
        guard answer.response.error.isTransient else { throw answer.response.error }
        continue
      }
      guard let json = answer.json else { throw .wrongServer }
      return json
    }
    throw .signInExpired
  }

  /// The collection for vaults, in the folder of the user, whose identifier is not always the login name.
  private func folder(of credentials: CarrierCredentials) throws(CarrierError) -> WebAddress {
    let url = address.url("ocs/v2.php/cloud/user?format=json")
    guard
      let identifier = try web.get(url, credentials.http, headers: [Self.header])?["ocs"]?["data"]?["id"]?
        .string,
      !["", ".", ".."].contains(identifier),
      let folder = WebAddress(address.url("remote.php/dav/files/\(identifier.percentEncoded)/QuickVault/"))
    else { throw .wrongServer }
    return folder
  }

  /// Makes the server forget an app password.
  ///
  /// - Returns: whether it did; false if it was none.
  package func revoke(_ credentials: CarrierCredentials) throws(CarrierError) -> Bool {
    let answer = try web.send(
      "DELETE", address.url("ocs/v2.php/core/apppassword"), credentials.http, headers: [Self.header])
    switch answer.response.status {
    // 401: it is forgotten already.
    case 200, 401: return true
    case 403, 404: return false
    default: throw answer.response.error
    }
  }

  private func isURL(_ text: String) -> Bool {
    text.utf8.count <= 2_048 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && ["http://", "https://"].contains(where: text.hasPrefix)
  }
}
