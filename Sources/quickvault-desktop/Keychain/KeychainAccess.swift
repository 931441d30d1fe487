import HelperProtocols
import Wire

/// Runs one request: `keychain/store`, `keychain/read` or `keychain/delete`.
struct KeychainAccess {
  /// The kinds of objects that can be locked.
  private enum Object: String {
    case item = "Item"
    case collection = "Collection"

    var interface: String { Keychain.interface + rawValue }
  }

  let keychain: Keychain
  private let services: DesktopServices
  private var loop: EventLoop { services.loop }
  /// Whether the user may be asked to unlock the keychain.
  let prompts: Bool
  /// How long the user may take to answer a prompt.
  let timeout: Duration

  /// - Throws: `serviceMissing` or `failed`.
  init(_ services: DesktopServices, _ request: some KeychainRequest) async throws(DesktopError) {
    keychain = try await Self.keychain { () throws(Availability) in try services.session() }
    self.services = services
    (prompts, timeout) = (request.prompts, .seconds(request.timeoutSeconds))
  }

  private static func keychain(on bus: () throws(Availability) -> Bus) async throws(DesktopError) -> Keychain
  {
    do throws(Availability) {
      return try await Keychain(on: try bus())
    } catch {
      if Task.isCancelled { throw .cancelled }
      switch error.state {
      case .busMissing: throw .sessionBusMissing
      case .serviceMissing: throw .keychainServiceMissing
      default: throw .keychainFailed
      }
    }
  }

  /// Stores a secret, replacing an existing one.
  func store(_ secret: KeychainSecret, as item: KeychainItem, label: String) async throws(DesktopError) {
    guard let collection = keychain.collection else { throw .noCollection }
    try await unlock(collection, .collection)
    let prompt: String
    do {
      let session = try await keychain.openSession()
      let reply = try await keychain.bus.call(
        keychain.object(collection), Keychain.interface + "Collection", "CreateItem"
      ) { message throws(BusError) in
        try message.markSensitive()
        try item.appendProperties(to: message, label: label)
        try message.append(.structure, of: "oayays") { () throws(BusError) in
          try message.append(session, as: .objectPath)
          try unsafe message.append(UnsafeRawBufferPointer(start: nil, count: 0))
          try unsafe secret.withBytes { bytes throws(BusError) in try unsafe message.append(bytes) }
          try message.append("application/octet-stream")
        }
        try message.append(true)
      }
      try reply.skip("o")
      prompt = try reply.requiredText(.objectPath)
    } catch {
      throw DesktopError(keychain: error)
    }
    try await run(prompt)
  }

  /// - Throws: `secretAbsent` if there is none, and the errors of unlocking.
  func read(_ item: KeychainItem) async throws(DesktopError) -> KeychainSecret {
    guard let path = try await find(item).first else { throw .secretAbsent }
    try await unlock(path, .item)
    do {
      let session = try await keychain.openSession()
      let reply = try await keychain.call("GetSecrets") { message throws(BusError) in
        try message.append(.array, of: "o") { () throws(BusError) in try message.append(path, as: .objectPath)
        }
        try message.append(session, as: .objectPath)
      }
      try reply.markSensitive()
      guard let secret = try Self.secret(in: reply, for: item.purpose) else {
        throw DesktopError.secretMalformed
      }
      return secret
    } catch let error as BusError {
      throw DesktopError(keychain: error)
    } catch let error as DesktopError {
      throw error
    } catch {
      throw .keychainFailed
    }
  }

  /// Returns whether there was a secret to delete.
  func delete(_ item: KeychainItem) async throws(DesktopError) -> Bool {
    let paths = try await find(item)
    for path in paths {
      try await unlock(path, .item)
      let prompt: String
      do {
        let reply = try await keychain.bus.call(keychain.object(path), Object.item.interface, "Delete")
        prompt = try reply.requiredText(.objectPath)
      } catch {
        throw DesktopError(keychain: error)
      }
      try await run(prompt)
    }
    return !paths.isEmpty
  }

  /// Reads the secret in a reply to GetSecrets, which omits locked items; nil if the secret is malformed.
  private static func secret(
    in reply: BusMessage, for purpose: KeychainItem.Purpose
  ) throws -> KeychainSecret? {
    var found = false
    var secret: KeychainSecret?
    try reply.enter(.array, of: "{o(oayays)}") { () throws(BusError) in
      try reply.forEachContainer(.dictionaryEntry, of: "o(oayays)") { () throws(BusError) in
        try reply.skip("o")
        try reply.enter(.structure, of: "oayays") { () throws(BusError) in
          try reply.skip("oay")
          secret = try unsafe reply.withBytes { unsafe KeychainSecret(copying: $0, for: purpose) }
          try reply.skip("s")
        }
        found = true
      }
    }
    guard found else { throw DesktopError.keychainLocked }
    return secret
  }

  // MARK: Finding and unlocking

  /// Returns the paths of the items, locked or not.
  private func find(_ item: KeychainItem) async throws(DesktopError) -> [String] {
    let found = try await search(item)
    // A keychain may hide the items of a locked collection.
    guard found.isEmpty, let collection = keychain.collection,
      try await isLocked(collection, .collection)
    else {
      return found
    }
    try await unlock(collection, .collection)
    return try await search(item)
  }

  private func search(_ item: KeychainItem) async throws(DesktopError) -> [String] {
    do {
      let reply = try await keychain.call("SearchItems") { message throws(BusError) in
        try item.append(to: message)
      }
      return try reply.texts(.objectPath) + reply.texts(.objectPath)
    } catch {
      throw DesktopError(keychain: error)
    }
  }

  private func isLocked(_ path: String, _ object: Object) async throws(DesktopError) -> Bool {
    do {
      return try await keychain.isLocked(path, object.interface)
    } catch {
      throw DesktopError(keychain: error)
    }
  }

  /// Unlocks an item or a collection, which may prompt the user.
  ///
  /// - Throws: `keychainLocked` if only a prompt would unlock it, and the user must not be prompted.
  private func unlock(_ path: String, _ object: Object) async throws(DesktopError) {
    var keychain = keychain
    if !prompts {
      guard try await isLocked(path, object) else { return }
      // A prompt that nobody shows ends with the connection.
      keychain = try await Self.keychain { () throws(Availability) in try services.connect(.session) }
    }
    let prompt: String
    do {
      let reply = try await keychain.call("Unlock") { message throws(BusError) in
        try message.append(.array, of: "o") { () throws(BusError) in try message.append(path, as: .objectPath)
        }
      }
      _ = try reply.texts(.objectPath)
      prompt = try reply.requiredText(.objectPath)
    } catch {
      throw DesktopError(keychain: error)
    }
    try await run(prompt)
  }

  /// Runs the prompt unless the path is `/`, which means none.
  private func run(_ prompt: String) async throws(DesktopError) {
    guard prompt != "/" else { return }
    guard prompts else { throw .keychainLocked }
    try await KeychainPrompt(keychain: keychain, path: prompt, loop: loop, timeout: timeout).run()
  }
}
