import Glibc

/// Threads that nobody waits for.
package enum Thread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread.
  ///
  /// - Parameter stackSize: in bytes, all of which count as locked memory; nil for the system's size.
  /// - Throws: if the system has no room for one.
  package static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError)
  {
    var (attributes, thread) = (pthread_attr_t(), pthread_t())
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
    let argument = unsafe Unmanaged.passRetained(Body(body))
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, argument.toOpaque())
    guard failure == 0 else {
      unsafe argument.release()
      errno = failure
      throw SystemError("pthread_create")
    }
    pthread_detach(thread)
  }
}
