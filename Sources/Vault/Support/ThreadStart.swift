import Glibc

/// Starts a thread that nobody waits for.
///
/// - Parameter stackSize: in bytes, all of which count as locked memory.
/// - Returns: false if the system has no room for one.
func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
  final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
  var (attributes, thread) = (pthread_attr_t(), pthread_t())
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setstacksize(&attributes, stackSize)
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
    return false
  }
  pthread_detach(thread)
  return true
}
