import Wire

extension ErrorKind {
  /// Errors of the vault, passwords and clients.
  static let vault: [ErrorKind] = [
    ErrorKind("vault.notFound", 1001, .noVault, "There is no vault here yet.", "此处还没有保险库。"),
    ErrorKind("vault.exists", 1002, .vault, "Something already exists at this path.", "该路径已被占用。"),
    ErrorKind("vault.locked", 1003, .locked, "The vault is locked.", "保险库已锁定。"),
    ErrorKind("vault.notAVault", 1004, .vault, "This file is not a QuickVault vault.", "该文件不是随取保险库。"),
    ErrorKind(
      "vault.newerVersion", 1005, .vault, "A newer version of QuickVault made this vault.", "该保险库由较新版本的随取创建。"),
    ErrorKind(
      "vault.damaged", 1006, .vault, "This part of the vault is damaged; nothing was changed.",
      "保险库的这一部分已损坏，未作任何更改。", data: ["id?": "RecordId"]),
    ErrorKind(
      "vault.unavailable", 1007, .file,
      data: [
        "reason":
          "permissionDenied | diskFull | readOnly | busy | inputOutput | missingDirectory | notARegularFile | invalidPath | unsupportedFileSystem | outOfMemory | writableByOthers",
        "holder?":
          "LockHolder: With `busy`: the process that uses the vault, if the system tells it. The request has waited for it for 5 seconds.",
      ],
      reasons: [
        "permissionDenied": ("The system denies access to the vault's file.", "没有访问保险库文件的权限。"),
        "diskFull": ("The disk is full; nothing was changed.", "磁盘已满，未作任何更改。"),
        "readOnly": ("The vault's file is read-only.", "保险库文件为只读。"),
        "busy": ("Another program is using the vault; try again.", "其他程序正在使用保险库，请重试。"),
        "inputOutput": ("The vault's file cannot be read or written.", "无法读写保险库文件。"),
        "missingDirectory": (
          "The directory of the vault is missing and cannot be created.", "保险库所在目录不存在且无法创建。"
        ), "notARegularFile": ("The vault's path is not a file.", "保险库路径不是文件。"),
        "invalidPath": ("The vault's path cannot be used.", "保险库路径无法使用。"),
        "unsupportedFileSystem": (
          "The file system does not support a vault that several programs use.", "该文件系统不支持多个程序同时使用保险库。"
        ), "outOfMemory": ("There is not enough memory.", "内存不足。"),
        "writableByOthers": (
          "Other users can write to the directory of the vault; keep the vault in a directory that only you can write to.",
          "其他用户可以写入保险库所在目录；请将保险库放在只有您能写入的目录中。"
        ),
        "holder": (
          "Another program is using the vault: {program} (process {process}). Try again.",
          "{program}（进程 {process}）正在使用保险库，请重试。"
        ),
      ]),
    ErrorKind(
      "vault.confirmationMismatch", 1008, .invalid, "The confirmation is not the name of the vault's file.",
      "输入的内容与保险库的文件名不一致。"),
    ErrorKind(
      "vault.unsupportedParameters", 1009, .vault,
      "The key derivation of this vault is outside the allowed limits.", "该保险库的密钥派生参数超出允许范围。"),
    ErrorKind(
      "vault.changed", 1010, .vault, "Another program changed the vault's password or replaced its file.",
      "其他程序更改了保险库的主密码，或替换了保险库文件。"),
    ErrorKind(
      "vault.older", 1011, .vault,
      "This is an older copy of the vault. It cannot be changed until you accept it.", "这是保险库的旧副本，确认后才能修改。"),
    ErrorKind(
      "vault.readOnly", 1012, .file,
      "The vault can only be read: its file cannot be written, or the disk was full.",
      "该保险库目前只能查看：其文件无法写入，或磁盘曾经写满。"),
    ErrorKind(
      "auth.wrongPassword", 1101, .wrongPassword,
      data: [
        "attemptsLeft": "integer 0…2: Attempts left before the next wait.",
        "retryAfterSeconds":
          "integer 0…900: The wait that this wrong password started; 0 while attempts are left.",
      ],
      reasons: [
        "0": ("Wrong password. Try again in {retryAfterSeconds} s.", "密码错误，请在 {retryAfterSeconds} 秒后重试。"),
        "1": ("Wrong password. 1 attempt left before a delay.", "密码错误，还可尝试 1 次，之后需等待。"),
        "": (
          "Wrong password. {attemptsLeft} attempts left before a delay.", "密码错误，还可尝试 {attemptsLeft} 次，之后需等待。"
        ),
      ]),
    ErrorKind(
      "auth.lockedOut", 1102, .wait, "Too many wrong passwords: try again in {retryAfterSeconds} s.",
      "密码错误次数过多，请在 {retryAfterSeconds} 秒后重试。", data: ["retryAfterSeconds": "integer 1…900"]),
    ErrorKind(
      "auth.passwordTooShort", 1103, .invalid, "The password needs at least {minimum} characters.",
      "密码至少需要 {minimum} 个字符。", data: ["minimum": "8: In characters as people count them."]),
    ErrorKind(
      "auth.passwordTooLong", 1104, .invalid, "The password is longer than {maximum} characters.",
      "密码超过 {maximum} 个字符。", data: ["maximum": "1024: In code points."]),
    ErrorKind(
      "auth.required", 1105, .locked, "This needs the master password or a fingerprint again.",
      "此操作需要再次验证主密码或指纹。", isSilent: true),
    ErrorKind(
      "auth.notAdmitted", 1110, .locked,
      "Another program has unlocked the vault. Give the password, or ask for consent, to use it here.",
      "保险库已由其他程序解锁。要在此使用，请输入主密码，或请求许可。", isSilent: true,
      data: [
        "ways":
          "[password | fingerprint | consent] unique: How the program can be admitted; `consent` if another program can ask its user."
      ]),
    ErrorKind(
      "auth.nobodyToAsk", 1111, .locked,
      "No program that is using the vault can answer. Give the password, or run qv clients allow in a terminal that may use the vault, and ask again.",
      "正在使用保险库的程序都无法答复。请输入主密码；或在已获准的终端中运行 qv clients allow，然后重新请求。"),
    ErrorKind(
      "auth.admissionRefused", 1112, .locked, "The request to use the vault was refused.", "使用保险库的请求已被拒绝。"),
    ErrorKind(
      "auth.askedTooOften", 1115, .wait,
      "Programs have asked too often to use the vault. Give the password, or ask again in {retryAfterSeconds} s.",
      "程序请求使用保险库过于频繁。请输入主密码，或在 {retryAfterSeconds} 秒后重新请求。",
      data: ["retryAfterSeconds": "integer 1…900"]),
    ErrorKind(
      "auth.tooManyLocks", 1116, .wait,
      "The vault was not locked: programs that may not use it have locked it too often. Lock it in a program that may use it.",
      "保险库未锁定：未获准使用保险库的程序锁定过于频繁。请在已获准的程序中锁定。",
      data: ["retryAfterSeconds": "integer 1…3600"]),
    ErrorKind("client.notFound", 1113, .notFound, "There is no such client.", "找不到该客户端。"),
    ErrorKind(
      "auth.notShared", 1114, .locked,
      "Each program has to unlock the vault itself: it is not shared, or the settings require the password.",
      "每个程序都须自行解锁保险库：保险库未共用，或设置要求输入主密码。"),
    ErrorKind(
      "edit.changed", 1120, "The text has changed since. Nothing was done: try again.", "文本已经改变，未执行任何操作。请重试。"),
    ErrorKind("edit.refused", 1121, "The editor did not insert it.", "编辑器未插入内容。"),
    ErrorKind(
      "edit.unknownText", 1124, "The text is not known. Change it, and try again.", "随取尚未收到该文档的文本。请先修改文档，再重试。"
    ),
  ]

