public import Foundation
public import Testing
public import VaultCrypto
public import Wire

/// One scenario of a vector file: lines `name: value`, where a name may occur again and `#` begins a comment.
public struct Vector: Sendable, CustomTestStringConvertible {
  public let name: String
  public let lines: [(name: String, value: String)]

  public var testDescription: String { name }

  public enum Problem: Error {
    case unreadableLine(file: String, line: String)
    case missing(String)
    case notHexadecimal(String)
    case notANumber(String)
    case unknownExpectation(String)
    case emptyDirectory(String)
  }

  public init(contentsOf file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      if line.hasPrefix("#") { return nil }
      guard let colon = line.firstIndex(of: ":") else {
        throw Problem.unreadableLine(file: file.lastPathComponent, line: String(line))
      }
      let value = line[line.index(after: colon)...]
      return (String(line[..<colon]), value.hasPrefix(" ") ? String(value.dropFirst()) : String(value))
    }
  }

  /// All vectors of a directory, which is named from the root of the package.
  public static func all(in directory: String) throws -> [Vector] {
    let folder = packageRoot.appendingPathComponent(directory, isDirectory: true)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "txt" }
    guard !files.isEmpty else { throw Problem.emptyDirectory(directory) }
    return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map(Vector.init(contentsOf:))
  }

  public static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

// Values by name.
extension Vector {
  public func text(_ name: String) throws -> String {
    guard let line = lines.first(where: { $0.name == name }) else { throw Problem.missing(name) }
    return line.value
  }

  public func bytes(_ name: String) throws -> [UInt8] { try Self.bytes(hexadecimal: text(name)) }

  public func number<Value: FixedWidthInteger>(_ name: String) throws -> Value {
    try Self.number(text(name))
  }

  public func secret(_ name: String) throws -> SecretBytes { try SecretBytes(copying: bytes(name)) }

  public func identifier(_ name: String) throws -> Identifier { try Identifier(bytes(name)) }

  /// The error that shall be thrown; nil for success.
  public var expectedError: CryptoError? {
    get throws {
      switch try text("expect") {
      case "success": nil
      case "authentication-failed": .authenticationFailed
      case "parameters-out-of-range": .parametersOutOfRange
      case "malformed": .malformed
      case let other: throw Problem.unknownExpectation(other)
      }
    }
  }

  public static func number<Value: FixedWidthInteger>(_ text: String) throws -> Value {
    guard let number = Value(text) else { throw Problem.notANumber(text) }
    return number
  }

  public static func bytes(hexadecimal text: String) throws -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text) else { throw Problem.notHexadecimal(text) }
    return bytes
  }
}
