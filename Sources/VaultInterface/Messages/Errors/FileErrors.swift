import Wire

extension ErrorKind {
  /// Errors of files, imports and copies of the vault.
  static let files: [ErrorKind] = [
    ErrorKind("file.notFound", 1551, .file, "There is no such file or directory.", "找不到该文件或目录。"),
    ErrorKind(
      "file.notRegular", 1552, .file, "This is not a file but a directory, a link, a device or a pipe.",
      "这不是文件，而是目录、链接、设备或管道。"),
    ErrorKind(
      "file.unreadable", 1553, .file, data: ["reason": "permissionDenied | inputOutput | outOfMemory | busy"],
      reasons: [
        "permissionDenied": ("The system denies permission to read the file.", "没有读取该文件的权限。"),
        "": ("The file cannot be read.", "无法读取该文件。"),
      ]),
    ErrorKind("file.exists", 1554, .file, "A file with this name already exists.", "已有同名文件。"),
    ErrorKind(
      "file.notWritable", 1555, .file,
      data: ["reason": "permissionDenied | diskFull | readOnly | busy | inputOutput | outOfMemory"],
      reasons: [
        "permissionDenied": ("The system denies permission to write the file.", "没有写入该文件的权限。"),
        "diskFull": ("The disk is full; no file was written.", "磁盘已满，未写入文件。"),
        "busy": ("A vault uses a file with this name.", "有保险库正在使用同名文件。"),
        "readOnly": ("The file system is read-only.", "文件系统为只读。"),
        "": ("The file cannot be written.", "无法写入该文件。"),
      ]),
    ErrorKind(
      "file.tooLarge", 1556, .invalid, "The file is longer than {size}.", "文件超过 {size}。",
      data: ["limit": "integer 1…: The maximum size, in bytes."]),
    ErrorKind(
      "import.unknownFormat", 1601,
      data: [
        "found?":
          "kdbx | keepass1-xml | 1pux | 1pif | proton-json | encrypted | spreadsheet | archive | html: What the file is, if it is known. The message says what to export instead."
      ],
      reasons: [
        "kdbx": (
          "This is a KeePass database. Open it in KeePass or KeePassXC, export it as XML, and import that.",
          "这是 KeePass 数据库。请用 KeePass 或 KeePassXC 打开，导出为 XML 后再导入。"
        ),
        "keepass1-xml": (
          "This is the XML of KeePass 1. Export it as CSV from KeePass 1, and import that.",
          "这是 KeePass 1 的 XML。请在 KeePass 1 中导出为 CSV 后再导入。"
        ),
        "1pux": (
          "This is a 1PUX file of 1Password. Export as CSV from 1Password, and import that.",
          "这是 1Password 的 1PUX 文件。请在 1Password 中导出为 CSV 后再导入。"
        ),
        "1pif": (
          "This is a 1PIF file of 1Password. Export as CSV from 1Password, and import that.",
          "这是 1Password 的 1PIF 文件。请在 1Password 中导出为 CSV 后再导入。"
        ),
        "proton-json": (
          "This is the JSON of Proton Pass. Export as CSV from Proton Pass, and import that.",
          "这是 Proton Pass 的 JSON。请在 Proton Pass 中导出为 CSV 后再导入。"
        ),
        "encrypted": (
          "The file is encrypted. Export it again without a password, and import that.",
          "该文件已加密。请重新导出为未加密的文件后再导入。"
        ),
        "spreadsheet": (
          "This is a spreadsheet. Save it as CSV in UTF-8, and import that.",
          "这是电子表格。请另存为 UTF-8 编码的 CSV 后再导入。"
        ),
        "archive": (
          "This is an archive. Unpack it, and import the files in it one by one.", "这是压缩包。请解压后逐个导入其中的文件。"
        ),
        "html": (
          "This is a web page. Export as CSV from the program that wrote it, and import that.",
          "这是网页。请在导出它的程序中改为导出 CSV 后再导入。"
        ), "": ("Files of this format cannot be imported.", "不支持导入该格式的文件。"),
      ]),
    ErrorKind(
      "import.unreadable", 1602, "{place}{reason}", "{place}{reason}",
      data: ["reason": "", "line?": "integer 1…: The line of the problem, from 1, if it is known."],
      reasons: [
        "empty": ("The file is empty.", "该文件为空。"),
        "encoding": ("The text is in no known encoding.", "无法识别文本编码。"),
        "malformed": ("The file is damaged or incomplete at this point.", "该文件在此处已损坏或不完整。"),
        "documentType": ("The file declares a document type, which is not allowed.", "该文件含有不允许使用的文档类型声明。"),
        "nestingTooDeep": ("The content is nested too deeply.", "其内容嵌套过深。"),
        "tooManyColumns": ("The row has more than 1,000 cells.", "该行的单元格超过 1,000 个。"),
        "encrypted": ("The export is encrypted: export it without a password.", "该导出文件已加密，请重新导出为未加密的文件。"),
        "newerVersion": ("A newer version of QuickVault wrote the file.", "该文件由较新版本的随取写入。"),
      ]),
    ErrorKind(
      "import.invalid", 1603, .invalid, "Nothing was imported: {count} of {total} entries cannot be stored.",
      "未导入任何内容：{total} 个条目中有 {count} 个无法保存。", data: ["report": "ImportReport"]),
    ErrorKind(
      "import.tooMany", 1604, .invalid, "The file has more than {limit} entries.", "该文件的条目超过 {limit} 个。",
      data: ["limit": "100000"]),
    ErrorKind(
      "import.mappingInvalid", 1605, .invalid, data: ["column": "string"],
      reasons: [
        "unknownColumn": ("The file has no column \"{column…}\".", "该文件中没有列“{column…}”。"),
        "unknownTarget": ("The target of column \"{column…}\" is unknown.", "无法识别列“{column…}”的目标。"),
        "repeatedTarget": ("Another column has the same target as \"{column…}\".", "另一列与列“{column…}”的目标相同。"),
      ]),
    ErrorKind(
      "backup.notVerified", 1651, "The written copy does not match the vault; no backup was made.",
      "写入的内容与保险库不符，未生成备份。"),
    ErrorKind(
      "backup.needsDirectory", 1652, "To keep a number of backups, give a directory, not a file.",
      "只有备份到目录时，才能指定保留的份数。"),
    ErrorKind("backup.inUse", 1653, "A vault with this name is in use.", "同名的保险库正在使用中。"),
    ErrorKind(
      "repair.notPossible", 1654, "The part that contains the key is lost; restore a backup.",
      "存放密钥的部分已丢失，只能从备份恢复。"),
    ErrorKind(
      "merge.anotherVault", 1655, "This is another vault, not a copy of this one.", "这是另一个保险库，不是此保险库的副本。"),
    ErrorKind("merge.sameFile", 1656, "This is the vault's own file.", "这就是此保险库自身的文件。"),
    ErrorKind("merge.damagedCopy", 1657, "The copy is damaged; repair it first.", "该副本已损坏，请先修复。"),
    ErrorKind(
      "merge.passwordRequired", 1658, "This vault's key does not open the copy. Enter the copy's password.",
      "此保险库的密钥打不开该副本，请输入该副本的密码。"),
    ErrorKind(
      "merge.otherKey", 1659,
      "The vault's key was changed after one of the two copies was made. Export the other copy, and import that file.",
      "其中一个副本生成之后，保险库更换过密钥。请导出另一个副本，再导入导出的文件。"),
  ]

