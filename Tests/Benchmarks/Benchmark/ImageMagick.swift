import Glibc

/// ImageMagick's `convert`: it makes the test photograph, and does the same work as the server.
struct ImageMagick {
  static let text = "仅供办理签证使用 For visa only"

  private static let font = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
  /// Debian's program; the search path may have another of that name first.
  private static let program = ["/usr/bin/convert-im6.q16", "/usr/bin/convert", "convert"].first { name in
    (try? output(of: name, ["--version"])?.hasPrefix("Version: ImageMagick")) == true
  }

  /// The version; nil if it is not installed.
  static var version: String? {
    program.flatMap { try? output(of: $0, ["--version"]) }.map { line in
      line.split(separator: " ").dropFirst().prefix(3).joined(separator: " ")
    }
  }

  /// The directory for its files.
  let directory: String
  private var photograph: String { directory + "/photograph.jpg" }

  /// A JPEG of 4,000 × 3,000 pixels with the detail of a photograph, tiled from one of a phone.
  ///
  /// - Returns: its path.
  func makePhotograph() throws -> String {
    try run(
      [Self.tile, "-resize", "1000x750!", "-strip"] + Self.noise + ["-write", "mpr:tile", "+delete"]
        + ["-size", "4000x3000", "tile:mpr:tile", "-quality", "92", photograph])
    return photograph
  }

  /// Noise replaces the detail lost by enlarging: a photograph of this size has about 4 MiB.
  private static let noise = ["-seed", "7", "-attenuate", "0.3", "+noise", "Gaussian"]
  /// A photograph from the tests of the imaging helper.
  private static var tile: String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(tests)/ImagingTests/files/pillow/iptc.jpg"
  }

  /// Watermarks the photograph with rotated, repeated text.
  ///
  /// - Returns: the time in nanoseconds.
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

  /// Makes a thumbnail of the photograph.
  ///
  /// - Returns: the time in nanoseconds.
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
