import DesktopProtocol
import EventLoop

/// Runs one request: `keychain/store`, `keychain/read` or `keychain/delete`.
struct KeychainAccess {
  private static let item = Keychain.interface + "Item"

  let keychain: Keychain
  let loop: EventLoop
  /// How long the user may take to answer a prompt.
  let timeout: Duration

  /// - Throws: `serviceMissing` or `failed`.
  init(_ services: DesktopServices, timeout: Duration) async throws(DesktopError) {
    do {
      keychain = try await Keychain(on: try services.session())
    } catch {
      if Task.isCancelled { throw .cancelled }
      switch error.state {
      case .busMissing: throw .sessionBusMissing
      case .serviceMissing: throw .keychainServiceMissing
      default: throw .keychainFailed
      }
    }
    loop = services.loop
    self.timeout = timeout
  }

  /// Stores a secret, replacing an existing one.
  func store(_ secret: DeviceSecret, as item: KeychainItem, label: String) async throws(DesktopError) {
    guard let collection = keychain.collection else { throw .noCollection }
    try await unlock(collection)
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
  func read(_ item: KeychainItem) async throws(DesktopError) -> DeviceSecret {
    guard let path = try await find(item).first else { throw .secretAbsent }
    try await unlock(path)
    do {
      let session = try await keychain.openSession()
      let reply = try await keychain.call("GetSecrets") { message throws(BusError) in
        try message.append(.array, of: "o") { () throws(BusError) in try message.append(path, as: .objectPath)
        }
        try message.append(session, as: .objectPath)
      }
      try reply.markSensitive()
      guard let secret = try Self.secret(in: reply) else { throw DesktopError.secretMalformed }
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
      try await unlock(path)
      let prompt: String
      do {
        let reply = try await keychain.bus.call(keychain.object(path), Self.item, "Delete")
        prompt = try reply.requiredText(.objectPath)
      } catch {
        throw DesktopError(keychain: error)
      }
      try await run(prompt)
    }
    return !paths.isEmpty
  }

  /// Reads the secret in a reply to GetSecrets, which omits locked items; nil if the secret is malformed.
  private static func secret(in reply: BusMessage) throws -> DeviceSecret? {
    var found = false
    var secret: DeviceSecret?
    try reply.enter(.array, of: "{o(oayays)}") { () throws(BusError) in
      try reply.enterEach(.dictionaryEntry, of: "o(oayays)") { () throws(BusError) in
        try reply.skip("o")
        try reply.enter(.structure, of: "oayays") { () throws(BusError) in
          try reply.skip("oay")
          secret = try unsafe reply.withBytes { unsafe DeviceSecret(copying: $0) }
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
    guard found.isEmpty, let collection = keychain.collection, try await isLocked(collection) else {
      return found
    }
    try await unlock(collection)
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

  private func isLocked(_ collection: String) async throws(DesktopError) -> Bool {
    do {
      return try await keychain.isLocked(collection)
    } catch {
      throw DesktopError(keychain: error)
    }
  }

  /// Unlocks an item or a collection, which may prompt the user.
  private func unlock(_ path: String) async throws(DesktopError) {
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
    try await KeychainPrompt(keychain: keychain, path: prompt, loop: loop, timeout: timeout).run()
  }
}
