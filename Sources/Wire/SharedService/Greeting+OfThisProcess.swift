import Glibc

extension Greeting {
  /// The greeting of this process.
  package init(vault: String, locale: String, ticket: String? = nil, environment: (String) -> String?) {
    var values: [String: String] = [:]
    for name in Self.variables where name != "tty" { values[name] = environment(name) }
    values["tty"] = Self.terminal
    self.init(vault: vault, locale: locale, environment: values, ticket: ticket)
  }

  /// The terminal on one of the standard descriptors, or else the controlling one.
  private static var terminal: String? {
    for descriptor in Int32(0)...2 {
      if let name = unsafe ttyname(descriptor) { return unsafe String(cString: name) }
    }
    return ProcessFacts(of: Int(getpid()))?.terminal?.name
  }
}
