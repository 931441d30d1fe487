import Glibc

/// ImageMagick's `convert`, which makes the photograph that is measured, and does to it what the server does.
struct ImageMagick {
  static let text = "仅供办理签证使用 For visa only"

  private static let font = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
  /// Debian's; another program of that name may come first on the path.
  private static let program = ["/usr/bin/convert-im6.q16", "/usr/bin/convert", "convert"].first { name in
    (try? output(of: name, ["--version"])?.hasPrefix("Version: ImageMagick")) == true
  }

  /// The version; nil where it is not installed.
  static var version: String? {
    program.flatMap { try? output(of: $0, ["--version"]) }.map { line in
      line.split(separator: " ").dropFirst().prefix(3).joined(separator: " ")
    }
  }

  /// Where its files go.
  let directory: String
  private var photograph: String { directory + "/photograph.jpg" }

  /// A JPEG of 4,000 × 3,000 pixels with the detail of a photograph: one that a telephone made, sixteen times.
  ///
  /// - Returns: its path.
  func makePhotograph() throws -> String {
    try run(
      [Self.tile, "-resize", "1000x750!", "-strip"] + Self.noise + ["-write", "mpr:tile", "+delete"]
        + ["-size", "4000x3000", "tile:mpr:tile", "-quality", "92", photograph])
    return photograph
  }

  /// What a small picture loses in being made larger: a photograph of this size has about 4 MiB.
  private static let noise = ["-seed", "7", "-attenuate", "0.3", "+noise", "Gaussian"]
  /// A photograph of the worker's tests.
  private static var tile: String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(tests)/ImagingTests/files/pillow/iptc.jpg"
  }

  /// Draws text over the photograph, rotated and repeated.
  ///
  /// - Returns: the nanoseconds that it took.
  func mark() throws -> Int64 {
    let stamp = [
      "(", "-background", "none", "-fill", "rgba(30,30,30,0.35)", "-stroke", "rgba(255,255,255,0.35)",
      "-font",
      Self.font, "-pointsize", "115", "label:" + Self.text, "-rotate", "-30", "-write", "mpr:stamp",
      "+delete", ")",
    ]
    return try run(
      [photograph] + stamp + [
        "-size", "4000x3000", "tile:mpr:stamp", "-composite", directory + "/marked.jpg",
      ])
  }

  /// Makes a small picture of the photograph.
  ///
  /// - Returns: the nanoseconds that it took.
  func thumbnail() throws -> Int64 {
    try run(
      [
        "-define", "jpeg:size=512x512", photograph, "-auto-orient", "-thumbnail", "256x256",
        directory + "/small.jpg",
      ])
  }

  @discardableResult private func run(_ arguments: [String]) throws -> Int64 {
    guard let program = Self.program else { throw BenchmarkError.wrong("ImageMagick is not installed") }
    let start = now()
    guard try Peer(program, arguments).end() == 0 else { throw BenchmarkError.wrong("\(program) failed") }
    return now() - start
  }
}
