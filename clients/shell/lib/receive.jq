# Takes an exchange apart: the messages up to the answer that closes it.

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
    (.closing
      | if . == null then ""
        elif .result.exists == false then "none"
        elif .result.locked == false then "unlocked"
        else "locked" end),
    ((if .answer.error then $error.data else .answer.result end) | tojson);

def receive($id):
  reduce inputs as $message ({notices: []};
    if $message.id == $id then .answer = $message
    elif $message.id == "\($id)-" then .closing = $message
    elif $message.method then .notices += [$message]
    else . end)
  | parts;
