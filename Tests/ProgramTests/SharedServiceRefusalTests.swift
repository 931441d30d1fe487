import Foundation
import Glibc
import TestSupport
import Testing

/// Sockets and directories that others could have made, and users without a directory for them.
@Suite("Shared service: refusals", .serialized) struct SharedServiceRefusalTests {
  private static let other: uid_t = 54_321
  private let shared: SharedVault

  init() throws { shared = try SharedVault() }

  /// Runs a client until it ends by itself.
  private static func failure(_ shared: SharedVault, locale: String = "C") throws -> String {
    let client = try shared.client(locale: locale)
    #expect(try client.program.exitStatus() == 1)
    return client.program.standardError
  }

  @Test("U a link, a file or a directory that others may enter is refused, in both languages")
  func directories() async throws {
    let shared = shared
    try await onThread {
      let path = shared.directory
      symlink("/tmp", path)
      #expect(try Self.failure(shared).contains("\(path) is a symbolic link; remove it"))
      #expect(try Self.failure(shared, locale: "zh_CN").contains("\(path) 是符号链接，请删除"))
      unlink(path)

      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(try Self.failure(shared).contains("\(path) is not a directory"))
      unlink(path)

      mkdir(path, 0o700)
      chmod(path, 0o755)
      #expect(try Self.failure(shared).contains("\(path) has the mode 755 instead of 700; run: chmod 700"))
      chmod(path, 0o700)
      let client = try shared.client()
      try client.call("vault/status")
    }
  }

  @Test("U the doctor says whether a service runs, is of an earlier version, or cannot be reached, and why")
  func doctor() async throws {
    let shared = shared
    try await onThread {
      try Self.expectFinding(shared, ("ok", "none runs; it would listen on \(shared.directory)/"))
      let client = try shared.client()
      try client.call("vault/status")
      try Self.expectFinding(shared, ("ok", "runs as process \(try shared.service)"))
      chmod(shared.directory, 0o755)
      try Self.expectFinding(shared, ("failed", "\(shared.directory) has the mode 755 instead of 700;"))
      chmod(shared.directory, 0o700)
      _ = try client.program.finish()

      let socket = try shared.lockFile.replacing(".lock", with: ".sock")
      try shared.endService()
      let answer = #"{"quickvault":1,"version":"0.1.0","process":4711}"#
      let old = try RunningProgram("/usr/bin/python3", ["-c", Self.answering, socket, answer])
      #expect(try old.channel.message() == "1")
      try Self.expectFinding(
        shared, ("failed", "process 4711 is still of version 0.1.0, and the program of "))
      let silent = try RunningProgram("/usr/bin/python3", ["-c", Self.answering, socket, "nonsense"])
      #expect(try silent.channel.message() == "1")
      try Self.expectFinding(shared, ("failed", "it does not answer"))
    }
  }

  /// Answers one greeting.
  private static let answering = """
    import os, socket, sys
    if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(sys.argv[1])
    listening.listen()
    print(1, flush=True)
    connection, _ = listening.accept()
    connection.makefile().readline()
    connection.sendall(sys.argv[2].encode() + b"\\n")
    sys.stdin.read()
    """

  /// Checks what the doctor says of the service: the state, and how the text begins.
  private static func expectFinding(_ shared: SharedVault, _ expected: (state: String, text: String)) throws {
    let result = try run(
      Repository.program(), ["doctor", "--json", "--vault", shared.vault], environment: shared.environment)
    let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let findings = report?["findings"] as? [[String: Any]] ?? []
    let finding = try #require(findings.first { $0["key"] as? String == "shared.service" })
    let found = try #require((finding["found"] as? [String: String])?["en"])
    #expect(finding["state"] as? String == expected.state && found.hasPrefix(expected.text), "\(found)")
  }

  @Test(
    "U a directory or a socket of another user is refused",
    .enabled(if: geteuid() == 0, "to make files of another user takes root"))
  func planted() async throws {
    let shared = shared
    try await onThread {
      let path = shared.directory
      mkdir(path, 0o700)
      chown(path, Self.other, Self.other)
      #expect(try Self.failure(shared).contains("\(path) belongs to another user (\(Self.other))"))
      chown(path, 0, 0)

      // Another user listens in our place: as if the directory had been open for a moment.
      let client = try shared.client()
      try client.call("vault/status")
      _ = try client.program.finish()
      let socket = try shared.lockFile.replacing(".lock", with: ".sock")
      try shared.endService()
      let listen = """
        import os, socket, sys
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(sys.argv[1])
        os.setuid(int(sys.argv[2]))
        listening.listen()
        print(1, flush=True)
        sys.stdin.read()
        """
      let planted = try RunningProgram("/usr/bin/python3", ["-c", listen, socket, "\(Self.other)"])
      #expect(try planted.channel.message() == "1")
      #expect(try Self.failure(shared).contains("its socket belongs to another user (\(Self.other))"))
    }
  }

  @Test(
    "U who became another user, as with su, uses a directory of that user, and cannot use another's service",
    .enabled(if: geteuid() == 0, "to become another user takes root"))
  func otherUser() async throws {
    let shared = shared
    try await onThread {
      let files = try TemporaryDirectory()
      chmod(files.path, 0o777)
      let program = files.appending("quickvault")
      guard try run("/bin/cp", [Repository.program(), program]).status == 0, chmod(program, 0o755) == 0 else {
        throw Failure("cp")
      }
      let vault = files.appending("home/vault.quickvault")
      mkdir(files.appending("home"), 0o700)
      chown(files.appending("home"), Self.other, Self.other)
      let mine = "/tmp/quickvault-\(Self.other)"
      let asOther = [
        "/usr/bin/setpriv", "--reuid=\(Self.other)", "--regid=\(Self.other)", "--clear-groups", program,
        "--shared",
      ]
      // Without the variable, and with that of somebody else.
      for environment in [[:], ["XDG_RUNTIME_DIR": "/run/user/0"], shared.environment] {
        let client = try ProgramClient(vault: vault, command: asOther, environment: environment)
        try client.call("vault/status")
        var information = stat()
        #expect(stat(mine, &information) == 0 && information.st_uid == Self.other)
        #expect(information.st_mode & 0o777 == 0o700)
      }
      // Root shares nothing with the user, not even with the user's own directory.
      let root = try ProgramClient(
        vault: vault, command: [program, "--shared"],
        environment: ["XDG_RUNTIME_DIR": files.appending("home")])
      try root.call("vault/status")
      for process in try Self.processes(vault) { kill(process, SIGTERM) }
      _ = try root.program.exitStatus()
      try? FileManager.default.removeItem(atPath: mine)
    }
  }

  /// The processes that serve a vault.
  private static func processes(_ vault: String) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return line.split(separator: 0).contains(Data(vault.utf8)) && line.contains("serve".utf8)
    }
  }
}
