# Reports of import, export, merge and repair.

include "text";

def outcome_text:
  {imported: localized("imported"; "已导入"), ready: localized("importable"; "可导入"), duplicate: localized("duplicate"; "重复"),
    skipped: localized("skipped"; "跳过")}[.] // .;

# The counts, the columns of a table, and the entries with issues.
def import_report:
  "\(.format), \(.encoding). " + localized("Entries"; "条目") + ": \(.total); "
    + (if .imported > 0 then localized("imported"; "已导入") + ": \(.imported)"
       else localized("importable"; "可导入") + ": \(.total - .duplicates - .skipped)" end)
    + ", " + localized("duplicates"; "重复") + ": \(.duplicates), " + localized("skipped"; "跳过") + ": \(.skipped)",
  (.mapping[] | "  \(.column | one_line) → \(.target // "—" | one_line)"),
  (.items[]
    | select((.outcome | . != "ready" and . != "imported") or ((.issues + .warnings) | length) > 0)
    | "\(.line)  \(.outcome | outcome_text)  \(.title | one_line)",
      ((.issues + .warnings)[]
        | "    " + (if .field == "" then "" else "\(.field | one_line): " end) + (.message | one_line))),
  (if .itemsLeftOut > 0 then localized("not listed: "; "未列出：") + (.itemsLeftOut | tostring) else empty end);

def export_report:
  (.path | printable),
  (if .cardsLeftOut + .attachmentsLeftOut + .damaged > 0 then
     localized("Not in the file: cards "; "未写入：卡片 ") + (.cardsLeftOut | tostring)
       + localized(", attachments "; "，附件 ") + (.attachmentsLeftOut | tostring)
       + localized(", unreadable cards "; "，无法读取的卡片 ") + (.damaged | tostring)
   else empty end);

def merge_report($dry):
  (if $dry then localized("A merge would make these changes. "; "合并将作如下更改。") else localized("Merged. "; "已合并。") end)
    + localized("Added"; "新增") + ": \(.added), " + localized("changed"; "修改") + ": \(.updated), "
    + localized("deleted"; "删除") + ": \(.deleted), " + localized("kept in both versions"; "两个版本都保留") + ": \(.conflicts | length)",
  (.conflicts[] | "  \(.copyId[0:8])  \(.title | one_line)");

def repair_report:
  if .backup == null then localized("The vault is intact; nothing was changed."; "保险库完好，未作任何更改。")
  else
    localized("The vault is repaired. Cards kept"; "保险库已修复。保留卡片") + ": \(.kept.cards), "
      + localized("attachments"; "附件") + ": \(.kept.attachments), "
      + localized("records dropped"; "舍弃记录") + ": \(.dropped | length)",
    localized("The damaged file was saved as "; "损坏的文件已另存为 ") + (.backup | printable)
  end;
