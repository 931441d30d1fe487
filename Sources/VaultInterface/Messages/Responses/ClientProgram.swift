package import Wire

/// A program that uses the vault, as the kernel describes it: nothing here is what the program says of itself (U).
package struct ClientProgram: ResultObject, Hashable {
  /// The name of the program, such as `emacs`; of a relay, that of the program that started it.
  package var name: String
  package var process: Int
  /// The terminal it runs in, such as `/dev/pts/3`; nil for none.
  package var terminal: String?

  package init(name: String, process: Int, terminal: String?) {
    (self.name, self.process, self.terminal) = (name, process, terminal)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("name", \.name), .required("process", \.process), .optional("terminal", \.terminal))
}
