# Completion of qv(1) for fish.

function __qv_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l lines (command qv complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    # An option in the same word, such as --vault=.
    set -l option (string match --regex -- '^--[^=]*=' "$current")
    set -l value (string replace -- "$option" '' "$current")
    switch "$lines[1]"
        case :files
            string replace --regex -- '^' "$option" (__fish_complete_path "$value")
        case :commands
            string replace --regex -- '^' "$option" (complete --do-complete "$value")
        case '*'
            printf '%s\n' $lines
    end
end

complete --command qv --no-files --arguments '(__qv_complete)'
