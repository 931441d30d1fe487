import VaultInterface

extension Localized {
  /// What `privacy` prints.
  static let privacy = Localized(english, simplifiedChinese)

  private static let english = """
    What leaves this machine

    QuickVault itself sends nothing: the vault's process has no network access, collects
    no statistics and does not check for updates. You can turn on two features that send
    data:

    Synchronisation writes encrypted files to a folder that you choose. The service that
    carries the folder, such as Syncthing, git or a WebDAV server, and anyone else who can
    read it
      learns          the ID of the vault, how many machines there are, and when each
                      publishes changes; the number, sizes and times of the files; the
                      number and sizes of attachments; how the key is derived from your
                      password, and when the password was changed
      does not learn  the contents of cards, attachments and settings, the number of
                      cards, the names of your machines, or your password
      can             guess passwords, as with the vault's file; delete or withhold files

    quickvault-carrier carries that folder to a WebDAV server that you name. The server
    also learns the address of each machine, when it connects, and your user name. The
    connection is encrypted, unless the server is on this machine. If you sign in with a
    provider, such as Nextcloud, Google or your own OpenID provider, it learns which
    program signs in, when, from which address, and for which server. It does not learn your
    master password. Signing out revokes the sign-in, if the provider supports that.

    Deleting a vault here does not delete the folder or its copy on a server. To delete
    the copy and sign out, use qv account delete-data. The server keeps logs and backups
    according to its own terms.

    Terms

    QuickVault is free software under the Apache License 2.0, without warranty. There is
    no way to open a vault whose password is lost.

    More: protocol/SECURITY.md, protocol/SYNC-FORMAT.md and protocol/CARRIER.md in the
    documentation of this package.

    """

  private static let simplifiedChinese = """
    哪些内容会离开这台电脑

    随取本身不发送任何内容：保险库进程无法访问网络，不做统计，也不检查更新。
    会发送数据的功能只有以下两项，均须由您自行开启：

    同步会把加密的文件写入您选择的文件夹。传送该文件夹的工具（如 Syncthing、git 或
    WebDAV 服务器），以及能读取它的人，
      会知道  保险库的标识、电脑的数量和各自发布更改的时间；文件的数量、大小和时间；
              附件的数量和大小；由密码得出密钥的方式，以及更改密码的时间
      不知道  卡片、附件和设置的内容、卡片的数量、各台电脑的名称，以及您的密码
      可以    像拿到保险库文件一样反复猜测密码；删除文件，或不予传送

    quickvault-carrier 把该文件夹传送到您指定的 WebDAV 服务器。该服务器还会知道每台电脑
    的网络地址、连接的时间和您的用户名。除非服务器就在本机，连接都是加密的。如果您通过
    登录服务（如 Nextcloud、Google 或您自己的 OpenID 服务）登录，它会知道是哪个程序、
    何时、从哪个地址、为哪台服务器登录，但不知道您的主密码。退出登录会撤销凭据（如果该
    服务支持）。

    在这里删除保险库，不会删除该文件夹及其在服务器上的副本：可用 qv account delete-data
    删除后者并退出登录。服务器如何保留日志和备份，由其自身的条款决定。

    条款

    随取是自由软件，以 Apache License 2.0 许可，不提供任何担保。密码遗失后，无法打开
    保险库。

    更多内容：本软件包文档中的 protocol/SECURITY.md、protocol/SYNC-FORMAT.md 和
    protocol/CARRIER.md。

    """
}
