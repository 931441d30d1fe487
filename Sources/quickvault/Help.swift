import VaultInterface

extension Localized {
  /// What `--help` prints.
  static let help = Localized(english, simplifiedChinese)

  private static let english = """
    quickvault - encrypted vault for the addresses, invoice details and notes you paste

    Usage: quickvault [--shared] [--vault PATH] [--helpers DIRECTORY] [--verbose]
                      [--pinentry PROGRAM]
           quickvault lsp [--vault PATH] [--helpers DIRECTORY] [--verbose]
           quickvault serve --socket [--background] [--vault PATH]
                            [--helpers DIRECTORY] [--verbose] [--pinentry PROGRAM]
           quickvault demo [--helpers DIRECTORY] [--verbose] [--pinentry PROGRAM]
           quickvault doctor [--json | --report] [--vault PATH] [--helpers DIRECTORY]
           quickvault merge OURS THEIRS
           quickvault privacy

    Serves a vault over JSON-RPC 2.0 on standard input and output. Messages are one per
    line, or framed by Content-Length headers as in the Language Server Protocol; the
    first byte of the input decides.

    Commands:
      lsp            the same as --shared, for an editor that speaks the Language Server
                     Protocol: it completes cards after ;; and inserts what you choose
      serve          serve all clients of this user and vault on a socket, until the
                     vault is locked and nobody is connected; ends at once if such a
                     service is running; uses the socket of systemd if there is one
      demo           serve a new vault with sample cards, which is deleted when you quit;
                     its password is "demo demo"
      doctor         check the installation and the vault's file, and say how to fix
                     problems; --json prints JSON, --report prints the results and
                     the last errors for a bug report
      merge          merge the vault in the file THEIRS into a copy of it in OURS, from a
                     script or git; needs qv; see 'quickvault merge --help'
      privacy        print what leaves this machine, what others learn, and the terms

    Options:
      --shared       share one unlock with other clients: connect to the service of the
                     vault, and start it if none runs
      --socket       serve on a socket in $XDG_RUNTIME_DIR/quickvault
      --background   return when the service is ready, and leave it running
      --vault PATH   the vault's file; default: $QUICKVAULT_VAULT, or else
                     $XDG_DATA_HOME/quickvault/vault.quickvault
                     (XDG_DATA_HOME defaults to ~/.local/share)
      --helpers DIRECTORY
                     the directory of quickvault-imaging and the other helper programs;
                     default: that of quickvault, then ../libexec/quickvault
      --pinentry PROGRAM
                     the program that asks for passwords if a client wants that, as an
                     absolute path; default: /usr/bin/pinentry
      -v, --verbose  log methods and their outcomes on standard error, but never
                     parameters or results
      -h, --help     print this help
      -V, --version  print the version

    Exit status: 0 after a normal end, 1 if the conversation or the shared service ended
    unexpectedly, 64 for a usage error, 71 if the system refuses a resource. doctor: 0 without
    problems, 1 otherwise.

    Example:
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"vault/status"}' | quickvault

    List of methods: {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}

    """

  private static let simplifiedChinese = """
    quickvault - 随取：加密保存每天要粘贴的地址、开票信息和笔记

    用法：quickvault [--shared] [--vault 路径] [--helpers 目录] [--verbose]
                     [--pinentry 程序]
          quickvault lsp [--vault 路径] [--helpers 目录] [--verbose]
          quickvault serve --socket [--background] [--vault 路径]
                           [--helpers 目录] [--verbose] [--pinentry 程序]
          quickvault demo [--helpers 目录] [--verbose] [--pinentry 程序]
          quickvault doctor [--json | --report] [--vault 路径] [--helpers 目录]
          quickvault merge 我方 对方
          quickvault privacy

    通过标准输入和标准输出，以 JSON-RPC 2.0 提供保险库服务。每行一条消息，或按语言
    服务器协议以 Content-Length 头分帧；由输入的第一个字节决定。

    命令：
      lsp            与 --shared 相同，供支持语言服务器协议的编辑器使用：在 ;; 之后
                     补全卡片，并插入您选择的内容
      serve          通过套接字为本用户使用此保险库的所有客户端提供服务，直到保险库
                     锁定且没有客户端连接；若已有这样的服务在运行，则立即退出。
                     如果 systemd 传入了套接字，则使用它
      demo           使用带示例卡片的新保险库，退出时自动删除；
                     密码是“demo demo”
      doctor         检查安装情况和保险库文件，并说明如何解决问题；
                     加 --json 则输出 JSON，加 --report 则输出检查结果
                     和最近的错误，用于提交问题报告
      merge          把文件“对方”中的保险库合并到同一保险库的副本“我方”中，供脚本和
                     git 使用；需要 qv，详见 quickvault merge --help
      privacy        显示哪些内容会离开这台电脑、他人能知道什么，以及条款

    选项：
      --shared       与其他客户端共用一次解锁：连接到此保险库的服务，
                     没有则先启动
      --socket       在 $XDG_RUNTIME_DIR/quickvault 中的套接字上提供服务
      --background   服务就绪后返回，让它继续在后台运行
      --vault 路径   保险库文件；默认为 $QUICKVAULT_VAULT，其次为
                     $XDG_DATA_HOME/quickvault/vault.quickvault
                     （XDG_DATA_HOME 默认为 ~/.local/share）
      --helpers 目录 quickvault-imaging 等辅助程序所在的目录；
                     默认为本程序所在目录，其次为 ../libexec/quickvault
      --pinentry 程序
                     客户端需要时用来询问密码的程序，须为绝对路径；
                     默认为 /usr/bin/pinentry
      -v, --verbose  在标准错误输出中记录调用的方法及其结果状态，
                     但从不包含参数和返回内容
      -h, --help     显示本帮助
      -V, --version  显示版本

    退出状态：正常结束为 0，对话或共享服务中断为 1，用法错误为 64，系统未能提供所需
    资源为 71。doctor：没有问题时为 0，否则为 1。

    示例：
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"vault/status"}' | quickvault

    方法列表：{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}

    """
}
