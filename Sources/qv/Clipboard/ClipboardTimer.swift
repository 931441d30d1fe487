import Glibc
import VaultInterface
import Wire

/// Clears the clipboard after a time, or once the vault is locked, if its text is still the one that was copied. The process
/// that waits has a digest of the text and not the text.
enum ClipboardTimer {
  /// The name of the process that waits.
  static let processName = "qv-clear"

  /// Starts the process that waits, which outlives the terminal.
  static func schedule(
    _ program: ClipboardProgram, after seconds: Int, _ content: [UInt8], _ arguments: Arguments
  ) throws(Failure) {
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    let mark = Array(salt.hexadecimal.utf8)
    writeMark(mark)
    guard let own = Executables.ownPath, let (source, feed) = ChildProcess.pipe() else { return }
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    let path = try Vault.path(arguments)
    let vault = ["--vault", path] + (Vault.isAlone(arguments) ? ["--alone"] : [])
    let name = ClearClipboardCommand.command.name
    _ = ChildProcess.start(
      own, [processName, name, program.rawValue, String(seconds)] + vault,
      .init(input: source, output: nowhere, errors: nowhere), isDetached: true)
    for descriptor in [source, nowhere] { close(descriptor) }
    let digest = SHA256.digest(salt + content).hexadecimal
    try Descriptor.write(mark + [0x0A] + Array(digest.utf8) + [0x0A], to: feed)
    close(feed)
  }

  /// Waits and clears, in the process that ``schedule(_:after:_:)`` started.
  static func wait(_ program: ClipboardProgram, _ seconds: Int, _ invocation: Invocation) throws(Failure) {
    guard let mark = try Descriptor.readLine(0), let digest = try Descriptor.readLine(0) else { return }
    let end = now() + Int64(seconds) * 1_000
    let vault = invocation.vault
    // What a private process serves is locked when that process ends, which is before this. A shared service that does not
    // answer any more is locking the vault, or has ended.
    let isShared = !Vault.isAlone(invocation.arguments)
    var isLocked = isShared && (!vault.connectIfRunning() || (try? vault.status())?.isLocked != false)
    while now() < end, !isLocked {
      let left = Int32(clamping: max(end - now(), 1))
      if isShared, let connection = vault.connection {
        isLocked = try connection.waitForLock(timeout: left)
      } else {
        _ = try Signals.wait(for: [], timeout: left)
      }
    }
    // A later copy, even of the same text, has its own time.
    if let place = markPlace, let last = readMark(place), last != Array(mark.utf8) { return }
    guard let salt = [UInt8](hexadecimal: mark), let content = try program.content(),
      SHA256.digest(salt + content).hexadecimal == digest
    else { return }
    try program.clear()
    if let place = markPlace { unsafe unlink(place) }
  }

  /// Milliseconds that also pass while the machine sleeps.
  private static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  // MARK: The mark of the last copy

  private static var markPlace: String? {
    guard let directory = Environment.nonEmptyValue("XDG_RUNTIME_DIR"), unsafe access(directory, W_OK) == 0
    else {
      return nil
    }
    return "\(directory)/quickvault-clipboard"
  }

  private static func writeMark(_ mark: [UInt8]) {
    guard let place = markPlace else { return }
    let file = unsafe open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    _ = unsafe write(file, mark, mark.count)
    close(file)
  }

  private static func readMark(_ place: String) -> [UInt8]? {
    let file = unsafe open(place, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(file, &buffer, buffer.count)
    return count >= 0 ? Array(buffer.prefix(count)) : nil
  }
}

enum ClearClipboardCommand {
  static let command = Command(
    name: "clear-clipboard", summary: Localized("clear the clipboard later", "稍后清除剪贴板"),
    isHidden: true
  ) { invocation throws(Failure) in
    guard invocation.operands.count == 2, let program = ClipboardProgram(rawValue: invocation.operands[0]),
      let seconds = Int(invocation.operands[1])
    else { throw .usage(Localized("nothing to clear", "没有要清除的内容")) }
    try ClipboardTimer.wait(program, seconds, invocation)
  }
}
