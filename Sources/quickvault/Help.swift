import VaultModel

extension Localized {
  /// What `--help` prints.
  static let help = Localized(english, simplifiedChinese)

  private static let english = """
    quickvault - an encrypted vault for the facts that you paste all day

    Usage: quickvault [--vault PATH] [--helpers DIRECTORY] [--verbose]
           quickvault demo [--helpers DIRECTORY] [--verbose]
           quickvault doctor [--json] [--vault PATH] [--helpers DIRECTORY]

    Speaks JSON-RPC 2.0 on standard input and output: one message a line, or framed by
    Content-Length headers as language servers are; the first byte tells which.

    Commands:
      demo           the conversation is about a new vault with sample cards, which is gone
                     at its end; its password is "demo demo", to try locking with
      doctor         print what is there and what is amiss, and what to do about it;
                     with --json as JSON

    Options:
      --vault PATH   the vault's file; else $QUICKVAULT_VAULT, else
                     $XDG_DATA_HOME/quickvault/vault.quickvault, where XDG_DATA_HOME
                     is ~/.local/share unless it is set
      --helpers DIRECTORY
                     where quickvault-imaging and the other programs are that this one
                     starts; else beside it and in ../libexec/quickvault from there
      -v, --verbose  tell on standard error which methods are called and how they end;
                     never their parameters or results
      -h, --help     print this
      -V, --version  print the version

    Exit status: 0 after a clean end, 1 after a broken conversation, 64 when it was
    called wrongly, 71 when the system refuses what it needs. The doctor's is 0 when
    all is well and 1 when something is amiss.

    An example:
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"vault/status"}' | quickvault

    The methods: {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}

    """

  private static let simplifiedChinese = """
    quickvault - 随取：为每天要粘贴的资料准备的加密保险库

    用法：quickvault [--vault 路径] [--helpers 目录] [--verbose]
          quickvault demo [--helpers 目录] [--verbose]
          quickvault doctor [--json] [--vault 路径] [--helpers 目录]

    在标准输入和标准输出上使用 JSON-RPC 2.0：每行一条消息，或像语言服务器那样用
    Content-Length 头分帧；由第一个字节决定。

    命令：
      demo           对话使用一个新的保险库，内有示例卡片，结束时即消失；
                     其密码是 "demo demo"，可用来试试锁定
      doctor         显示有什么、缺什么，以及该怎么办；
                     加 --json 则输出 JSON

    选项：
      --vault 路径   保险库文件；不指定时为 $QUICKVAULT_VAULT，再次为
                     $XDG_DATA_HOME/quickvault/vault.quickvault，
                     其中 XDG_DATA_HOME 未设置时为 ~/.local/share
      --helpers 目录 quickvault-imaging 等由本程序启动的程序所在的目录；
                     不指定时为本程序旁边，以及相对于它的 ../libexec/quickvault
      -v, --verbose  在标准错误上说明调用了哪些方法、结果如何；
                     从不包含其参数和结果
      -h, --help     显示本说明
      -V, --version  显示版本

    退出状态：正常结束为 0，对话中断为 1，用法错误为 64，系统拒绝所需资源为 71。
    doctor 在一切正常时为 0，有需要处理之处时为 1。

    示例：
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"vault/status"}' | quickvault

    各方法见：{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}

    """
}
