# Byte compilation, checkdoc, package-lint, the tests in batch mode, and installation.
# Sourced by `run', which defines `root', `here', `package', `batch' and `check'.
# shellcheck shell=bash
: "${root:?}" "${here:?}" "${package:?}"

# All parts use the compiled files. Each is compiled in an Emacs of its own: another file may define what it lacks.
compile() {
  local status=0
  (cd "$package" && export -f batch && printf '%s\0' ./*.el | xargs -0 -P "$(nproc)" -n 1 bash -c \
    "batch -L . --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile \"\$0\"") \
    >"$root/compile.log" 2>&1 || status=$?
  echo "$status" >"$root/compile.status"
}

compiles_without_warnings() {
  [[ $(<"$root/compile.status") == 0 ]] || { cat "$root/compile.log" && return 1; }
}

# checkdoc has no exit status.
documentation_is_clean() {
  local complaints
  complaints=$(cd "$package" && batch --eval "(require 'checkdoc)" \
    --eval '(dolist (file command-line-args-left) (checkdoc-file file))' ./*.el 2>&1)
  [[ -z $complaints ]] || { echo "$complaints" && return 1; }
}

# A local archive index with the entry of jsonrpc replaces GNU ELPA, so that no network is needed. The rule about a
# home page is ignored, because there is none; so is the one about Emacs 28.1, which Debian's package-lint predates.
package_lint_is_clean() {
  local index=$HOME/lint/archives/gnu complaints
  mkdir -p "$index"
  echo '(1 (jsonrpc . [(1 0 14) ((emacs (25 2))) "JSON-RPC library" single]))' >"$index/archive-contents"
  complaints=$(cd "$package" && batch \
    --eval "(setq package-user-dir \"$HOME/lint\" package-archives '((\"gnu\" . \"$HOME/none\")))" \
    --eval '(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/")) (normal-top-level-add-subdirs-to-load-path))' \
    --eval '(setq package-lint-main-file "quickvault.el")' \
    -l package-lint -f package-lint-batch-and-exit ./*.el 2>&1) || true
  # The complaint about the home page shows that package-lint ran.
  [[ $complaints == *'Homepage or URL header'* ]] || { echo "$complaints" && return 1; }
  complaints=$(grep -v 'Homepage or URL header\|uninstallable in all released\|^Entering directory' <<<"$complaints" || true)
  [[ -z $complaints ]] || { echo "$complaints" && return 1; }
}

# Runs the selected tests of every third file: one Emacs for all would wait for the program most of the time.
batch_tests() { # 1|2|3
  local log=$HOME/batch.log names=() load=() file name last='' number=0 status=0
  while read -r file name; do
    if [[ $file != "$last" ]]; then last=$file && ((number += 1)); fi
    if ((number % 3 + 1 == $1)); then load+=(-l "$file") && names+=("$name"); fi
  done < <(sort -u <<<"${tests:?}" | grep .)
  ((${#names[@]})) || return 0
  batch --eval '(setq gc-cons-threshold 100000000)' -L "$package" -L "$here" "${load[@]}" \
    --eval "(ert-run-tests-batch-and-exit '(member ${names[*]}))" >"$log" 2>&1 || status=$?
  # The log without the backtraces.
  awk '/^Test [^ ]* condition:/ { printf "FAILED: %s\n", $2; shown = 15; next }
       /^   FAILED / { shown = 0 }
       shown-- > 0' "$log"
  cp "$log" "$root/logs/batch_tests_$1.ert"
  sed -n 's/^ *skipped .* \(quickvault[^ ]*\) .*/skipped: \1/p' "$log"
  echo "tests in batch mode: $(sed -n 's/^Ran [0-9]* tests, \([0-9]*\) results as expected.*/\1/p' "$log")"
  # Emacs itself can fail, too.
  if ((status)) && ! grep -q '^   FAILED ' "$log"; then tail -n 20 "$log" && echo 'FAILED: tests in batch mode'; fi
}

# Each section of the README is a node that the menu leads to.
manual_is_complete() {
  local output sections
  if ! output=$("$package/manual" "$HOME/info" 2>&1) || [[ -n $output ]]; then echo "$output" && return 1; fi
  sections=$(grep -c '^## ' "$package/README.md")
  batch --eval "(progn
    (require 'info)
    (setq Info-directory-list '(\"$HOME/info\"))
    (info \"(quickvault)\")
    (let (nodes)
      (while (re-search-forward \"^\\\\* \\\\([^:]+\\\\)::\" nil t) (push (match-string 1) nodes))
      (unless (= (length nodes) $sections) (error \"Nodes: %S\" nodes))
      (dolist (node nodes)
        (Info-goto-node node)
        (unless (equal node Info-current-node) (error \"Reached %s instead of %s\" Info-current-node node)))))"
}

scripts_are_clean() {
  shellcheck -x "$here/run" "$here/checks.bash" "$here/terminal.bash" "$here/frames.bash" "$here/fingerprint.bash" \
    "$here/first_quarter.bash"
}

checks() {
  check 'byte-compiles without warnings' compiles_without_warnings || true
  check 'checkdoc is clean' documentation_is_clean || true
  check 'package-lint is clean' package_lint_is_clean || true
  check 'the Info manual is complete' manual_is_complete || true
  check 'shellcheck is clean' scripts_are_clean || true
}
