# Text about the vault as a whole.

include "text";

def reason_text:
  {request: localized("on request"; "手动"), timeout: localized("idle"; "闲置超时"),
    background: localized("in the background"; "转入后台"), deviceLocked: localized("desktop locked"; "桌面已锁定"),
    sleep: localized("before sleep"; "睡眠前"), passwordChanged: localized("password changed elsewhere"; "密码已在别处更改"),
    shutdown: localized("program exited"; "程序退出")}[.] // .;

def event_text:
  ({unlocked: localized("unlocked"; "已解锁"), wrongPassword: localized("wrong password"; "密码错误"),
    lockedOut: localized("too many wrong passwords"; "密码错误次数过多"),
    refused: localized("attempt during the delay"; "等待期间尝试"), locked: localized("locked"; "已锁定"),
    passwordChanged: localized("password changed"; "密码已更改"), created: localized("vault created"; "保险库已创建"),
    repaired: localized("repaired after damage"; "损坏后已修复"),
    settingsForged: localized("settings were tampered with"; "设置被篡改"),
    memoryNotLocked: localized("memory could not be locked"; "无法锁定内存"),
    fingerprintFailed: localized("fingerprint not recognised"; "未能识别指纹"),
    deviceBound: localized("device bound"; "已绑定设备"),
    deviceRevoked: localized("device binding removed"; "已解除设备绑定"),
    deviceVoided: localized("device binding no longer valid"; "设备绑定已失效")}[.event] // .event)
  + (if .reason then .reason | reason_text | in_brackets else "" end);

def verification_report:
  localized("cards \(.cards), attachments \(.attachments)"; "卡片 \(.cards) 张，附件 \(.attachments) 个") + colon
    + (if .integrity == "intact" then localized("intact"; "完好")
       elif .integrity == "older" then localized("intact, an older copy"; "完好，但为旧副本")
       else localized("DAMAGED"; "已损坏") end),
  (.damaged[] | localized("unreadable: "; "无法读取：") + .);

def part_status($name): $name + colon + (.message // localized("ready"; "就绪") | one_line);

# Whether fingerprint unlock works here, and what is missing.
def fingerprint_status:
  (if .biometricUnlock == false then
     localized("Fingerprint unlock is turned off in the settings. Turn it on with qv settings biometricUnlock=on.";
       "设置中已关闭指纹解锁。用 qv settings biometricUnlock=on 开启。")
   elif .enabled then localized("This device is bound: your fingerprint unlocks the vault."; "本机已绑定，可以用指纹解锁保险库。")
   elif .available then localized("Fingerprint unlock is available. Turn it on with qv fingerprint on.";
     "可以使用指纹解锁。用 qv fingerprint on 开启。")
   else localized("Fingerprint unlock is not available here."; "此处无法使用指纹解锁。") end),
  (.fingerprint | part_status(localized("Fingerprint reader"; "指纹识别器"))),
  (.keychain | part_status(localized("Keychain"; "密钥环"))),
  (.session | part_status(localized("Desktop session"; "桌面会话")));

def device_row:
  [.id[0:8], (.name | one_line), (.createdAt | local_time), (if .lastUsedAt then .lastUsedAt | local_time else "-" end),
    (if .thisDevice then localized("this device"; "本机") else "" end)] | join("\t");
