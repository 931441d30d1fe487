# Reads a conversation of one message a line up to the answer that closes an exchange.

def one_line: tostring | gsub("[\\n\\r]+"; " ");

# What qv needs of it, a line each: the kind of the answer, its message, why the vault was locked, a notice for
# the person, the number that an error came with, how the vault is now (none, locked, unlocked), and the result or data.
def parts:
  (.answer.error // {data: {}}) as $error
  | (if .answer.error then $error.data.kind // ($error.code | tostring) else "ok" end),
    ($error.message // "" | one_line),
    ([.notices[] | select(.method == "session/didLock").params.reason] | last // ""),
    ([.notices[] | select(.method == "window/showMessage" and .params.type == 3).params.message]
      | last // "" | one_line),
    ($error.data | .attemptsLeft // .retryAfterSeconds // .minimum // ""),
    (.closing.result | if .exists == false then "none" elif .locked == false then "unlocked" else "locked" end),
    ((if .answer.error then $error.data else .answer.result end) | tojson);

# Lines that are not messages, or answer others, are what an interrupted command left behind. The brackets around
# fromjson end its "?" there: jq 1.6 would have it catch the break.
def receive($id):
  label $closed
  | foreach inputs as $line ({notices: []};
      ([$line | fromjson? | objects][0]) as $message
      | if $message.id == $id then .answer = $message
        elif $message.id == "\($id)-" then .closing = $message
        elif $message.method then .notices += [$message]
        else . end;
      if .closing then (parts, break $closed) else empty end);
