# Cards as text.

include "text";
include "attachments";

def type_word: {address: word("address"; "地址"), invoice: word("invoice"; "发票"), text: word("text"; "文本")}[.] // .;
def group_word: {personal: word("personal"; "个人"), company: word("company"; "公司")}[.] // .;
def tag_words: map("#" + (. | one_line)) | join(" ");

# A card in a list of those that were meant.
def candidate: "\(.id)\t\(.id[0:8])  \(.title | one_line)  (\(.type | type_word), \(.group | group_word))";

# Of {wanted, result}: the cards whose id begins so.
def with_prefix: .wanted as $wanted | .result.items[] | select(.id | startswith($wanted));

# Of {wanted, result}: the cards found with just that title.
def exact: (.wanted | ascii_downcase) as $wanted | .result.items[].card | select((.title | ascii_downcase) == $wanted);

# The same, or else all that were found.
def exact_or_all: [exact] as $exact | if ($exact | length) > 0 then $exact[] else .result.items[].card end;

def columns:
  [(if .pinned then "*" else " " end), .id[0:8], (.title | one_line), (.type | type_word), (.group | group_word),
    (.tags | tag_words), (.modifiedAt | local_time)];

# Cards as a table of at most $total columns on the screen; the title and the tags give way.
def table($total):
  [[" ", "ID", word("TITLE"; "标题"), word("TYPE"; "类型"), word("GROUP"; "分组"), word("TAGS"; "标签"),
    word("MODIFIED"; "修改时间")]] + map(columns)
  | . as $rows
  | [range(7) as $n | [$rows[][$n] | width] | max] as $widths
  | ($total - ($widths | [.[0, 1, 3, 4, 6]] | add) - 12) as $room
  | ([$widths[5], ([($room - $widths[2]), ($room / 3 | floor), 4] | max)] | min) as $tags
  | ([$widths[2], ([($room - $tags), 10] | max)] | min) as $title
  | ($widths | .[2] = $title | .[5] = $tags) as $widths
  | $rows[]
  | "\(.[0]) \(.[1] | padded($widths[1]))  \(.[2] | fitted($widths[2]))  \(.[3] | padded($widths[3]))  "
    + "\(.[4] | padded($widths[4]))  \(.[5] | fitted($widths[5]))  \(.[6])";

# Cards for other programs: fields between tabs.
def separated:
  .[] | [.id, (.title | one_line), .type, .group, (.tags | map(one_line) | join(",")), .modifiedAt,
    (if .pinned then "pinned" else "" end)] | join("\t");

def list($total): if $total == 0 then separated else table($total) end;

# What was found, with the places; a match is set off by its label and in bold.
def found($total; $bold):
  if $total == 0 then [.[].card] | separated
  else .[]
    | (.card | "\(columns | "\(.[0]) \(.[1])  \(.[2])  (\(.[3]), \(.[4]))")"),
      (.matches[] | select(.field != "title") | "             \(.label | one_line): \(highlighted($bold))")
  end;

def dots: "••••••••";

# The card page.
def page($reveal; $bold):
  [.fields[], .extraFields[]] as $fields
  | ([$fields[].label | one_line | width] | max // 0) as $width
  | emphasis($bold; .title | one_line) + (if .pinned then "  * " + word("pinned"; "已置顶") else "" end),
    ([(.type | type_word), (.group | group_word)] + (.tags | map("#" + one_line)) | join(" · ")),
    "",
    ($fields[]
      | (.label | one_line | padded($width)) + "  "
        + (if .concealed and ($reveal | not) then
            dots + "  " + word("(concealed: --reveal shows it)"; "（已隐藏：用 --reveal 显示）")
           else .value | plain | gsub("\n"; "\n" + (" " * ($width + 2))) end)),
    (if (.attachments | length) > 0 then "", word("Attachments"; "附件"), (.attachments | numbered | "  " + .)
     else empty end),
    "",
    word("Modified"; "修改于") + " \(.modifiedAt | local_time) · " + word("created"; "创建于")
      + " \(.createdAt | local_time) · " + word("revision"; "版本") + " \(.revision)",
    .id;

# The values that a field's key or label means.
def values_of($name):
  if $name == "title" then .title
  else ((.fields[] | select(.key == $name)), (.extraFields[] | select(.label == $name)),
    (.fields[] | select(.label == $name))) | .value
  end;

# What card/create and card/update take, of that or of a whole card.
def input_of_card:
  del(.id, .createdAt, .modifiedAt, .attachments)
  | if (.fields | type) == "array" then .fields |= (map({key, value}) | from_entries) else . end;
