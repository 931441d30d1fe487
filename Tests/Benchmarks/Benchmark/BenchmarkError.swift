/// An error that ends the benchmark.
enum BenchmarkError: Error, CustomStringConvertible {
  /// A call to the operating system failed.
  case system(call: String, number: Int32)
  /// A program that was being measured ended.
  case ended(program: String)
  /// The server answered with an error.
  case refused(answer: String)
  /// A program gave a wrong answer.
  case wrong(String)
  /// A floor failed.
  case floor(String)
  /// The command line is invalid.
  case usage(String)

  var description: String {
    switch self {
    case .system(let call, let number): "\(call) failed with error number \(number)"
    case .ended(let program): "\(program) ended"
    case .refused(let answer): "the server refused: \(answer)"
    case .wrong(let what): "a wrong answer: \(what)"
    case .floor(let what): "\(what) failed"
    case .usage(let what): what
    }
  }
}