  /// Errors of fingerprints, devices and pinentry.
  static let devices: [ErrorKind] = [
    ErrorKind(
      "biometric.authenticationFailed", 1401, "The fingerprint was not recognised. Use the password.",
      "未能识别指纹，请使用密码。"),
    ErrorKind("biometric.userCancel", 1402, "Cancelled.", "已取消。", isSilent: true),
    ErrorKind("biometric.userFallback", 1403, "The password is used instead.", "已改用密码。", isSilent: true),
    ErrorKind(
      "biometric.systemCancel", 1404, "The system ended the fingerprint check.", "系统中止了指纹验证。", isSilent: true),
    ErrorKind(
      "biometric.passcodeNotSet", 1405, "There is no vault here yet; create it with a password first.",
      "此处还没有保险库，请先用主密码创建。"),
    ErrorKind(
      "biometric.biometryNotAvailable", 1406,
      data: [
        "reason": ": What is missing or in the way.", "package?": "string: The Debian package to install.",
      ],
      reasons: [
        "programMissing": (
          "The program quickvault-desktop is missing. Install QuickVault with its desktop part.",
          "缺少程序 quickvault-desktop。请安装随取的桌面组件。"
        ),
        "busMissing": (
          "There is no system bus. Install the package dbus and start it.", "没有系统总线。请安装 dbus 软件包并启动其服务。"
        ),
        "serviceMissing": (
          "The fingerprint service is missing. Install the package fprintd.", "缺少指纹服务。请安装 fprintd 软件包。"
        ), "noReader": ("There is no usable fingerprint reader.", "没有可用的指纹识别器。"),
        "permissionDenied": (
          "The system does not allow this session to use the fingerprint reader. The polkit rules for net.reactivated.fprint.device.verify decide.",
          "系统不允许此会话使用指纹识别器。权限由 polkit 规则 net.reactivated.fprint.device.verify 决定。"
        ), "readerBusy": ("Another program is using the fingerprint reader.", "其他程序正在使用指纹识别器。"),
        "sessionBusMissing": (
          "There is no session bus. Install the package dbus-user-session and log in again.",
          "没有会话总线。请安装 dbus-user-session 软件包并重新登录。"
        ),
        "keychainMissing": (
          "The desktop's keychain is missing. Install a Secret Service such as the package gnome-keyring.",
          "缺少桌面密钥环。请安装提供 Secret Service 的软件包，例如 gnome-keyring。"
        ),
        "noCollection": (
          "There is no default keychain. Create one in the desktop's keychain program.",
          "没有默认密钥环。请在桌面的密钥环管理程序中创建。"
        ), "keychainFailed": ("The desktop's keychain failed.", "桌面密钥环出错。"),
        "turnedOff": (
          "Fingerprint unlock is turned off. Unlock with the password and turn fingerprint unlock on in the settings.",
          "指纹解锁已关闭。请使用密码解锁，并在设置中开启指纹解锁。"
        ),
        "failed": (
          "The fingerprint service (fprintd) failed. Use the password. If this comes again, as after sleep, another program may have left the reader open: restart fprintd, or plug the reader in again.",
          "指纹服务（fprintd）出错，请使用密码。如果反复出现（例如在睡眠之后），可能是指纹识别器未被释放：请重启 fprintd，或重新插拔识别器。"
        ),
      ]),
    ErrorKind(
      "biometric.biometryNotEnrolled", 1407,
      "No fingerprint is enrolled. Enrol one in the desktop's settings or with fprintd-enroll.",
      "尚未录入指纹。请在桌面设置中录入，或运行 fprintd-enroll。"),
    ErrorKind(
      "biometric.biometryLockout", 1408,
      "Too many fingerprints were not recognised. Unlock with the password.", "指纹识别失败次数过多，请使用密码解锁。"),
    ErrorKind(
      "biometric.appCancel", 1409, "The vault was locked meanwhile.", "保险库已锁定，指纹验证已中止。", isSilent: true),
    ErrorKind(
      "biometric.invalidContext", 1410,
      "This device's secret does not belong to the vault. Unlock with the password and turn on fingerprint unlock again.",
      "本机密钥与此保险库不匹配。请使用密码解锁，然后重新开启指纹解锁。"),
    ErrorKind(
      "biometric.notInteractive", 1411, "A fingerprint cannot be requested in the background.", "在后台无法验证指纹。"),
    ErrorKind(
      "biometric.enrollmentChanged", 1412,
      "The enrolled fingerprints have changed. Unlock with the password and turn on fingerprint unlock again.",
      "录入的指纹已发生变化。请使用密码解锁，然后重新开启指纹解锁。"),
    ErrorKind("biometric.notEnabled", 1413, "Fingerprint unlock is off on this device.", "本机尚未开启指纹解锁。"),
    ErrorKind(
      "keychain.locked", 1414, "The desktop's keychain is locked. Unlock it, or use the password.",
      "桌面密钥环已锁定。请解锁密钥环，或使用密码。"),
    ErrorKind("biometric.timedOut", 1415, "No fingerprint was read in time.", "等待指纹超时。"),
    ErrorKind(
      "device.notFound", 1416, .notFound, "There is no such device.", "找不到该设备。", data: ["id": "RecordId"]),
    ErrorKind("pinentry.cancelled", 1701, .declined, "Cancelled.", "已取消。", isSilent: true),
    ErrorKind("pinentry.timedOut", 1702, .locked, "No password was entered in time.", "等待输入密码超时。"),
    ErrorKind(
      "pinentry.notInstalled", 1703, .locked,
      "No pinentry is installed. Install one, such as the package pinentry-curses.",
      "未安装 pinentry。请安装一个，例如软件包 pinentry-curses。"),
    ErrorKind(
      "pinentry.noTerminal", 1704, .locked,
      "There is no display or free terminal to ask in. Run qv clients allow in a terminal: it unlocks the vault, and asks you when this program asks for consent.",
      "没有可用于询问密码的图形界面或空闲终端。请在终端中运行 qv clients allow：它会解锁保险库，并在本程序请求许可时询问您。"),
    ErrorKind(
      "pinentry.failed", 1705, .locked, "The pinentry could not ask for the password.", "pinentry 无法询问密码。"),
  ]
}
