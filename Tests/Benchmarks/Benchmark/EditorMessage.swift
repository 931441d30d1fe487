import Wire

/// A message of the script that measures in an editor: a line of JSON.
enum EditorMessage: Equatable {
  /// Keys to type.
  case type(String)
  /// The last message.
  case measured(EditorTimes)

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - editor: the name of the editor, for errors.
  ///   - letters: how many letters are typed in the search.
  ///   - cards: how many rows there are to be.
  /// - Throws: ``BenchmarkError/wrong(_:)`` if the script tells an error, or something other than it should.
  init(line: String, from editor: String, letters: Int, cards: Int) throws {
    guard let message = try? JSONReader.read(Array(line.utf8)) else {
      throw BenchmarkError.wrong("\(editor) writes no JSON: \(line)")
    }
    if let keys = message["type"]?.string {
      self = .type(keys)
    } else if let times = message["measured"] {
      self = .measured(try EditorTimes(times, from: editor, letters: letters, cards: cards))
    } else {
      throw BenchmarkError.wrong("\(editor): \(message["error"]?.string ?? line)")
    }
  }
}

/// What a user waited for in an editor, in nanoseconds.
struct EditorTimes: Equatable {
  /// From Enter after the password to the list.
  var unlock: Int64
  /// From each letter in the search to its results, beyond the delay that the client waits for more letters.
  var keys: [Int64]
  /// From asking for the last row to all rows.
  var allRows: Int64

  init(unlock: Int64, keys: [Int64], allRows: Int64) {
    (self.unlock, self.keys, self.allRows) = (unlock, keys, allRows)
  }

  fileprivate init(_ message: JSON, from editor: String, letters: Int, cards: Int) throws {
    func nanoseconds(_ microseconds: JSON?) throws -> Int64 {
      guard let microseconds = microseconds?.integer, microseconds > 0 else {
        throw BenchmarkError.wrong("\(editor) has no time: \(message.text)")
      }
      return Int64(microseconds) * 1_000
    }
    guard case .array(let keys)? = message["keys"], keys.count == letters else {
      throw BenchmarkError.wrong("\(editor) has not searched for \(letters) letters: \(message.text)")
    }
    guard message["rows"]?.integer == cards else {
      throw BenchmarkError.wrong("\(editor) has not \(cards) rows: \(message.text)")
    }
    unlock = try nanoseconds(message["unlock"])
    self.keys = try keys.map(nanoseconds)
    allRows = try nanoseconds(message["allRows"])
  }
}
