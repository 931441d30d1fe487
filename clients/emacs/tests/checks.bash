# Byte compilation, checkdoc, package-lint, the tests in batch mode, and installation.
# Sourced by `run', which defines `home', `here', `package' and `check'.
# shellcheck shell=bash
: "${home:?}" "${here:?}" "${package:?}" "${passed:?}"

compiles_without_warnings() {
  (cd "$home/source" && emacs -Q --batch -L . --eval '(setq byte-compile-error-on-warn t)' \
    -f batch-byte-compile ./*.el)
}

# checkdoc has no exit status.
documentation_is_clean() {
  local complaints
  complaints=$(cd "$home/source" && emacs -Q --batch --eval "(require 'checkdoc)" \
    --eval '(dolist (file command-line-args-left) (checkdoc-file file))' ./*.el 2>&1)
  [[ -z $complaints ]] || { echo "$complaints" && return 1; }
}

# A local archive index with the entry of jsonrpc replaces GNU ELPA, so that no network is needed. The rule about a
# home page is ignored, because there is none; so is the one about Emacs 28.1, which Debian's package-lint predates.
package_lint_is_clean() {
  local index=$home/lint/archives/gnu complaints
  mkdir -p "$index"
  echo '(1 (jsonrpc . [(1 0 14) ((emacs (25 2))) "JSON-RPC library" single]))' >"$index/archive-contents"
  complaints=$(cd "$home/source" && emacs -Q --batch \
    --eval "(setq package-user-dir \"$home/lint\" package-archives '((\"gnu\" . \"$home/none\")))" \
    --eval '(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/")) (normal-top-level-add-subdirs-to-load-path))' \
    --eval '(setq package-lint-main-file "quickvault.el")' \
    -l package-lint -f package-lint-batch-and-exit ./*.el 2>&1) || true
  # The complaint about the home page shows that package-lint ran.
  [[ $complaints == *'Homepage or URL header'* ]] || { echo "$complaints" && return 1; }
  complaints=$(grep -v 'Homepage or URL header\|uninstallable in all released\|^Entering directory' <<<"$complaints" || true)
  [[ -z $complaints ]] || { echo "$complaints" && return 1; }
}

batch_tests() {
  local log=$home/batch.log
  if ! emacs -Q --batch -L "$package" -L "$here" -l quickvault-card-tests -l quickvault-attachment-tests -l quickvault-lock-tests \
    -l quickvault-privacy-tests -l quickvault-leak-tests -l quickvault-evil-tests -l quickvault-mode-tests -l quickvault-lisp-tests -l quickvault-draft-tests -l quickvault-shared-tests -l quickvault-conflict-tests -l quickvault-sync-tests -l quickvault-account-tests -l quickvault-consult-tests -l quickvault-embark-tests -l quickvault-remote-tests -l quickvault-server-tests -f ert-run-tests-batch-and-exit >"$log" 2>&1; then
    cat "$log"
    return 1
  fi
  local count
  count=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$log")
  # `check' counts one of them.
  passed=$((passed + count - 1))
}

# As in the README; the init file of the terminal tests relies on it.
installs_as_a_package() {
  emacs -Q --batch --eval "(progn (require 'package) (package-initialize) (package-install-file \"$home/source\"))" \
    >"$home/install.log" 2>&1 || { cat "$home/install.log" && return 1; }
  [[ -f $(echo "$home"/.emacs.d/elpa/quickvault-*/quickvault-autoloads.el) ]]
}

# Each section of the README is a node that the menu leads to.
manual_is_complete() {
  local output sections
  if ! output=$("$package/manual" "$home/info" 2>&1) || [[ -n $output ]]; then echo "$output" && return 1; fi
  sections=$(grep -c '^## ' "$package/README.md")
  emacs -Q --batch --eval "(progn
    (require 'info)
    (setq Info-directory-list '(\"$home/info\"))
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
  check 'tests in batch mode' batch_tests || true
  check 'installs as a package' installs_as_a_package || true
}
