;;; quickvault-card-tests.el --- Tests of list, page, copy and form  -*- lexical-binding: t; -*-

;;; Commentary:

;; Tests of the commands on cards, by their keys.

;;; Code:

(require 'quickvault-test-support)

(ert-deftest quickvault-r16-r20-list-has-pinned-cards-first ()
  "R16, R20: pinned cards come first; each row has a description."
  (quickvault-test-with-vault
    (should (string-match-p "\\`  *\\* 家 .*Address .*Personal .*home, 税务.*\n.*Harbor 开票 .*Invoice .*Company"
                            (quickvault-test-text)))
    (quickvault-test-go "家")
    (should (equal (run-hook-with-args-until-success 'eldoc-documentation-functions #'ignore)
                   "pinned · Address · Personal · tags: home, 税务"))
    (quickvault-test-keys "n p P")
    (should (string-match-p "\\`.*家.*\n" (quickvault-test-text)))
    (should-not (quickvault-test-shows "*"))
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "P")
    (should (string-match-p "\\`  *\\* Harbor" (quickvault-test-text)))))

(ert-deftest quickvault-a-change-draws-only-its-rows ()
  "R8: a change of a few cards loads no list; their rows go to their places, and point with its own."
  (quickvault-test-with-vault
    (quickvault-test-add-many 300)
    (quickvault-test-keys "g M->")
    (let ((call (symbol-function 'quickvault--call))
          methods)
      (cl-letf (((symbol-function 'quickvault--call)
                 (lambda (method &rest more) (push method methods) (apply call method more))))
        (quickvault-test-go "Harbor")
        (quickvault-test-keys "P")
        (should (equal "Harbor 开票" (plist-get (quickvault--list-item) :title)))
        (should (string-match-p "\\`.*\\* Harbor 开票\\|\\`.*\n.*\\* Harbor 开票" (quickvault-test-text)))
        (quickvault-test-keys "P d y")
        (should-not (quickvault-test-shows "Harbor"))
        (should (equal (quickvault--list-summary) "301 cards"))
        (quickvault-test-keys "z")
        (should (quickvault-test-shows "Harbor"))
        (should (equal (quickvault--list-summary) "302 cards"))
        (should-not (memq 'card/list methods))))
    (let ((text (quickvault-test-text)))
      (quickvault-test-keys "g")
      (should (equal (length text) (length (quickvault-test-text)))))
    (should (equal 302 (quickvault-test-rows)))
    (should-not (string-match-p "SECRET4711" (format "%S" (hash-table-values quickvault--hits))))))

(ert-deftest quickvault-a-lock-keeps-the-search ()
  "R8: what the list shows outlives a lock in the vault, and not in Emacs; a new list shows all cards."
  (quickvault-test-with-vault
    (quickvault-test-keys "/ " '("开票") "RET G Company RET L")
    (should-not (string-search "开票" (format "%S" (buffer-local-variables))))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (equal (quickvault--list-summary) "1 card Company /开票"))
    (quickvault-test-keys "a L RET" quickvault-test-keys-of-password "RET")
    (should (equal (quickvault--list-summary) "2 cards"))
    (quickvault-test-keys "/ " '("开票") "RET")
    (kill-buffer "*QuickVault*")
    (quickvault-test-keys "M-x quickvault RET")
    (should (equal (quickvault--list-summary) "2 cards"))
    (should-not (quickvault--drafts))))

(defun quickvault-test-add-many (count)
  "Store COUNT cards with one request."
  (quickvault--request 'vault/import
                       (list :format "csv" :type "text"
                             :data (base64-encode-string
                                    (concat "title,text\n"
                                            (mapconcat (lambda (n) (format "n%04d,x\n" n)) (number-sequence 1 count) ""))
                                    t))))

(defun quickvault-test-rows ()
  "Return the number of rows of the list, and check that none is repeated."
  (let ((ids (mapcar (lambda (card) (plist-get card :id)) quickvault--items)))
    (should (equal (length ids) (length (delete-dups (copy-sequence ids)))))
    (should (equal (length ids) (count-lines (point-min) (point-max))))
    (length ids)))

(ert-deftest quickvault-list-loads-as-one-scrolls ()
  "R8: the list loads more cards as point gets near its end, and all to go to the last."
  (quickvault-test-with-vault
    (let ((quickvault-page-size 30))
      (quickvault-test-add-many 2500)
      (quickvault-test-keys "g")
      (should (equal (quickvault--list-summary) "2502 cards"))
      (should (< (quickvault-test-rows) 200))
      (let ((before (quickvault-test-rows)))
        (goto-char (point-max))
        (quickvault-test-keys "p")
        (quickvault-test-wait (lambda () (> (length quickvault--items) before)))
        (should (< (quickvault-test-rows) 2502)))
      (quickvault-test-keys "M->")
      (should (equal 2502 (quickvault-test-rows)))
      (should (and (quickvault--list-item) (save-excursion (forward-line 1) (eobp))))
      ;; The length stays when the list is refreshed.
      (quickvault-test-keys "g")
      (should (equal 2502 (quickvault-test-rows)))
      (should (save-excursion (forward-line 1) (eobp))))))

(ert-deftest quickvault-refresh-keeps-point-and-the-window ()
  "R8: a refresh keeps point on its card, and the window where it was; a deleted card's line stays."
  (quickvault-test-with-vault
    (quickvault-test-add-many 150)
    (quickvault-test-keys "g")
    ;; Cards of the same second come in any order.
    (goto-char (point-min))
    (forward-line 60)
    (forward-char 4)
    (set-window-start (selected-window) (save-excursion (forward-line -7) (point)))
    (let ((title (plist-get (quickvault--list-item) :title))
          (lines (count-lines (window-start) (point)))
          (line (line-number-at-pos))
          (next (save-excursion (forward-line 1) (plist-get (quickvault--list-item) :title))))
      (quickvault-test-add :title "New" :group "personal" :type "text" :fields '(:text "x"))
      (quickvault-test-keys "g")
      (should (equal title (plist-get (quickvault--list-item) :title)))
      (should (equal 4 (current-column)))
      (should (equal lines (count-lines (window-start) (point))))
      (quickvault-test-keys "d y")
      (should (equal next (plist-get (quickvault--list-item) :title)))
      (should (equal (1+ line) (line-number-at-pos))))))

(ert-deftest quickvault-marked-cards-are-changed-together ()
  "R8: m, u, U and t mark cards; commands act on all of them."
  (quickvault-test-with-vault
    (dolist (title '("n0001" "n0002" "n0003"))
      (quickvault-test-add :title title :group "personal" :type "text" :fields '(:text "x")))
    (quickvault-test-keys "g")
    (cl-flet ((titles (predicate)
                (sort (mapcar (lambda (card) (plist-get card :title)) (seq-filter predicate quickvault--items)) #'string<))
              (marked (card) (memq card (quickvault--marked-cards))))
      (quickvault-test-go "n0003")
      (quickvault-test-keys "m m")
      (should (equal '("n0002" "n0003") (titles #'marked)))
      (should (string-match-p "^>  *n0003 .*\n>  *n0002 " (quickvault-test-text)))
      (quickvault-test-keys "+ urgent,house RET")
      (should (equal '("n0002" "n0003") (titles (lambda (card) (equal (plist-get card :tags) ["urgent" "house"])))))
      (should (equal '("n0002" "n0003") (titles #'marked)))
      (quickvault-test-keys "- house RET")
      (should (equal '("n0002" "n0003") (titles (lambda (card) (equal (plist-get card :tags) ["urgent"])))))
      (quickvault-test-keys "r Company RET P")
      (should (equal '("Harbor 开票" "n0002" "n0003") (titles (lambda (card) (equal (plist-get card :group) "company")))))
      (should (equal '("n0002" "n0003" "家") (titles (lambda (card) (eq (plist-get card :pinned) t)))))
      (quickvault-test-keys "P")
      (should (equal '("家") (titles (lambda (card) (eq (plist-get card :pinned) t)))))
      (quickvault-test-keys "t")
      (should (equal '("Harbor 开票" "n0001" "家") (titles #'marked)))
      (quickvault-test-keys "U")
      (should-not (quickvault--marked-cards))
      (should-not (string-match-p "^>" (quickvault-test-text)))
      (quickvault-test-go "n0003")
      (quickvault-test-keys "m m p u")
      (should (equal '("n0003") (titles #'marked)))
      (quickvault-test-go "n0002")
      (quickvault-test-keys "m d n")
      (should (equal 5 (length quickvault--items)))
      (quickvault-test-keys "d y")
      (should (equal '("Harbor 开票" "n0001" "家") (titles #'always))))))

(ert-deftest quickvault-r7-list-is-filtered-sorted-and-fitted ()
  "R7: matches are bold and underlined, not only coloured.
Filters combine with a search; S sorts; a narrow window has fewer columns."
  (quickvault-test-with-vault
    (let ((quickvault-page-size 10))
      (quickvault-test-add-many 300)
      (quickvault-test-keys "#" '("税务") "RET G Company RET / HARBOR RET")
      (should (equal (quickvault--list-summary) "1 card Company #税务 /HARBOR"))
      (goto-char (point-min))
      (search-forward "Harbor")
      (should (eq 'quickvault-match (get-text-property (1- (point)) 'face)))
      (should (face-attribute 'quickvault-match :underline))
      (quickvault-test-keys "/ C-a C-k SECRET4711 RET")
      (should (quickvault-test-shows "No matches"))
      (quickvault-test-keys "a C-s n0002 RET")
      (should (equal "n0002" (plist-get (quickvault--list-item) :title)))
      (pcase-dolist (`(,query ,place ,heading ,shown)
                     '(("" 4 "Title" " *Harbor.*\n *\\* 家.*\n *n0001 ") ("" 0 "Title" " *n0300 .*\n *n0299 ")
                       ("/ n000 RET" 4 "Title" " *n0001 .*\n *n0002 ") ("a" "^.*Text" "Type" " *")))
        (quickvault-test-keys query)
        (goto-char (point-min))
        (if (stringp place) (re-search-forward place) (forward-char place))
        (quickvault-test-keys "S")
        (should (equal heading (car tabulated-list-sort-key)))
        (should (string-match-p (concat "\\`" shown) (quickvault-test-text)))
        (quickvault-test-rows))
      (quickvault-test-keys "a M->")
      (should (equal 302 (quickvault-test-rows)))
      (pcase-dolist (`(,width . ,columns) '((120 1 60 8 8 14 16) (71 1 16 8 8 14 16) (50 1 27 8 8) (20 1 16)))
        (cl-letf (((symbol-function 'window-body-width) (lambda (&rest _) width)))
          (quickvault--list-fit (selected-window))
          (should (equal columns (mapcar #'cadr tabulated-list-format))))))))

(ert-deftest quickvault-r18-copies-cards-fields-and-styles ()
  "R18: the whole card, one field, a template, and the code of a key that is never shown."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "w")
    (should (string-prefix-p "Company name: 深圳Harbor" (car kill-ring)))
    (should (equal quickvault-test-clipboard (car kill-ring)))
    (quickvault-test-keys "f Tax SPC ID RET W with SPC a SPC template RET {taxId}/{phone} RET")
    (should (equal '("91350100M000100Y43/0755-26543210" "91350100M000100Y43") (seq-take kill-ring 2)))
    (let ((card (quickvault-test-add :title "Mail" :group "personal" :type "text" :fields '(:text "x")
                                     :extraFields [(:label "totp" :concealed t
                                                    :value "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")])))
      (quickvault-show card)
      (should (quickvault-test-shows "•••••• (one-time code)"))
      (quickvault--copy-card card :field "totp")
      (should (string-match-p "\\`[0-9]\\{6\\}\\'" (current-kill 0))))))

(ert-deftest quickvault-p-pasted-edited-and-taken-back ()
  "P: the region, or what was copied, fills in a form.
A password is generated there; an edit is taken back, and an earlier version shown."
  (quickvault-test-with-vault
    (kill-new "收件人：韩梅 13800138001 广东深圳南山科技路88号")
    (quickvault-test-keys "M-x quickvault-paste RET")
    (should (quickvault-test-shows "Title: 韩梅\nGroup: Personal\nTags: \n\nName: 韩梅\nPhone: 13800138001\nProvince: 广东省\n"))
    (should (quickvault--form-changed-p))
    (quickvault-test-keys "<backtab> *Key: SPC C-u 30 C-c C-p")
    (should (string-match-p "\\*Key: [!-~]\\{30\\}$" (buffer-string)))
    (quickvault-test-keys "C-c C-c")
    (let ((id (plist-get quickvault--card :id)))
      (quickvault-test-keys "e C-e X C-c C-c")
      (should (quickvault-test-shows "韩梅X"))
      (quickvault-test-keys "C-/")
      (should (equal "韩梅" (plist-get (quickvault--get-card id) :title)))
      (cl-letf (((symbol-function 'quickvault--complete) (lambda (_ candidates &rest _) (cdar candidates))))
        (quickvault-test-keys "H")
        (should (string-match-p "韩梅X" (quickvault-test-text "*QuickVault stored card*")))
        (quickvault-form-cancel)
        (quickvault-revert (quickvault--get-card id))
        (should (equal "韩梅X" (plist-get (quickvault--get-card id) :title)))))))

(ert-deftest quickvault-page-conceals-until-asked ()
  "A concealed value is in no buffer until v, nor after a second v."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "RET")
    (should (quickvault-test-shows "Name:      王芳"))
    (should (quickvault-test-shows "Address:\n    科技路88号\n    3栋1202室"))
    (should (quickvault-test-shows "Door code: •••••••• (concealed)"))
    (should-not (string-match-p "SECRET4711" (format "%S" quickvault--card)))
    (quickvault-test-keys "v")
    (should (quickvault-test-shows "Door code: 门码SECRET4711"))
    (quickvault-test-keys "v")
    (should-not (seq-difference (quickvault-test-anywhere "SECRET4711")
                                ;; Emacs's decoding buffer; it is erased at the lock.
                                '(" *code-conversion-work*")))))

(ert-deftest quickvault-r20-page-copies-the-value-at-point ()
  "R20: TAB moves between values, which have descriptions; RET copies one."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "RET TAB TAB")
    (should (equal "Phone: RET copies it" (get-text-property (point) 'help-echo)))
    (quickvault-test-keys "RET")
    (should (equal "138 0013 8000" (car kill-ring)))
    (goto-char (point-min))
    (search-forward "••")
    (quickvault-test-keys "RET")
    (should (equal "门码SECRET4711" (car kill-ring)))))

(ert-deftest quickvault-r18-concealed-fields-are-copied-on-request ()
  "R18: a concealed field is copied only with a prefix argument, and otherwise named."
  (quickvault-test-with-vault
    (let (shown)
      (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (push text shown))))
        (quickvault-test-go "家")
        (quickvault-test-keys "w")
        (should-not (string-match-p "SECRET4711" (car kill-ring)))
        (should (seq-some (lambda (text) (string-prefix-p "Copied without: Door code." text)) shown))
        (setq shown nil)
        (quickvault-test-keys "C-u w")
        (should (string-suffix-p "\nDoor code: 门码SECRET4711" (car kill-ring)))
        (should-not (seq-some (lambda (text) (string-match-p "without" text)) shown))))))

(ert-deftest quickvault-equal-names-are-different-choices ()
  "Of equal titles and labels each can be chosen, also beside one that looks like a numbered one."
  (quickvault-test-with-vault
    (pcase-dolist (`(,title . ,text) '(("Bank (2)" . "numbered") ("Bank" . "older") ("Bank" . "newer")))
      (quickvault-test-add :title title :group "personal" :type "text" :fields `(:text ,text)
                           :extraFields [(:label "Text" :value "an extra one")]))
    (pcase-dolist (`(,name . ,text) '(("Bank" . "newer") ("Bank (2)" . "numbered") ("Bank (3)" . "older")))
      (quickvault-test-keys "C-x b *scratch* RET M-x quickvault-copy-field RET" (list name) "RET" '("Text") "RET")
      (should (equal text (car kill-ring))))
    (quickvault-test-keys "M-x quickvault-copy-field RET" '("Bank") "RET" '("Text (2)") "RET")
    (should (equal "an extra one" (car kill-ring)))))

(ert-deftest quickvault-completion-finds-as-the-search-does ()
  "R7, R20: a title is completed by pinyin and by parts of it, in any case, with any user interface."
  (quickvault-test-with-vault
    (quickvault-test-add :title "公司发票 · Invoice details" :group "company" :type "text" :fields '(:text "text of it"))
    (with-temp-buffer
      (set-window-buffer (selected-window) (current-buffer))
      (pcase-dolist (`(,typed . ,text) '(("gsfp" . "text of it") ("invoice 公司" . "text of it") ("kp" . "深圳Harbor")
                                         ("har kaipiao" . "深圳Harbor") ("HARBOR" . "深圳Harbor")))
        (erase-buffer)
        (quickvault-test-keys "M-x quickvault-insert RET" (list typed) "RET")
        (should (string-match-p text (buffer-string))))
      (should-error (quickvault-test-keys "M-x quickvault-insert RET nothing SPC like SPC it RET")))
    (let ((known (make-hash-table :test #'equal)))
      (should (equal 3 (length (all-completions "" (quickvault--card-table known 'quickvault-card #'quickvault--title-query)))))
      (should (equal '("公司发票 · Invoice details" "Harbor 开票")
                     (mapcar #'substring-no-properties (all-completions "piao" (quickvault--card-table known 'quickvault-card #'quickvault--title-query))))))))

(defun quickvault-test-issues ()
  "Return the texts of the issues that the form shows at point."
  (mapcar (lambda (overlay) (overlay-get overlay 'help-echo))
          (seq-filter (lambda (overlay) (overlay-get overlay 'quickvault-issue)) (overlays-at (line-beginning-position)))))

(ert-deftest quickvault-r21-form-shows-issues-and-saves-corrected-input ()
  "R21, R2: each issue is shown at its line; the input stays and can be corrected."
  (quickvault-test-with-vault
    (quickvault-test-keys "c Address RET <backtab>")
    (should (and (eobp) (looking-back "^--- Further fields ---\n" (line-beginning-position 0))))
    (quickvault-test-keys "TAB Office C-c C-c")
    (should (string-search "! Not saved.  Problems: 6" header-line-format))
    (should (quickvault-test-shows "Title: Office\n"))
    ;; Point is in the first invalid field.
    (should (looking-back "Name: " (line-beginning-position)))
    (should (string-match-p "! Name must not be empty" (car (quickvault-test-issues))))
    (quickvault-test-keys "M-g n")
    (should (string-match-p "! Phone must not be empty" (car (quickvault-test-issues))))
    (quickvault-test-keys "M-g p" '("李雷") "TAB 12345 TAB" '("广东省") "TAB" '("深圳市") "TAB" '("福田区") "TAB"
                          '("深南大道1号") "C-c C-c")
    (should (string-search "Problems: 1" header-line-format))
    (should (looking-at "12345$"))
    (should (string-prefix-p "  ! Phone" (overlay-get (car (overlays-at (point))) 'after-string)))
    (should (string-match-p "! Phone must be" (car (quickvault-test-issues))))
    (quickvault-test-keys "C-k 13800138000 C-c C-c")
    (should (derived-mode-p 'quickvault-card-mode))
    (should (quickvault-test-shows "Phone:    13800138000"))
    (should-not (get-buffer "*QuickVault form*"))
    (quickvault-test-wait (lambda () (string-match-p "Office" (quickvault-test-text "*QuickVault*"))))))

(ert-deftest quickvault-tags-with-a-comma ()
  "Tags that contain a comma are completed, added and removed; others do not change the card."
  (quickvault-test-with-vault
    (let ((id (plist-get (quickvault-test-add :title "Tagged" :group "personal" :type "text" :fields '(:text "x")
                                              :tags ["Doe, Jane" "税务、财务" "\"quoted\"" "back\\slash, too" "plain"])
                         :id)))
      (cl-flet ((now () (plist-get (quickvault--get-card id) :tags)))
        (quickvault-test-keys "g")
        (quickvault-test-go "Tagged")
        (quickvault-test-keys "-" '("plain, none") "RET -" '("Doe") "TAB" '(", 税务") "TAB RET")
        (should (equal ["\"quoted\"" "back\\slash, too"] (now)))
        (quickvault-test-keys "+" '("two words , \"Doe, Jane\"，\"a\" b、third, ") "RET")
        (should (equal ["\"quoted\"" "back\\slash, too" "two words" "Doe, Jane" "\"a\" b" "third"] (now)))
        (quickvault-test-keys "-" '("\"Doe, J") "TAB" '(",\"back\\\\slash, too\", none") "RET +" '("third") "RET")
        (should (equal ["\"quoted\"" "two words" "\"a\" b" "third"] (now)))))))

(ert-deftest quickvault-form-edits-every-part ()
  "Group, tags, optional and own fields can be changed, added and emptied; labels are completed."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "e TAB C-M-i TAB C-e" '("，new tag") "C-c C-c")
    (let ((card (quickvault--get-card (plist-get quickvault--card :id))))
      (should (equal "company" (plist-get card :group)))
      (should (equal ["home" "税务" "new tag"] (plist-get card :tags)))
      (should (eq t (plist-get card :pinned)))
      (should (equal "门码SECRET4711" (plist-get (aref (plist-get card :extraFields) 0) :value))))
    (quickvault-test-keys "e C-s Notes: RET C-a C-k Not C-M-i note")
    (should (quickvault-test-shows "Notes: note\n"))
    ;; The last place is that for a new field.
    (goto-char (point-min))
    (quickvault-test-keys "<backtab> Memo: RET SPC SPC two RET")
    (unless (looking-back "  " (line-beginning-position)) (insert "  "))
    (quickvault-test-keys "lines C-x C-s")
    (should (quickvault-test-shows "Notes:     note"))
    (should (quickvault-test-shows "Memo:\n    two\n    lines"))
    (quickvault-test-keys "e C-s note RET DEL DEL DEL DEL C-s code RET C-a C-k C-c C-c")
    (should-not (quickvault-test-shows "Notes"))
    (should-not (quickvault-test-shows "Door code"))
    (should (quickvault-test-shows "Memo:"))))

(defun quickvault-test-dots ()
  "Return the characters of the form that are drawn as dots."
  (font-lock-set-defaults)
  (save-excursion (font-lock-fontify-region (point-min) (point-max)))
  (cl-loop for place from (point-min) below (point-max)
           when (equal "•" (get-text-property place 'display)) concat (string (char-after place))))

(ert-deftest quickvault-form-conceals-in-any-script ()
  "What is typed as a concealed value is drawn as dots, in any script, and saved unchanged."
  (quickvault-test-with-vault
    (quickvault-test-keys "c Text RET Note TAB TAB TAB TAB body <backtab> <backtab>" '("*Key: 新码 one"))
    (should (equal "新码 one" (quickvault-test-dots)))
    (quickvault-test-keys "C-c C-v")
    (should (equal "" (quickvault-test-dots)))
    (quickvault-test-keys "C-c C-v")
    (should (equal "新码 one" (quickvault-test-dots)))
    (quickvault-test-keys "C-a C-k" '("*\"a: b\": three"))
    (should (equal "three" (quickvault-test-dots)))
    (quickvault-test-keys "C-a C-k" '("*Key:") "RET" '("  two"))
    (should (equal "two" (quickvault-test-dots)))
    (quickvault-test-keys "C-c C-c")
    (should (quickvault-test-shows "Text: body"))
    (should (quickvault-test-shows "Key:  •••••••• (concealed)"))
    (quickvault-test-keys "v")
    (should (quickvault-test-shows "Key:  two"))))

(ert-deftest quickvault-form-reveals-one-value ()
  "A stored concealed value is not in the form until C-c C-v, nor after a second one; both leave it unchanged."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "e")
    (should (quickvault-test-shows "*Door code: ••••\n"))
    (should-error (quickvault-form-reveal) :type 'user-error)
    (quickvault-test-keys "C-s Door RET C-c C-v")
    (should (quickvault-test-shows "*Door code: 门码SECRET4711\n"))
    (should (equal "" (quickvault-test-dots)))
    (should-not (quickvault--form-changed-p))
    (quickvault-test-keys "C-c C-v")
    (should (quickvault-test-shows "*Door code: ••••\n"))
    (should-not (quickvault--form-changed-p))
    (quickvault-test-keys "C-c C-v C-e 2 C-c C-v")
    (should (equal "门码SECRET47112" (quickvault-test-dots)))
    (quickvault-test-keys "C-c C-c v")
    (should (quickvault-test-shows "Door code: 门码SECRET47112"))))

(ert-deftest quickvault-form-cancel-asks-about-unsaved-input ()
  "Cancelling a form asks only if it has unsaved input."
  (quickvault-test-with-vault
    (quickvault-test-keys "c Text RET C-c C-k")
    (should-not (get-buffer "*QuickVault form*"))
    (quickvault-test-keys "c Text RET typed C-c C-k n")
    (should (quickvault-test-shows "typed"))
    (quickvault-test-keys "C-c C-k y")
    (should-not (get-buffer "*QuickVault form*"))
    (should (derived-mode-p 'quickvault-list-mode))))

(ert-deftest quickvault-conflict-shows-the-stored-card ()
  "After a conflict, the stored card is beside the form; the user keeps editing, or overwrites it."
  (quickvault-test-with-vault
    (let ((id (plist-get (progn (quickvault-test-go "Harbor") (quickvault--list-item)) :id)))
      (quickvault-test-keys "e C-e" '(" mine"))
      (quickvault-test-other-process `(card/update :id ,id :title "Theirs"))
      (quickvault-test-keys "C-c C-c k")
      (with-current-buffer "*QuickVault stored card*"
        (should (get-buffer-window))
        (should (string-prefix-p "Title: Theirs\n" (buffer-string)))
        (should (eq 'diff-added (get-text-property (point-min) 'face)))
        (should-not (text-property-any (line-beginning-position 2) (point-max) 'face 'diff-added)))
      (should (quickvault-test-shows "Harbor 开票 mine"))
      (should (equal "Theirs" (plist-get (quickvault--get-card id) :title)))
      (quickvault-test-keys "C-c C-c o")
      (should (equal "Harbor 开票 mine" (plist-get (quickvault--get-card id) :title)))
      (should-not (get-buffer "*QuickVault stored card*")))))

(ert-deftest quickvault-typed-ahead-keys-do-not-overwrite-another-version ()
  "Keys that were typed before the question about another version do not answer it."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (let ((card (quickvault--list-item)))
      (quickvault-test-keys "e C-e" '(" mine"))
      (quickvault-test-other-process `(card/update :id ,(plist-get card :id) :title "Theirs"))
      (let ((unread-command-events (listify-key-sequence (kbd "C-x o"))))
        (cl-letf (((symbol-function 'read-multiple-choice)
                   (lambda (&rest _) (list (or (car (last unread-command-events)) ?k)))))
          (quickvault-form-save)))
      (should (quickvault-test-shows "Harbor 开票 mine"))
      (should (equal "Theirs" (plist-get (quickvault--get-card (plist-get card :id)) :title))))))

(ert-deftest quickvault-deleted-card-can-be-saved-as-new ()
  "R1: a card that was deleted elsewhere while it was edited can be saved as a new one."
  (quickvault-test-with-vault
    (let ((id (plist-get (progn (quickvault-test-go "家") (quickvault--list-item)) :id)))
      (quickvault-test-keys "e C-e" '(" mine"))
      (quickvault-test-other-process `(card/delete :id ,id))
      (quickvault-test-keys "C-c C-c n")
      (should (quickvault-test-shows "家 mine"))
      ;; Its concealed value is gone with it.
      (quickvault-test-keys "C-c C-c y")
      (should (string-match-p "••••" (car (quickvault-test-issues))))
      (quickvault-test-keys "C-k typed C-c C-c y")
      (should (derived-mode-p 'quickvault-card-mode))
      (should (quickvault-test-shows "家 mine\n"))
      (should (quickvault-test-shows "王芳"))
      (should-not (equal id (plist-get quickvault--card :id))))))

(ert-deftest quickvault-list-and-page-follow-other-processes ()
  "Changes by another process are shown after the next request."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (let ((id (plist-get (quickvault--list-item) :id)))
      (quickvault-test-keys "RET")
      (quickvault-test-other-process `(card/update :id ,id :title "Changed elsewhere"))
      (quickvault--request 'tag/list)
      (quickvault-test-wait (lambda () (and (quickvault-test-shows "Changed elsewhere")
                                            (string-match-p "Changed elsewhere"
                                                            (quickvault-test-text "*QuickVault*")))))
      (quickvault-test-other-process `(card/delete :id ,id))
      (quickvault--request 'tag/list)
      (quickvault-test-wait (lambda () (quickvault-test-shows "Another program deleted this card")))
      (quickvault-test-wait (lambda () (not (string-match-p "Changed elsewhere"
                                                            (quickvault-test-text "*QuickVault*"))))))))

(provide 'quickvault-card-tests)
;;; quickvault-card-tests.el ends here
