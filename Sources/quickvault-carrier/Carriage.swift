import CarrierProtocol
import Glibc
import WebCarrier

/// One pass over a folder, from the command line or the service.
enum Carriage {
  /// Confines the calling thread and runs a pass.
  ///
  /// - Parameter report: is called after each file, with the numbers of files that are carried and that are to be.
  static func run(
    _ path: String, _ address: WebAddress, _ credentials: Credentials?, _ environment: WebEnvironment,
    report: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(CarrierError) -> FolderMirror.Outcome {
    let folder = try CarriedFolder(path)
    defer { folder.close() }
    let (path, directory) = (try absolute(path), try stateDirectory())
    Confinement.restrictFiles(writing: [path, directory], authorities: environment.authorities)
    let state = CarriedState(in: directory, folder: path, address: address.url(""))
    var mirror = try FolderMirror(folder, address, credentials, environment, state: state, report: report)
    return try mirror.run()
  }

  static func absolute(_ path: String) throws(CarrierError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .folder(errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Makes the directory of the carrier's state, beneath `XDG_STATE_HOME` or `~/.local/state`.
  private static func stateDirectory() throws(CarrierError) -> String {
    let base = Program.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let top = base ?? Program.environment("HOME").map({ $0 + "/.local/state" }) else {
      throw .folder(ENOENT)
    }
    var path = ""
    for name in (top + "/quickvault/carrier").split(separator: "/") {
      path += "/\(name)"
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else {
        throw .folder(errno)
      }
    }
    return path
  }
}
