import Glibc

/// Converts texts to the arrays that execve(2) takes as arguments and environment.
package enum ArgumentVector {
  package typealias Pointers = [UnsafeMutablePointer<CChar>?]

  /// Calls `body` with a pointer to each text, terminated by zero, and a null pointer at the end.
  package static func with<Result>(_ texts: [String], _ body: (Pointers) -> Result) -> Result {
    let words = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    return unsafe body(words)
  }

  /// Calls `body` with the arguments and the environment of a program.
  package static func with<Result>(
    _ arguments: [String], environment: [String],
    _ body: (_ arguments: Pointers, _ environment: Pointers) -> Result
  ) -> Result {
    unsafe with(arguments) { arguments in
      unsafe with(environment) { environment in unsafe body(arguments, environment) }
    }
  }
}

/// The variables of this process's environment.
package enum ProcessEnvironment {
  /// Each as `NAME=VALUE`.
  package static var entries: [String] {
    var entries: [String] = []
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe position += 1
    }
    return entries
  }
}
