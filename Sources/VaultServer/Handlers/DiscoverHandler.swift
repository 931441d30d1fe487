import JSON
import COpenRPC
import VaultProtocol
import VaultSession

enum DiscoverHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(_ request: Discover, _ context: NoContext) throws -> Outcome<JSON> {
    let bytes = unsafe UnsafeBufferPointer(
      start: quickvault_openrpc_bytes(), count: quickvault_openrpc_count())
    return Outcome(try unsafe JSONReader.read(Array(bytes)))
  }
}
