# Reports about what came into the vault, went out of it, or was mended.

include "text";

def outcome_words:
  {imported: word("imported"; "已导入"), ready: word("ready"; "可导入"), duplicate: word("duplicate"; "重复"),
    skipped: word("left out"; "略过")}[.] // .;

# The counts, the columns of a table, and the entries about which there is something to say.
def import_words:
  "\(.format), \(.encoding). " + word("Entries"; "条目") + ": \(.total); "
    + (if .imported > 0 then word("imported"; "已导入") + ": \(.imported)"
       else word("ready"; "可导入") + ": \(.total - .duplicates - .skipped)" end)
    + ", " + word("duplicates"; "重复") + ": \(.duplicates), " + word("left out"; "略过") + ": \(.skipped)",
  (.mapping[] | "  \(.column | one_line) → \(.target // "—" | one_line)"),
  (.items[]
    | select((.outcome | . != "ready" and . != "imported") or ((.issues + .warnings) | length) > 0)
    | "\(.line)  \(.outcome | outcome_words)  \(.title | one_line)",
      ((.issues + .warnings)[]
        | "    " + (if .field == "" then "" else "\(.field | one_line): " end) + (.message | one_line))),
  (if .itemsLeftOut > 0 then word("and more: "; "其余：") + (.itemsLeftOut | tostring) else empty end);

def export_words:
  (.path | plain),
  (if .cardsLeftOut + .attachmentsLeftOut + .damaged > 0 then
     word("Not in the file: cards "; "未写入：卡片 ") + (.cardsLeftOut | tostring)
       + word(", attachments "; "，附件 ") + (.attachmentsLeftOut | tostring)
       + word(", cards that do not open "; "，无法打开的卡片 ") + (.damaged | tostring)
   else empty end);

def merge_words($dry):
  (if $dry then word("A merge would do this: "; "合并后会是：") else word("Merged. "; "已合并。") end)
    + word("Added"; "新增") + ": \(.added), " + word("changed"; "修改") + ": \(.updated), "
    + word("deleted"; "删除") + ": \(.deleted), " + word("kept twice"; "保留两份") + ": \(.conflicts | length)",
  (.conflicts[] | "  \(.copyId[0:8])  \(.title | one_line)");

def repair_words:
  if .backup == null then word("The vault is whole; nothing was changed."; "保险库完好，没有任何改动。")
  else
    word("The vault is whole. Cards kept"; "保险库已完好。保留卡片") + ": \(.kept.cards), "
      + word("attachments"; "附件") + ": \(.kept.attachments), "
      + word("records let go"; "舍弃记录") + ": \(.dropped | length)",
    word("The damaged file is "; "损坏的文件在 ") + (.backup | plain)
  end;
