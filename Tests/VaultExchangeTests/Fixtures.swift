import Foundation
import Glibc
import VaultInterface

@testable import VaultExchange

/// Files of other programs: see files/ORIGIN.md.
enum Fixtures {
  static func bytes(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let directory = URL(filePath: file).deletingLastPathComponent().appending(path: "files")
    return Array(try Data(contentsOf: directory.appending(path: name)))
  }

  static func read(_ name: String, _ options: ImportOptions = ImportOptions()) throws -> ImportedFile {
    try ImportReader.read(bytes(name), options)
  }
}

/// Reads a text.
func read(_ text: String, _ options: ImportOptions = ImportOptions()) throws(ImportError) -> ImportedFile {
  try ImportReader.read(Array(text.utf8), options)
}

/// The error that a text comes to; nil if there is none.
func importError(_ text: String, _ options: ImportOptions = ImportOptions()) -> ImportError? {
  do {
    _ = try read(text, options)
    return nil
  } catch {
    return error
  }
}

struct Missing: Error {}

/// Text in other character sets.
enum Charset {
  static func bytes(of scalar: Unicode.Scalar, in charset: String) throws -> [UInt8] {
    let conversion = iconv_open(charset, "UTF-8")
    guard conversion != iconv_t(bitPattern: -1) else { throw Missing() }
    defer { iconv_close(conversion) }
    var source = Array(String(scalar).utf8).map { CChar(bitPattern: $0) }
    var target = [CChar](repeating: 0, count: 16)
    return source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (from, to) = (source.baseAddress, target.baseAddress)
        var (left, room) = (source.count, target.count)
        iconv(conversion, &from, &left, &to, &room)
        return target[..<(16 - room)].map { UInt8(bitPattern: $0) }
      }
    }
  }
}

extension ImportedFile {
  /// The card of an entry, by its title.
  func card(_ title: String) throws -> CardDraft {
    guard let draft = entries.first(where: { $0.title == title })?.draft else { throw Missing() }
    return draft
  }
}

extension CardDraft {
  /// The value of a field of the user's own; nil if there is none.
  func extra(_ label: String) -> String? {
    extraFields.first { $0.label == label }?.value
  }

  /// The labels of what is concealed.
  var concealedLabels: [String] {
    extraFields.filter(\.concealed).map(\.label)
  }
}
