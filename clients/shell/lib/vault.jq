# Words about the vault as a whole.

include "text";

def reason_words:
  {request: word("on request"; "按要求"), timeout: word("after a time without use"; "长时间未使用"),
    background: word("in the background"; "转入后台"), deviceLocked: word("with the screen"; "随屏幕锁定"),
    sleep: word("before sleep"; "休眠前"), passwordChanged: word("the password was changed"; "密码已更改"),
    shutdown: word("at the end"; "程序结束")}[.] // .;

def event_words:
  ({unlocked: word("unlocked"; "已解锁"), wrongPassword: word("wrong password"; "密码错误"),
    lockedOut: word("too many wrong passwords, waiting"; "密码错误过多，进入等待"),
    refused: word("try refused during the wait"; "等待期间拒绝尝试"), locked: word("locked"; "已锁定"),
    passwordChanged: word("password changed"; "密码已更改"), created: word("vault created"; "保险库已创建"),
    repaired: word("damaged, and repaired"; "曾损坏，已修复"),
    settingsForged: word("settings outside the seal were altered"; "未密封的设置被改动"),
    memoryNotLocked: word("memory could not be locked"; "无法锁定内存")}[.event] // .event)
  + (if .reason then " (\(.reason | reason_words))" else "" end);

def verification_words:
  word("cards"; "卡片") + " \(.cards), " + word("attachments"; "附件") + " \(.attachments): "
    + (if .integrity == "intact" then word("intact"; "完好") else word("DAMAGED"; "已损坏") end),
  (.damaged[] | word("does not open: "; "无法打开：") + .);

def part_words($name): "\($name): " + (.message // word("ready"; "就绪") | one_line);

# Whether a finger unlocks here, and what is missing.
def finger_words:
  (if .biometricUnlock == false then
     word("A finger does not unlock the vault: the settings say so. qv settings biometricUnlock=on";
       "设置中已关闭指纹解锁：qv settings biometricUnlock=on")
   elif .enabled then word("This device is bound: a finger unlocks the vault."; "本机已绑定：可用指纹解锁保险库。")
   elif .available then word("A finger could unlock the vault: qv fingerprint on."; "可以用指纹解锁保险库：qv fingerprint on。")
   else word("A finger cannot unlock the vault here."; "在这里无法用指纹解锁保险库。") end),
  (.fingerprint | part_words(word("Fingerprint reader"; "指纹识别器"))),
  (.keychain | part_words(word("Keychain"; "密钥环"))),
  (.session | part_words(word("Desktop session"; "桌面会话")));

def device_words:
  [.id[0:8], (.name | one_line), (.createdAt | local_time), (if .lastUsedAt then .lastUsedAt | local_time else "-" end),
    (if .thisDevice then word("this device"; "本机") else "" end)] | join("\t");
