import CLinux
import Glibc

/// The parts of a service that survive when its process replaces itself: location, socket, lock and inspector.
package struct RunningService: JSONObject, Hashable {
  package let place: ServiceLocation
  package let socket: ServiceSocket
  /// The descriptor of the inspector (``Executables``); nil if there is none.
  package private(set) var inspector: Int?

  package init(place: ServiceLocation, socket: ServiceSocket) {
    self.init(place: place, socket: socket, inspector: nil)
  }

  private init(place: ServiceLocation, socket: ServiceSocket, inspector: Int?) {
    (self.place, self.socket, self.inspector) = (place, socket, inspector)
  }

  package static let coder = ObjectCoder(
    Self.init(place:socket:inspector:), .required("place", \.place), .required("socket", \.socket),
    .optional("inspector", \.inspector))

  /// Starts the inspector, if it can be started. The calling thread must be the only one.
  package mutating func startInspector() {
    inspector = Executables.startInspector().map(Int.init)
  }

  /// The descriptors that the next process needs.
  package var descriptors: [Int32] {
    ([socket.descriptor, socket.lock] + [inspector].compactMap(\.self)).compactMap(Int32.init(exactly:))
  }

  /// Whether the descriptors are open, and the socket's is one of a listening socket.
  package var isValid: Bool {
    socket.isValid && inspector.map { Int32(exactly: $0).map { fcntl($0, F_GETFD) >= 0 } ?? false } ?? true
  }
}
