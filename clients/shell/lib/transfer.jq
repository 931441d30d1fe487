# Reports of import, export, merge and repair.

include "text";

def outcome_text:
  {imported: localized("imported"; "已导入"), ready: localized("importable"; "可导入"), duplicate: localized("duplicate"; "重复"),
    skipped: localized("skipped"; "已跳过")}[.] // .;

# The counts, the columns of a table, and the entries with issues.
def import_report:
  .format + comma + .encoding + localized(". "; "。") + localized("Entries"; "条目") + colon + "\(.total)" + semicolon
    + (if .imported > 0 then localized("imported"; "已导入") + colon + "\(.imported)"
       else localized("importable"; "可导入") + colon + "\(.total - .duplicates - .skipped)" end)
    + comma + localized("duplicates"; "重复") + colon + "\(.duplicates)"
    + comma + localized("skipped"; "跳过") + colon + "\(.skipped)",
  (.mapping[] | "  \(.column | one_line) → \(.target // "—" | one_line)"),
  (.items[]
    | select((.outcome | . != "ready" and . != "imported") or ((.issues + .warnings) | length) > 0)
    | "\(.line)  \(.outcome | outcome_text)  \(.title | one_line)",
      ((.issues + .warnings)[]
        | "    " + (if .field == "" then "" else (.field | one_line) + colon end) + (.message | one_line))),
  (if .itemsLeftOut > 0 then localized("not listed: "; "未列出：") + (.itemsLeftOut | tostring) else empty end);

def export_report:
  (.path | printable),
  (if .cardsLeftOut + .attachmentsLeftOut + .damaged > 0 then
     localized(
       "Not in the file: cards \(.cardsLeftOut), attachments \(.attachmentsLeftOut), unreadable cards \(.damaged)";
       "未写入：卡片 \(.cardsLeftOut) 张，附件 \(.attachmentsLeftOut) 个，无法读取的卡片 \(.damaged) 张")
   else empty end);

def merge_report($dry):
  (if $dry then localized("A merge would make these changes. "; "合并后将有如下更改：") else localized("Merged. "; "已合并：") end)
    + (.conflicts = (.conflicts | length)
       | localized(
           "Added: \(.added), changed: \(.updated), deleted: \(.deleted), kept in both versions: \(.conflicts)";
           "新增 \(.added) 张，修改 \(.updated) 张，删除 \(.deleted) 张，两个版本都保留 \(.conflicts) 张")),
  (.conflicts[] | "  \(.copyId[0:8])  \(.title | one_line)");

def repair_report:
  if .backup == null then localized("The vault is intact; nothing was changed."; "保险库完好，未作任何更改。")
  else
    localized(
      "The vault is repaired. Cards kept: \(.kept.cards), attachments: \(.kept.attachments), "
        + "records dropped: \(.dropped | length)";
      "保险库已修复：保留 \(.kept.cards) 张卡片、\(.kept.attachments) 个附件，舍弃 \(.dropped | length) 条记录"),
    localized("The damaged file was saved as "; "损坏的文件已另存为 ") + (.backup | printable)
  end;
