# Cards as text.

include "text";
include "attachments";

def type_name: {address: localized("address"; "地址"), invoice: localized("invoice"; "发票"), text: localized("text"; "文本")}[.] // .;
def group_name: {personal: localized("personal"; "个人"), company: localized("company"; "公司")}[.] // .;
def kind_and_group: localized("  (\(.type | type_name), \(.group | group_name))"; "（\(.type | type_name)，\(.group | group_name)）");
def tag_list: map("#" + (. | one_line)) | join(" ");

# A card in a list of candidates: its id, a tab and a description.
def candidate: "\(.id)\t\(.id[0:8])  \(.title | one_line)" + kind_and_group;

# From {wanted, result}: the cards whose id has this prefix.
def with_prefix: .wanted as $wanted | .result.items[] | select(.id | startswith($wanted));

# From {wanted, result}: the cards found with exactly this title.
def exact: (.wanted | ascii_downcase) as $wanted | .result.items[].card | select((.title | ascii_downcase) == $wanted);

# The same, or all cards found if there are none.
def exact_or_all: [exact] as $exact | if ($exact | length) > 0 then $exact[] else .result.items[].card end;

def columns:
  [(if .pinned then "*" else " " end), .id[0:8], (.title | one_line), (.type | type_name), (.group | group_name),
    (.tags | tag_list), (.modifiedAt | local_time)];

# Cards as a table at most $total columns wide; titles and tags are shortened.
def table($total):
  [[" ", "ID", localized("TITLE"; "标题"), localized("TYPE"; "类型"), localized("GROUP"; "分组"), localized("TAGS"; "标签"),
    localized("MODIFIED"; "修改时间")]] + map(columns)
  | . as $rows
  | [range(7) as $n | [$rows[][$n] | width] | max] as $widths
  | ($total - ($widths | [.[0, 1, 3, 4, 6]] | add) - 12) as $room
  | ([$widths[5], ([($room - $widths[2]), ($room / 3 | floor), 4] | max)] | min) as $tags
  | ([$widths[2], ([($room - $tags), 10] | max)] | min) as $title
  | ($widths | .[2] = $title | .[5] = $tags) as $widths
  | $rows[]
  | "\(.[0]) \(.[1] | padded($widths[1]))  \(.[2] | truncated($widths[2]))  \(.[3] | padded($widths[3]))  "
    + "\(.[4] | padded($widths[4]))  \(.[5] | truncated($widths[5]))  \(.[6])";

# Cards for other programs, with tabs between fields.
def tab_separated:
  .[] | [.id, (.title | one_line), .type, .group, (.tags | map(one_line) | join(",")), .modifiedAt,
    (if .pinned then "pinned" else "" end)] | join("\t");

def list($total): if $total == 0 then tab_separated else table($total) end;

# Search results with the fields that match; matches are in bold.
def found($total; $bold):
  if $total == 0 then [.[].card] | tab_separated
  else .[]
    | (.card | (columns | "\(.[0]) \(.[1])  \(.[2])") + kind_and_group),
      (.matches[] | select(.field != "title") | "             \(.label | one_line)" + colon + highlighted($bold))
  end;

def dots: "••••••••";

# The page of a card.
def page($reveal; $bold):
  [.fields[], .extraFields[]] as $fields
  | ([$fields[].label | one_line | width] | max // 0) as $width
  | emphasis($bold; .title | one_line) + (if .pinned then "  * " + localized("pinned"; "已置顶") else "" end),
    ([(.type | type_name), (.group | group_name)] + (.tags | map("#" + one_line)) | join(" · ")),
    "",
    ($fields[]
      | (.label | one_line | padded($width)) + "  "
        + (if .concealed and ($reveal | not) then
            dots + "  " + localized("(concealed; --reveal shows it)"; "（已隐藏；用 --reveal 显示）")
           else .value | printable | gsub("\n"; "\n" + (" " * ($width + 2))) end)),
    (if (.attachments | length) > 0 then "", localized("Attachments"; "附件"), (.attachments | numbered | "  " + .)
     else empty end),
    "",
    localized("Modified"; "修改于") + " \(.modifiedAt | local_time) · " + localized("created"; "创建于")
      + " \(.createdAt | local_time) · " + localized("revision"; "修订号") + " \(.revision)",
    .id;

# The values of the fields with a key or label.
def values_of($name):
  if $name == "title" then .title
  else ((.fields[] | select(.key == $name)), (.extraFields[] | select(.label == $name)),
    (.fields[] | select(.label == $name))) | .value
  end;

# The parameters of card/create or card/update, from such parameters or from a whole card.
def input_of_card:
  del(.id, .createdAt, .modifiedAt, .attachments)
  | if (.fields | type) == "array" then .fields |= (map({key, value}) | from_entries) else . end;
