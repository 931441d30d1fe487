# Completion of qv(1) for fish.

function __qv_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l lines (command qv complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :commands
            complete --do-complete "$current"
        case '*'
            printf '%s\n' $lines
    end
end

complete --command qv --no-files --arguments '(__qv_complete)'
