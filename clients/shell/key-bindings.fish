# Alt-V in fish inserts a value that is picked from the vault, quoted as one word.

function __qv_insert
    set -l value (command qv pick | string collect)
    and commandline --insert -- (string escape -- $value)
    commandline --function repaint
end

bind \ev __qv_insert
