# Parses the messages of an exchange.

def one_line: tostring | gsub("[\\n\\r]+"; " ");

# What qv needs, one per line: the kind of the response ("ok" or that of the error), its message, the reason of a
# lock, a notification for the user, the number in an error, the state of the vault (none, locked, unlocked), and the
# result or the error's data.
def parts:
  (.answer.error // {data: {}}) as $error
  | (if .answer.error then $error.data.kind // ($error.code | tostring) else "ok" end),
    ($error.message // "" | one_line),
    ([.notifications[] | select(.method == "session/didLock").params.reason] | last // ""),
    ([.notifications[] | select(.method == "window/showMessage" and .params.type == 3).params.message]
      | last // "" | one_line),
    ($error.data | .attemptsLeft // .retryAfterSeconds // .minimum // ""),
    (.closing
      | if . == null then ""
        elif .result.exists == false then "none"
        elif .result.locked == false then "unlocked"
        else "locked" end),
    ((if .answer.error then $error.data else .answer.result end) | tojson);

def receive($id):
  reduce inputs as $message ({notifications: []};
    if $message.id == $id then .answer = $message
    elif $message.id == "\($id)-" then .closing = $message
    elif $message.method then .notifications += [$message]
    else . end)
  | parts;
