import HelperProtocols

/// Writes files on a server so that each is complete as soon as it has its name: it is written under another one, read again, and
/// renamed. What a server does not support is remembered.
struct Uploader {
  enum Written {
    case written
    /// The same file was there already.
    case present
    /// Another file of this name was there, which was not replaced.
    case different
  }

  /// How files get their names.
  private enum Renaming: Equatable {
    /// `MOVE` with the URL of the new name.
    case url
    /// `MOVE` with its path only. A server to which a proxy speaks without TLS takes a URL with `https` for one of another server.
    case path
    /// `MOVE` with its URL as such a server knows it. Some take no path.
    case plainURL
    /// The server cannot rename, with the status of its answer. Files are written under their names, which an upload that is cut
    /// off may keep.
    case never(Int)
  }

  /// Marks this machine's temporary files.
  private let tag: String
  private var renaming = Renaming.url
  /// Whether other names than those of the format begin with a dot. Some servers forbid that, or say that there is no such file.
  private var isHidden = true

  init(tag: String) {
    self.tag = tag
  }

  /// The HTTP status with which the server refuses to rename files; nil if it renames them.
  var renameStatus: Int? { if case .never(let status) = renaming { status } else { nil } }

  /// Returns whether a name is that of an upload of this machine.
  func isTemporary(_ name: String) -> Bool {
    [".carrier-\(tag)-", "carrier-\(tag)-"].contains { prefix in
      name.hasPrefix(prefix) && name.dropFirst(prefix.utf8.count).allSatisfy(\.isHexDigit)
    }
  }

  /// Returns whether a name is that of a mark of this machine.
  func isMark(_ name: String) -> Bool {
    Self.isMark(name) && name.drop { $0 == "." }.dropFirst(8).hasPrefix(tag)
  }

