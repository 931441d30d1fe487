# Attachments as text.

include "text";

def size_text:
  if . < 1024 then "\(.) B"
  elif . < 1048576 then "\(. / 102.4 | round / 10) KiB"
  else "\(. / 104857.6 | round / 10) MiB" end;

# Describes an attachment in a line.
def description:
  [(.mediaType | sub("^.*/"; "") | ascii_upcase), "\(.width)×\(.height)", (.size | size_text),
    (if .watermark then localized("watermark: "; "水印：") + (.watermark.text | one_line) else empty end)]
  | join(" · ");

# A numbered list for the terminal.
def numbered:
  ([.[].name | one_line | width] | max // 0) as $width
  | to_entries[]
  | "\(.key + 1)  \(.value.name | one_line | padded($width))  \(.value | description)";

# A list for other programs, with tabs between fields.
def tab_separated_attachments:
  .[] | [.id, (.name | one_line), .mediaType, .size, .width, .height, (.watermark.text // "" | one_line)]
  | map(tostring) | join("\t");

# From {wanted, items}: the attachments that match a name, a number in the list or the beginning of an id; all if
# `wanted` is empty.
def matching:
  .wanted as $wanted
  | .items as $items
  | if $wanted == "" then $items[]
    else
      [$items[] | select(.name == $wanted)] as $named
      | if ($named | length) > 0 then $named[]
        elif ($wanted | test("^[1-9][0-9]{0,2}$")) then $items[($wanted | tonumber) - 1] // empty
        elif ($wanted | test("^[0-9a-fA-F-]{4,36}$")) then
          $items[] | select(.id | startswith($wanted | ascii_downcase))
        else empty end
    end;
