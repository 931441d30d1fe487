/// A program that reads and writes the clipboard.
enum ClipboardProgram: String, CaseIterable {
  case wayland = "wl-copy"
  case xclip, xsel
  case mac = "pbcopy"

  /// The programs that can be used here, best first.
  static var available: [ClipboardProgram] { allCases.filter(\.isAvailable) }

  private var isAvailable: Bool {
    let display =
      switch self {
      case .wayland: Environment.nonEmptyValue("WAYLAND_DISPLAY")
      case .xclip, .xsel: Environment.nonEmptyValue("DISPLAY")
      case .mac: "any"
      }
    return display != nil && SearchPath.find(rawValue) != nil && SearchPath.find(reading[0]) != nil
  }

  private var writing: [String] {
    switch self {
    case .wayland: ["wl-copy"]
    case .xclip: ["xclip", "-selection", "clipboard"]
    case .xsel: ["xsel", "--clipboard", "--input"]
    case .mac: ["pbcopy"]
    }
  }

  private var reading: [String] {
    switch self {
    case .wayland: ["wl-paste", "--no-newline"]
    case .xclip: ["xclip", "-selection", "clipboard", "-o"]
    case .xsel: ["xsel", "--clipboard", "--output"]
    case .mac: ["pbpaste"]
    }
  }

  private var clearing: [String] {
    switch self {
    case .wayland: ["wl-copy", "--clear"]
    case .xclip: writing
    case .xsel: ["xsel", "--clipboard", "--clear"]
    case .mac: writing
    }
  }

  /// Marks the text as a secret where the program can, for those that keep what was copied: wl-copy from version 2.3 on.
  ///
  /// - Returns: whether the program took the text. It may keep running.
  func fill(_ content: [UInt8]) throws(Failure) -> Bool {
    if self == .wayland, try run(writing + ["--sensitive"], content, readsOutput: false)?.status == 0 {
      return true
    }
    return try run(writing, content, readsOutput: false)?.status == 0
  }

  /// The content of the clipboard; nil if it cannot be read.
  func content() throws(Failure) -> [UInt8]? {
    guard let result = try run(reading, []), result.status == 0 else { return nil }
    return result.output
  }

  func clear() throws(Failure) { _ = try run(clearing, [], readsOutput: false) }

  private func run(_ words: [String], _ input: [UInt8], readsOutput: Bool = true) throws(Failure)
    -> (status: Int32, output: [UInt8])?
  {
    guard let path = SearchPath.find(words[0]) else { return nil }
    return try ChildProcess.run(path, words, input: input, readsOutput: readsOutput)
  }
}
