import Foundation
import TestSupport
import Testing

/// The program as used in a shell.
@Suite("Command line", .serialized) struct CommandLineTests {
  private static let three =
    #"'{"jsonrpc":"2.0","id":1,"method":"vault/create","params":{"password":"三月的雨 and 42 umbrellas"}}' "#
    + #"'{"jsonrpc":"2.0","id":2,"method":"card/create","params":{"title":"Gate","group":"personal","type":"text","fields":{"text":"lantern"}}}' "#
    + #"'{"jsonrpc":"2.0","id":3,"method":"card/search","params":{"query":"lantern"}}'"#

  @Test(
    "Three lines piped from any shell are answered, without any option",
    arguments: ["/bin/sh", "/bin/bash", "/usr/bin/zsh"])
  func pipes(_ shell: String) async throws {
    let result = try await onThread {
      let directory = try TemporaryDirectory()
      let environment = [
        "PATH": "/usr/bin:/bin", "PROGRAM": try Repository.program(),
        "QUICKVAULT_VAULT": directory.appending("vault.quickvault"),
      ]
      return try run(shell, ["-c", #"printf '%s\n' \#(Self.three) | "$PROGRAM""#], environment: environment)
    }
    #expect(result.status == 0)
    #expect(result.error.isEmpty)
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 5)
    #expect(lines[0].hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"cardCount":0,"#))
    #expect(lines[1].hasPrefix(#"{"jsonrpc":"2.0","id":2,"result":{"card":{"#))
    #expect(lines[2].hasPrefix(#"{"jsonrpc":"2.0","method":"window/showMessage","#))
    #expect(lines[3].hasPrefix(#"{"jsonrpc":"2.0","id":3,"result":{"items":[{"card":{"#))
    #expect(lines[3].hasSuffix(#""snippet":"lantern","ranges":[[0,7]]}]}],"total":1}}"#))
    #expect(lines[4] == #"{"jsonrpc":"2.0","method":"session/didLock","params":{"reason":"shutdown"}}"#)
  }

  @Test("The vault is named by --vault, QUICKVAULT_VAULT, XDG_DATA_HOME or HOME, in this order")
  func paths() async throws {
    let all = ["QUICKVAULT_VAULT": "/q/v", "XDG_DATA_HOME": "/x", "HOME": "/h"]
    func path(_ arguments: [String], without: [String] = [], with: [String: String] = [:]) async throws
      -> String
    {
      let environment = all.filter { !without.contains($0.key) }.merging(with) { $1 }
      let result = try await onThread {
        try run(
          Repository.program(), arguments, environment: environment,
          input: #"{"jsonrpc":"2.0","id":1,"method":"vault/status"}"#)
      }
      let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      return try #require((object?["result"] as? [String: Any])?["path"] as? String, "\(result)")
    }
    #expect(try await path(["--vault", "/a/b"]) == "/a/b")
    #expect(try await path(["--vault=/a/b"]) == "/a/b")
    #expect(try await path([]) == "/q/v")
    #expect(try await path([], with: ["QUICKVAULT_VAULT": ""]) == "/x/quickvault/vault.quickvault")
    #expect(try await path([], without: ["QUICKVAULT_VAULT"]) == "/x/quickvault/vault.quickvault")
    let home = "/h/.local/share/quickvault/vault.quickvault"
    #expect(try await path([], without: ["QUICKVAULT_VAULT", "XDG_DATA_HOME"]) == home)
    #expect(try await path([], without: ["QUICKVAULT_VAULT"], with: ["XDG_DATA_HOME": "relative"]) == home)
  }

  @Test(
    "What cannot be printed is an error", arguments: ["--help", "--version", "privacy", "doctor --json"])
  func fullDisk(_ words: String) async throws {
    let result = try await onThread {
      try run(
        "/bin/sh", ["-c", "\"$PROGRAM\" \(words) >/dev/full"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PROGRAM": try Repository.program()])
    }
    #expect(result.status == 71)
    #expect(result.error == "quickvault: write: No space left on device\n")
  }

  @Test(
    "--help and --version print to standard output and end with 0",
    arguments: ["--help", "-h", "--version", "-V"])
  func help(_ flag: String) async throws {
    let result = try await onThread { try run(Repository.program(), [flag]) }
    #expect(result.status == 0)
    #expect(result.error.isEmpty)
    if flag.contains("help") || flag == "-h" {
      for word in ["--vault", "--verbose", "--help", "--version", "QUICKVAULT_VAULT", "Exit status"] {
        #expect(result.output.contains(word), "\(word)")
      }
    } else {
      #expect(result.output.wholeMatch(of: /quickvault \d+\.\d+\.\d+\n/) != nil)
    }
  }

  @Test(
    "An invalid command line gives a hint and status 64",
    arguments: [
      (["--vualt"], "unknown option: --vualt"), (["--vaults"], "did you mean --vault?"),
      (["--ver"], "did you mean --version?"), (["--vault"], "--vault needs a path"),
      (["--vault="], "--vault needs a path"), (["file"], "unexpected argument: file"),
      (["-x"], "unknown option: -x"), (["--json=no"], "unknown option: --json=no"),
      (["--share"], "did you mean --shared?"),
      (["serve"], "serve needs --socket"), (["--socket"], "--socket can only be used with serve"),
      (["--shared", "--background"], "--background can only be used with serve"),
      (["--shared", "demo"], "--shared cannot be used with a command"),
      (["privacy", "--shared"], "--shared cannot be used with a command"),
      (["privacy", "doctor"], "unexpected argument: doctor"),
      (["doctor", "--shared"], "--shared cannot be used with a command"),
      (["serve", "--socket", "--shared"], "--shared cannot be used with a command"),
      (["serve", "demo"], "unexpected argument: demo"), (["demo", "serve"], "unexpected argument: serve"),
    ])
  func misuse(_ arguments: [String], _ hint: String) async throws {
    let result = try await onThread { try run(Repository.program(), arguments) }
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error.contains(hint))
    #expect(result.error.contains("Try 'quickvault --help'."))
  }

  @Test("privacy prints what others learn and the terms, in both languages, without a vault")
  func privacy() async throws {
    let (english, chinese, names) = try await onThread {
      let directory = try TemporaryDirectory()
      let home = ["HOME": directory.path, "XDG_RUNTIME_DIR": directory.path]
      return (
        try run(Repository.program(), ["privacy"], environment: home),
        try run(
          Repository.program(), ["privacy"], environment: home.merging(["LANG": "zh_CN.UTF-8"]) { $1 }),
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
      )
    }
    for result in [english, chinese] {
      #expect(result.status == 0 && result.error.isEmpty)
      for word in ["WebDAV", "OpenID", "quickvault-carrier", "Apache License 2.0", "protocol/SYNC-FORMAT.md"]
      {
        #expect(result.output.contains(word), "\(word)")
      }
    }
    for word in ["sizes", "times", "address", "does not learn", "without warranty"] {
      #expect(english.output.contains(word), "\(word)")
    }
    for word in ["大小", "时间", "网络地址", "不知道", "不提供任何担保"] {
      #expect(chinese.output.contains(word), "\(word)")
    }
    #expect(names.isEmpty)
  }

  @Test("In a Chinese locale the help, usage errors and the demo's message are Chinese")
  func chinese() async throws {
    let chinese = ["LANG": "zh_CN.UTF-8"]
    let (english, help) = try await onThread {
      (
        try run(Repository.program(), ["--help"]).output,
        try run(Repository.program(), ["--help"], environment: chinese).output
      )
    }
    #expect(help.contains("用法：quickvault [--shared] [--vault 路径]") && help.contains("退出状态"))
    // Options and names are the same in both languages.
    for word in [
      "$QUICKVAULT_VAULT", "$XDG_DATA_HOME", "quickvault-imaging", "-v,", "-h,", "-V,", "rpc.discover",
      "--vault", "--helpers", "--verbose", "--json", "--help", "--version", "doctor", "merge", "demo demo",
      "64", "71",
      "--shared", "serve --socket", "--background", "$XDG_RUNTIME_DIR/quickvault",
    ] {
      #expect(english.contains(word) && help.contains(word), "\(word)")
    }
    let misused = [
      (["--vualt"], "未知选项：--vualt"), (["--vaults"], "是否要用 --vault？"), (["--vault"], "--vault 后需要给出路径"),
      (["--helpers="], "--helpers 后需要给出目录"), (["file"], "多余的参数：file"), (["--json"], "--json 只能与 doctor 一起使用"),
      (["demo", "--vault", "/nowhere"], "demo 使用专用的保险库"), (["demo", "--shared"], "--shared 不能与命令一起使用"),
      (["serve"], "serve 后需要 --socket"), (["--socket"], "--socket 只能与 serve 一起使用"),
    ]
    for (arguments, hint) in misused {
      let result = try await onThread { try run(Repository.program(), arguments, environment: chinese) }
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(
        result.error.contains(hint) && result.error.contains("请参见 quickvault --help。"), "\(result.error)")
      #expect(!result.error.contains("Try "))
    }
    let demo = try await onThread {
      let place = try TemporaryDirectory()
      return try run(
        Repository.program(), ["demo"], environment: ["LANG": "zh_CN.UTF-8", "XDG_RUNTIME_DIR": place.path])
    }
    #expect(demo.error.contains("示例卡片") && !demo.error.contains("sample cards"), "\(demo.error)")
  }

  @Test(
    "R17 --verbose logs methods on standard error, nothing private, and nothing on standard output"
  )
  func verbose() async throws {
    let secrets = ["lantern", "Gate", ProgramClient.password, "签证"]
    let (output, error) = try await onThread {
      let directory = try TemporaryDirectory()
      let requests = [
        #""vault/create","params":{"password":"\#(ProgramClient.password)"}"#,
        #""card/create","params":{"title":"Gate","group":"personal","type":"text","fields":{"text":"lantern"},"tags":["签证"]}"#,
        #""card/search","params":{"query":"lantern 签证"}"#,
        #""session/unlock","params":{"password":"lantern"}"#,
        #""card/list","params":{"lantern":1}"#, #""session/lock""#, #""card/list""#,
      ]
      let lines = requests.enumerated().map { #"{"jsonrpc":"2.0","id":\#($0),"method":\#($1)}"# + "\n" }
      let result = try run(
        Repository.program(), ["-v", "--vault", directory.appending("v")], input: lines.joined())
      return (result.output, result.error)
    }
    #expect(output.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"jsonrpc":"2.0","#) })
    #expect(error.contains("card/create: done"))
    #expect(error.contains("locked: request"))
    for secret in secrets { #expect(!error.contains(secret)) }
  }
}
