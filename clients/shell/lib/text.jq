# Text and its width on a terminal.

def localized($english; $chinese): if env.QV_LANGUAGE == "zh" then $chinese else $english end;
def colon: localized(": "; "：");
def comma: localized(", "; "，");
def semicolon: localized("; "; "；");
def in_brackets: localized(" (\(.))"; "（\(.)）");

# The width in columns: East Asian wide characters take two, combining marks none.
def width:
  [explode[]
    | if . < 768 then 1
      elif . < 880 or (. >= 8203 and . <= 8207) or (. >= 65024 and . <= 65039) then 0
      elif (. >= 4352 and . <= 4447) or (. >= 11904 and . <= 42191) or (. >= 44032 and . <= 55203)
        or (. >= 63744 and . <= 64255) or (. >= 65040 and . <= 65049) or (. >= 65072 and . <= 65135)
        or (. >= 65281 and . <= 65376) or (. >= 65504 and . <= 65510)
        or (. >= 127744 and . <= 129791) or (. >= 131072 and . <= 262141) then 2
      else 1 end] | add // 0;

# Replaces characters that control a terminal: control characters and bidirectional overrides.
def printable:
  explode
  | map(if (. < 32 and . != 9 and . != 10) or (. >= 127 and . <= 159) or (. >= 8234 and . <= 8238)
      or (. >= 8294 and . <= 8297) then 65533 else . end)
  | implode;

def one_line: gsub("[\\t\\n]"; " ") | printable;

def padded($size): . + (" " * ([$size - width, 0] | max) // "");

# Pads or truncates to exactly this width; truncated text ends in an ellipsis.
def truncated($size):
  if width <= $size then padded($size)
  else until(width <= $size - 1; .[:-1]) + "…" | padded($size) end;

def emphasis($bold; $text): if $bold then "\u001b[1m\($text)\u001b[0m" else text end;

# The snippet of a match with its ranges, counted in code points, in bold.
def highlighted($bold):
  .snippet as $snippet
  | reduce (.ranges[], [($snippet | length), 0]) as [$start, $count]
      ({text: "", end: 0};
       .text += ($snippet[.end:$start] | one_line)
         + (if $count > 0 then emphasis($bold; $snippet[$start:$start + $count] | one_line) else "" end)
       | .end = $start + $count)
  | .text;

# A timestamp in local time.
def local_time: sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601 | strflocaltime("%Y-%m-%d %H:%M");
