;;; quickvault-lisp-tests.el --- Tests of what other packages use  -*- lexical-binding: t; -*-

;;; Commentary:

;; Tests of the Lisp functions, auth-source, Org, bookmarks and imenu, and with packages
;; that change completion or keys.

;;; Code:

(require 'bookmark)
(require 'imenu)
(require 'org)
(require 'quickvault-test-support)
(require 'quickvault-auth-source)
(require 'quickvault-org)

(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/"))
  (normal-top-level-add-subdirs-to-load-path))

(defun quickvault-test-add-login (title &rest fields)
  "Store a card TITLE with extra FIELDS: labels and values."
  (quickvault-test-add :title title :group "personal" :type "text" :fields '(:text "x")
                       :extraFields (vconcat (cl-loop for (label value) on fields by #'cddr
                                                      collect (list :label label :value value
                                                                    :concealed (if (equal label "Password") t :json-false))))))

(ert-deftest quickvault-lisp-unlocks-first ()
  "`quickvault-with-unlocked' and `quickvault-get-field' ask for the password."
  (quickvault-test-with-vault
    (let (value)
      (dolist (read (list (lambda () (interactive) (setq value (quickvault-get-field "家" "city")))
                          (lambda () (interactive)
                            (quickvault-with-unlocked
                              (should quickvault--unlocked)
                              (setq value (quickvault-get-field "家" "city"))))))
        (setq value nil)
        (quickvault-lock)
        (local-set-key (kbd "<f5>") read)
        (quickvault-test-keys "<f5>" quickvault-test-keys-of-password "RET")
        (should (equal "深圳市" value))))))

(ert-deftest quickvault-inserts-cards-and-fields ()
  "`quickvault-insert' inserts at point; nothing is copied, and a read-only buffer is refused."
  (quickvault-test-with-vault
    (with-temp-buffer
      (set-window-buffer (selected-window) (current-buffer))
      (insert "<>")
      (backward-char)
      (quickvault-test-keys "M-x quickvault-insert RET" '("harbor") "RET")
      (should (string-match-p "\\`<.*深圳Harbor信息有限公司\n.*91350100M000100Y43\n\\(.*\n\\)*.*>\\'" (buffer-string)))
      (erase-buffer)
      (quickvault-test-keys "C-u M-x quickvault-insert RET" '("harbor") "RET" '("Tax") "RET")
      (should (equal "91350100M000100Y43" (buffer-string)))
      (should-not kill-ring)
      (erase-buffer)
      (let (said)
        (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (setq said text))))
          (quickvault-test-keys "M-x quickvault-insert RET" '("家") "RET"))
        (should-not (string-search "SECRET4711" (buffer-string)))
        (should (equal said "Inserted without: Door code.  With a prefix argument, you choose the field.")))
      (setq buffer-read-only t)
      (should-error (quickvault-test-keys "M-x quickvault-insert RET") :type 'buffer-read-only))))

(ert-deftest quickvault-auth-source-finds-logins ()
  "auth-source finds a login by host and user; its cache has no password."
  (quickvault-test-with-vault
    (quickvault-test-add-login "Mail" "Website" "https://imap.example.org/login" "User name" "lin" "Password" "PASSWORD-of-lin")
    (quickvault-test-add-login "imap.example.org" "User name" "wang" "Password" "PASSWORD-of-wang" "Port" "993")
    (quickvault-test-add-login "Other" "Website" "https://example.org" "User name" "lin" "Password" "other")
    (let ((auth-sources nil) (auth-source-do-cache t))
      (auth-source-forget-all-cached)
      (quickvault-auth-source-enable)
      (cl-flet ((secret (&rest spec)
                  (when-let ((found (car (apply #'auth-source-search spec))))
                    (funcall (plist-get found :secret)))))
        (should (equal "PASSWORD-of-lin" (secret :host "imap.example.org" :user "lin")))
        (should (equal "PASSWORD-of-wang" (secret :host "imap.example.org" :user "wang" :port 993)))
        (should-not (secret :host "imap.example.org" :user "zhao"))
        (should-not (secret :host "smtp.example.org"))
        (should (equal "PASSWORD-of-wang" (auth-source-pick-first-password :host "imap.example.org" :user "wang")))
        (should (= 2 (length (auth-source-search :host "imap.example.org" :max 5))))
        (should-not (string-match-p "PASSWORD-of" (format "%S" (let (all) (maphash (lambda (k v) (push (cons k v) all)) password-data) all))))))))

(ert-deftest quickvault-auth-source-knows-ports-and-any-host ()
  "auth-source finds a login by a host with a port, by the name of a service, and for any host."
  (quickvault-test-with-vault
    (quickvault-test-add-login "Mail" "Website" "imap.example.org" "User name" "lin" "Port" "993" "Password" "p1")
    (quickvault-test-add-login "Forge" "Website" "https://forge.example.org:8443/login" "User name" "wang" "Password" "p2")
    (cl-flet ((found (&rest spec)
                (mapcar (lambda (login) (list (plist-get login :host) (plist-get login :user)))
                        (apply #'quickvault--auth-source-search spec))))
      (should (found :host "imap.example.org" :port "imaps"))
      (should (found :host "imap.example.org:993"))
      (should (found :host "imap.example.org" :port '("imap" "imaps")))
      (should-not (found :host "imap.example.org" :port "imap"))
      (should-not (found :host "imap.example.org:143"))
      (should (found :host "forge.example.org"))
      (should (found :host "forge.example.org:8443"))
      (should (found :host "forge.example.org" :port 8443))
      (should-not (found :host "forge.example.org:443"))
      (should-not (found :host "forge.example.org" :port "https"))
      (should (equal '(("forge.example.org" "wang")) (found :host t :user "wang")))
      (should (equal 2 (length (found :host t :max 5)))))))

(ert-deftest quickvault-links-have-ids-only ()
  "A link of Org and a bookmark have the id of a card and nothing of its contents, and open its page."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (let (org-stored-links)
      (call-interactively #'org-store-link)
      (should (string-match-p "\\`quickvault:[-0-9a-f]\\{36\\}\\'" (caar org-stored-links)))
      (should-not (string-match-p "家" (format "%S" org-stored-links)))
      (org-link-open-from-string (format "[[%s][home]]" (caar org-stored-links))))
    (should (quickvault-test-shows "科技路88号"))
    (let ((bookmark-alist nil) (bookmark-save-flag nil) (bookmark-watch-bookmark-file nil)
          (bookmark-default-file (expand-file-name "bookmarks" quickvault-test-directory)))
      (bookmark-set "home")
      (should-not (string-match-p "家" (format "%S" bookmark-alist)))
      (switch-to-buffer "*scratch*")
      (bookmark-jump "home"))
    (should (quickvault-test-shows "科技路88号"))))

(ert-deftest quickvault-imenu-lists-fields ()
  "imenu has the fields of a page."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "RET")
    (let ((index (funcall imenu-create-index-function)))
      (should (equal '("Name" "Phone" "Province" "City" "District" "Address" "Door code") (mapcar #'car index)))
      (goto-char (cdr (assoc "City" index)))
      (should (looking-at-p "City: +深圳市")))))

(ert-deftest quickvault-cards-have-pages-of-their-own ()
  "o shows a card on another page, in another window; both pages follow changes and a lock."
  (quickvault-test-with-vault
    (delete-other-windows)
    (quickvault-test-go "家")
    (quickvault-test-keys "o")
    (should (quickvault-test-shows "科技路88号"))
    (should (equal 2 (length (window-list))))
    (other-window 1)
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "o")
    (let ((pages (seq-filter (lambda (buffer) (eq 'quickvault-card-mode (buffer-local-value 'major-mode buffer))) (buffer-list))))
      (should (equal 2 (length pages)))
      (quickvault-test-keys "P")
      (should (quickvault-test-shows "pinned"))
      (quickvault-lock)
      (dolist (page pages)
        (should-not (string-match-p "88号" (quickvault-test-text page)))))))

(ert-deftest quickvault-vertico-completes-and-keeps-nothing ()
  "R12, R20: with Vertico, part of a title is enough; a lock leaves no title in any buffer."
  (skip-unless (require 'vertico nil t))
  (quickvault-test-with-vault
    (vertico-mode)
    (unwind-protect
        (progn
          (quickvault-test-keys "C-x b *scratch* RET M-x quickvault-copy RET" '("开票") "RET")
          (should (string-match-p "深圳Harbor" quickvault-test-clipboard))
          (quickvault-lock)
          (should-not (quickvault-test-anywhere "Harbor"))
          (should-not (string-match-p "Harbor\\|开票" (format "%S" (list minibuffer-history command-history
                                                                     extended-command-history)))))
      (vertico-mode -1))))

(provide 'quickvault-lisp-tests)
;;; quickvault-lisp-tests.el ends here
