import HelperProtocols

/// The item's attributes in the Secret Service.
extension KeychainItem {
  private var attributes: [(String, String)] {
    [("device", device), ("vault", vault), ("xdg:schema", schema)]
  }

  private var schema: String {
    switch purpose {
    case .device: "org.quickvault.Device"
    case .account: "org.quickvault.Account"
    }
  }

  /// Appends the attributes.
  func append(to message: BusMessage) throws(BusError) {
    try message.append(.array, of: "{ss}") { () throws(BusError) in
      for (name, value) in attributes {
        try message.append(.dictionaryEntry, of: "ss") { () throws(BusError) in
          try message.append(name)
          try message.append(value)
        }
      }
    }
  }

  /// Appends the properties of a new item.
  func appendProperties(to message: BusMessage, label: String) throws(BusError) {
    func property(
      _ name: String, _ type: String, _ value: () throws(BusError) -> Void
    ) throws(BusError) {
      try message.append(.dictionaryEntry, of: "sv") { () throws(BusError) in
        try message.append(Keychain.interface + "Item." + name)
        try message.append(.variant, of: type, value)
      }
    }
    try message.append(.array, of: "{sv}") { () throws(BusError) in
      try property("Label", "s") { () throws(BusError) in try message.append(label) }
      try property("Attributes", "a{ss}") { () throws(BusError) in try append(to: message) }
    }
  }
}