  /// Returns whether a name is that of a mark of any machine.
  static func isMark(_ name: String) -> Bool {
    let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].hasPrefix("carrier-") && parts[0].utf8.count == 24
      && (parts[0].dropFirst(8) + parts[1]).allSatisfy(\.isHexDigit)
  }

  /// Writes a file; one of its name is not replaced.
  ///
  /// - Parameter willWriteInPlace: called before a file is written under its name.
  mutating func write(
    _ bytes: [UInt8], _ name: String, in directory: String, _ web: WebFolder,
    willWriteInPlace: () throws(CarrierError) -> Void
  ) throws(CarrierError) -> Written {
    if case .never(let status) = renaming {
      return try writeInPlace(bytes, name, status, web, willWriteInPlace)
    }
    // Some servers keep a truncated file when an upload is cut off, and say nothing.
    let temporary = try upload(directory, web) { (name) throws(CarrierError) in
      let name = "\(directory)/\(name)"
      try Self.put(bytes, name, web)
      let get = HTTPRequest(method: "GET", url: web.address.url(name), limit: bytes.count)
      guard try web.send(get, accepting: [200, 404]).body == bytes else { throw .interrupted }
      return name
    }
    var refusal = 0
    let forms = [Renaming.url, .path] + (web.address.isEncrypted ? [.plainURL] : [])
    for form in [renaming] + forms.filter({ $0 != renaming }) {
      let status = try move(temporary, name, form, web)
      if status < 300 {
        renaming = form
        return .written
      }
      if refusal == 0 { refusal = status }
      // The answer to an earlier request may have been lost, or another machine was faster.
      if let written = try compare(name, bytes, web) {
        try web.remove(temporary)
        return written
      }
    }
    let written = try writeInPlace(bytes, name, refusal, web, willWriteInPlace)
    renaming = .never(refusal)
    try? web.remove(temporary)
    return written
  }

  /// Makes a mark, which nobody has seen before.
  ///
  /// - Returns: its name.
  mutating func mark(_ directory: String, _ web: WebFolder) throws(CarrierError) -> String {
    try upload(directory, web, separator: ".") { (name) throws(CarrierError) in
      try Self.put(Array("quickvault-carrier\n".utf8), "\(directory)/\(name)", web)
      return name
    }
  }

  /// Repeats an upload under a new name each time: the server may have locked the one that was cut off.
  private mutating func upload(
    _ directory: String, _ web: WebFolder, separator: String = "-",
    _ body: (String) throws(CarrierError) -> String
  ) throws(CarrierError) -> String {
    try web.retry.run { () throws(CarrierError) in
      let name = "carrier-\(tag)\(separator)" + String(UInt64.random(in: 0 ... .max), radix: 16)
      guard isHidden else { return try body(name) }
      do throws(CarrierError) {
        return try body("." + name)
      } catch {
        guard Self.mayConcernName(error) else { throw error }
        do throws(CarrierError) {
          let written = try body(name)
          isHidden = false
          return written
        } catch {
          // It was not about the name, and nobody is to see what may be left.
          let delete = HTTPRequest(method: "DELETE", url: web.address.url("\(directory)/\(name)"))
          _ = try? web.send(delete, accepting: [])
          throw error
        }
      }
    }
  }

  private static func mayConcernName(_ error: CarrierError) -> Bool {
    switch error {
    case .forbidden, .wrongServer, .serverFailed(404), .serverFailed(405): true
    default: false
    }
  }

  private static func put(
    _ bytes: [UInt8], _ name: String, _ web: WebFolder, headers: [String] = []
  ) throws(CarrierError) {
    let put = HTTPRequest(method: "PUT", url: web.address.url(name), headers: headers, body: bytes)
    let status = try web.send(put, accepting: [200, 201, 204, 404, 405]).status
    // There is a server, but it cannot write: rclone answers so when its disk is full.
    if status == 404 || status == 405 { throw .serverFailed(status) }
  }

  /// Renames a file; one of the new name is not replaced.
  ///
  /// - Returns: the status, of a success or one that may mean that this form of the destination is not understood.
  private func move(
    _ temporary: String, _ name: String, _ form: Renaming, _ web: WebFolder
  ) throws(CarrierError) -> Int {
    let destination =
      switch form {
      case .path: web.address.path + name
      case .plainURL: web.address.canonicalURL(name, isEncrypted: false)
      case .url, .never: web.address.canonicalURL(name, isEncrypted: web.address.isEncrypted)
      }
    let move = HTTPRequest(
      method: "MOVE", url: web.address.url(temporary),
      headers: ["Destination: \(destination)", "Overwrite: F"])
    return try web.retry.run { () throws(CarrierError) in
      try web.send(
        move, accepting: [200, 201, 204, 400, 403, 404, 405, 409, 412, 415, 422, 500, 501, 502, 504]
      ).status
    }
  }

  /// - Parameter status: why the file cannot be renamed.
  private func writeInPlace(
    _ bytes: [UInt8], _ name: String, _ status: Int, _ web: WebFolder,
    _ willWrite: () throws(CarrierError) -> Void
  ) throws(CarrierError) -> Written {
    if let written = try compare(name, bytes, web) { return written }
    try willWrite()
    do {
      try Self.put(bytes, name, web, headers: ["If-None-Match: *"])
    } catch {
      switch error {
      case .forbidden, .wrongServer, .serverFailed(404), .serverFailed(405):
        throw .renameRefused(status)
      default: throw error
      }
    }
    switch try compare(name, bytes, web) {
    case .present: return .written
    case let other:
      if other != nil { try web.remove(name) }
      throw .interrupted
    }
  }

  /// Compares a file with one on the server; nil if there is none.
  private func compare(
    _ name: String, _ bytes: [UInt8], _ web: WebFolder
  ) throws(CarrierError) -> Written? {
    let present: [UInt8]?
    do {
      present = try web.read(name, limit: max(bytes.count, 1))
    } catch .wrongServer {
      // It is longer.
      return .different
    }
    return present.map { $0 == bytes ? .present : .different }
  }
}
