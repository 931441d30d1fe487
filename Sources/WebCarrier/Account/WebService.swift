import Glibc
package import HelperProtocols
import Wire

/// Requests with forms and answers in JSON. Answers are limited to 64 KiB.
struct WebService {
  let environment: WebEnvironment

  /// An answer, whatever its status.
  struct Response {
    var response: HTTPResponse
    /// Nil for anything but an object.
    var json: JSON?
  }

  /// Returns the object at a URL; nil if there is none.
  func get(_ url: String, _ credentials: Credentials? = nil, headers: [String] = []) throws(CarrierError)
    -> JSON?
  {
    let answer = try environment.retry.run { () throws(CarrierError) in
      let answer = try send("GET", url, credentials, headers: headers)
      guard [200, 404].contains(answer.response.status) else { throw answer.response.error }
      return answer
    }
    if answer.response.status == 404 { return nil }
    guard let json = answer.json else { throw .wrongServer }
    return json
  }

  /// Sends a form, or nothing. It is not repeated: a code or token may be used up by then.
  func send(
    _ method: String, _ url: String, _ credentials: Credentials? = nil, form: [(String, String)]? = nil,
    headers: [String] = []
  ) throws(CarrierError) -> Response {
    guard let origin = WebAddress(originOf: url) else { throw .wrongServer }
    var request = HTTPRequest(method: method, url: url, headers: headers + ["Accept: application/json"])
    if let form {
      request.headers.append("Content-Type: application/x-www-form-urlencoded")
      request.body = Self.encode(form)
    }
    defer { request.body?.overwrite() }
    var response = try environment.client(origin, credentials).send(request)
    let json = try? JSONReader.read(response.body)
    response.body.overwrite()
    guard case .object(let members)? = json, members.repeatedName == nil else {
      return Response(response: response)
    }
    return Response(response: response, json: json)
  }

  private static func encode(_ form: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    // Room for all, so that no copy stays behind.
    bytes.reserveCapacity(form.reduce(0) { $0 + 3 * ($1.0.utf8.count + $1.1.utf8.count) + 2 })
    for (name, value) in form {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      bytes.append(percentEncoding: name)
      bytes.append(UInt8(ascii: "="))
      bytes.append(percentEncoding: value)
    }
    return bytes
  }
}

extension String {
  /// The text with everything but unreserved characters (RFC 3986) encoded.
  var percentEncoded: String {
    var bytes: [UInt8] = []
    bytes.append(percentEncoding: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(percentEncoding text: String) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        append(byte)
      default: append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
  }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros.
  mutating func overwrite() {
    unsafe withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { unsafe explicit_bzero(base, bytes.count) }
    }
  }
}

/// A collection on a WebDAV server, and what its owner may do there.
package struct WebAccount {
  private let address: WebAddress
  private let folder: WebFolder

  package init(
    _ address: WebAddress, _ credentials: CarrierCredentials, _ environment: WebEnvironment
  ) throws(CarrierError) {
    self.address = address
    folder = WebFolder(try environment.client(address, credentials.http), environment.retry)
  }

  /// Tries the credentials. A collection that is not there is made.
  ///
  /// - Returns: its URL.
  package func check() throws(CarrierError) -> String {
    if try folder.members(of: "") == nil {
      try folder.makeCollection("")
      guard try folder.members(of: "") != nil else { throw .wrongServer }
    }
    return address.url("")
  }

  /// Removes the folder of a vault.
  ///
  /// - Parameter vault: its identifier, as the folder is named.
  /// - Returns: whether there was one.
  package func deleteData(of vault: String) throws(CarrierError) -> Bool {
    guard try folder.members(of: vault) != nil else { return false }
    try folder.remove(vault + "/")
    guard try folder.members(of: vault) == nil else { throw .wrongServer }
    return true
  }
}

extension CarrierCredentials {
  /// What a WebDAV server is told.
  package var http: Credentials {
    switch self {
    case .token(let token): .token(token.accessToken)
    case .password(let user, let password): .password(user: user, password: password)
    }
  }
}