  /// Errors of synchronisation and accounts.
  static let sync: [ErrorKind] = [
    ErrorKind("sync.notEnabled", 1751, "The vault is not synchronised.", "此保险库未开启同步。"),
    ErrorKind("sync.alreadyEnabled", 1752, "The vault is already synchronised.", "此保险库已开启同步。"),
    ErrorKind("sync.noVault", 1753, "This folder contains no vault to join.", "该文件夹中没有可以加入的保险库。"),
    ErrorKind(
      "sync.wrongPassword", 1754, .wrongPassword, "This password does not open a vault in the folder.",
      "该密码打不开文件夹中的保险库。"),
    ErrorKind("sync.ownReplica", 1755, "This is the machine that you are using.", "这就是本机。"),
    ErrorKind("sync.unknownReplica", 1756, .notFound, "There is no such machine.", "没有这台电脑。"),
    ErrorKind(
      "sync.newKey", 1757,
      "Another machine has changed the vault's key. Enter the new password to continue synchronising.",
      "另一台电脑已更换密钥，请输入新密码以继续同步。"),
    ErrorKind("sync.samePassword", 1758, "The new password must differ from the old one.", "新密码与旧密码相同。"),
    ErrorKind(
      "sync.vaultInFolder", 1759,
      "The vault's file is in this folder. Choose a folder that does not contain it.",
      "保险库文件就在这个文件夹里，请选择不包含它的文件夹。"),
    ErrorKind(
      "sync.folderNotFound", 1760, .file,
      "The folder cannot be reached. If it is on a removable medium or a server, connect that first.",
      "无法访问该文件夹。如果它在可移动介质或服务器上，请先连接。"),
    ErrorKind("sync.notAFolder", 1761, .file, "This is not a folder.", "这不是文件夹。"),
    ErrorKind(
      "sync.onlyPlaceholders", 1762, .file,
      "The folder has only placeholders of its files. Let the cloud client keep the folder on this machine, then try again.",
      "该文件夹中只有占位文件。请让云盘客户端把该文件夹保留在本机，然后重试。"),
    ErrorKind("account.notSignedIn", 1801, "You are not signed in.", "尚未登录。"),
    ErrorKind("account.alreadySignedIn", 1802, "You are already signed in. Sign out first.", "已经登录，请先退出登录。"),
    ErrorKind(
      "account.carrierMissing", 1803, "Install quickvault-carrier, then lock and start QuickVault again.",
      "请安装 quickvault-carrier，然后锁定并重新启动随取。"),
    ErrorKind(
      "account.carrierFailed", 1804, "quickvault-carrier ended unexpectedly. Try again.",
      "quickvault-carrier 意外退出，请重试。"),
    ErrorKind(
      "account.keychainLocked", 1805,
      "The sign-in is in the desktop's keychain, which is locked or does not answer. Unlock it and try again.",
      "登录信息保存在桌面密钥环中，而密钥环已锁定或没有响应。请解锁密钥环后重试。"),
    ErrorKind(
      "account.damaged", 1806,
      reasons: [
        "there": (
          "Files on the server are damaged and were not carried, such as {file}. The others were. Delete the damaged ones there: what is whole on this machine is sent again.",
          "服务器上有文件已损坏，未能传送，例如 {file}；其余文件已传送。请在服务器上删除损坏的文件，本机的完整副本会重新上传。"
        ),
        "": (
          "Files are damaged on this machine or on the server and were not carried, such as {file}. The others were. Compare the two copies and delete the damaged one, usually the shorter: the other is copied again.",
          "有文件在本机或服务器上已损坏，未能传送，例如 {file}；其余文件已传送。请比较两处的副本，删除损坏的一份（通常较短），完好的一份会重新复制。"
        ),
      ]),
  ]
}
