;;; quickvault-test-support.el --- A vault to test with  -*- lexical-binding: t; -*-

;;; Commentary:

;; Each test uses the real program and its own vault in a temporary directory.  It
;; types keys, including passwords, with keyboard macros.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'quickvault)

(defconst quickvault-test-password "correct horse 电池")

(defconst quickvault-test-keys-of-password (list quickvault-test-password)
  "The password, to type with `quickvault-test-keys'.")

(defvar quickvault-test-directory nil
  "The temporary directory of the running test.")

(defvar quickvault-test-clipboard nil
  "The content of the clipboard.")

(defconst quickvault-test-program
  (or (getenv "QUICKVAULT_PROGRAM") (error "QUICKVAULT_PROGRAM is not set"))
  "The program under test.")

(defmacro quickvault-test-in-directory (&rest body)
  "Evaluate BODY with an empty directory and without state of earlier tests."
  (declare (indent 0) (debug t))
  `(let* ((quickvault-test-directory (make-temp-file "quickvault-test-" t))
          (quickvault-program quickvault-test-program)
          (quickvault-vault-file (expand-file-name "my.quickvault" quickvault-test-directory))
          (quickvault-language "en")
          ;; A service would outlive a test.
          (quickvault-shared (bound-and-true-p quickvault-test-shared))
          ;; For a busy machine.
          (quickvault-timeout 60)
          (quickvault--language nil)
          (quickvault--demo nil)
          (quickvault-test-clipboard nil)
          (interprogram-cut-function (lambda (text) (setq quickvault-test-clipboard text)))
          (interprogram-paste-function (lambda () quickvault-test-clipboard))
          (kill-ring nil)
          (kill-ring-yank-pointer nil)
          (inhibit-message t))
     ;; The test runner prints earlier failures there.
     (with-current-buffer (messages-buffer)
       (let ((inhibit-read-only t)) (erase-buffer)))
     (unwind-protect (progn ,@body)
       (quickvault-test-clean))))

(defun quickvault-test-clean ()
  "Stop the program, kill its buffers and delete the directory."
  ;; `quickvault--stop' would also wait for a tenth of a second.
  (when quickvault--connection (delete-process (jsonrpc--process quickvault--connection)))
  (dolist (buffer (buffer-list))
    ;; Killing one buffer may kill another.
    (when (and (buffer-live-p buffer) (string-match-p "QuickVault" (buffer-name buffer)))
      (with-current-buffer buffer
        (let (kill-buffer-query-functions) (kill-buffer)))))
  (quickvault--untrack-copied)
  (setq quickvault--unlocked nil)
  ;; Emacs reacts to frames and their focus on its own, too.
  (when (timerp quickvault--focus-timer) (cancel-timer quickvault--focus-timer))
  (setq quickvault--focus-timer nil)
  ;; A program that has just lost its client may still be writing there.
  (quickvault-test-wait
   (lambda () (ignore-errors (delete-directory quickvault-test-directory t) t))))

(defmacro quickvault-test-with-vault (&rest body)
  "Evaluate BODY in the list of an unlocked vault with two cards."
  (declare (indent 0) (debug t))
  `(quickvault-test-in-directory
     ;; The fewest iterations allowed, to make the tests fast.
     (quickvault--call 'vault/create
                       (list :password quickvault-test-password
                             :kdf '(:algorithm "pbkdf2-hmac-sha256" :iterations 100000)))
     (setq quickvault--unlocked t)
     (quickvault--watch-background)
     (quickvault-test-add :title "家" :group "personal" :type "address" :tags ["home" "税务"] :pinned t
                          :fields '(:name "王芳" :phone "138 0013 8000" :province "广东省" :city "深圳市"
                                          :district "南山区" :address "科技路88号\n3栋1202室")
                          :extraFields [(:label "Door code" :value "门码SECRET4711" :concealed t)])
     (quickvault-test-add :title "Harbor 开票" :group "company" :type "invoice" :tags ["税务" "bank"]
                          :fields '(:companyName "深圳Harbor信息有限公司" :taxId "91350100M000100Y43"
                                                 :address "南山区88号" :phone "0755-26543210"
                                                 :bankName "招商银行深圳分行" :bankAccount "7559123456789012"))
     (quickvault-test-keys "M-x quickvault RET")
     ,@body))

(defun quickvault-test-add (&rest card)
  "Store CARD and return it."
  (plist-get (quickvault--request 'card/create card) :card))

(defun quickvault-test-keys (&rest keys)
  "Type KEYS, each in the syntax of `kbd', or a list of one literal string."
  (execute-kbd-macro
   (vconcat (mapcan (lambda (some) (append (if (consp some) (car some) (kbd some)) nil)) keys))))

(defun quickvault-test-all-cards ()
  "Return the summaries of all cards, in the vault's order."
  (append (plist-get (quickvault--request 'card/list '(:limit 1000)) :items) nil))

(defun quickvault-test-go (title)
  "Move to the row of the card TITLE."
  (set-buffer "*QuickVault*")
  (set-window-buffer (selected-window) (current-buffer))
  (goto-char (point-min))
  (search-forward title)
  (goto-char (line-beginning-position)))

(defun quickvault-test-card (title)
  "Return the summary of the card TITLE in the list."
  (with-current-buffer "*QuickVault*"
    (seq-find (lambda (card) (equal title (plist-get card :title))) quickvault--items)))

(defun quickvault-test-file (file)
  "Return the content of FILE."
  (with-temp-buffer
    (insert-file-contents file)
    (buffer-string)))

(defun quickvault-test-text (&optional buffer)
  "Return the text of BUFFER, or of the selected window's buffer."
  (with-current-buffer (or buffer (window-buffer)) (buffer-substring-no-properties (point-min) (point-max))))

(defun quickvault-test-shows (text)
  "Return non-nil if the selected window's buffer contains TEXT."
  (and (string-match-p (regexp-quote text) (quickvault-test-text)) t))

(defun quickvault-test-anywhere (text)
  "Return the names of the buffers that contain TEXT."
  (delq nil (mapcar (lambda (buffer)
                      (and (string-match-p (regexp-quote text) (quickvault-test-text buffer))
                           (buffer-name buffer)))
                    (buffer-list))))

(defun quickvault-test-wait (predicate)
  "Wait until PREDICATE returns non-nil; fail after a minute."
  (let ((deadline (time-add nil 60)))
    (while (not (funcall predicate))
      (when (time-less-p deadline nil)
        (ert-fail (list "It did not happen within a minute; the selected window shows" (quickvault-test-text))))
      (accept-process-output nil 0.05))))

(defun quickvault-test-due-p (timer seconds since)
  "Return non-nil if TIMER was set to SECONDS between the time SINCE and now."
  (<= (+ since seconds -1) (float-time (timer--time timer)) (+ (float-time) seconds 1)))

(defun quickvault-test-other-process (&rest requests)
  "Unlock the vault in another process, make REQUESTS there, and return their results.
A request is a list of a method and parameters."
  (let ((id 0)
        (requests (cons `(session/unlock :password ,quickvault-test-password) requests)))
    (with-temp-buffer
      (dolist (request requests)
        (insert (json-serialize `(:jsonrpc "2.0" :id ,(cl-incf id) :method ,(symbol-name (car request))
                                           :params ,(or (cdr request) (make-hash-table)))
                                :false-object :json-false)
                "\n"))
      (let ((coding-system-for-read 'utf-8) (coding-system-for-write 'utf-8))
        (call-process-region (point-min) (point-max) quickvault-test-program t t nil
                             "--vault" quickvault-vault-file))
      (goto-char (point-min))
      (let (results)
        (while (not (eobp))
          (let ((message (json-parse-buffer :object-type 'plist :null-object nil :false-object :json-false)))
            (when (plist-get message :error) (error "The other process: %S" (plist-get message :error)))
            (when (plist-get message :id) (push (plist-get message :result) results)))
          (skip-chars-forward "\n"))
        (cdr (nreverse results))))))

;;; qv in a terminal

(defvar quickvault-test-questions nil
  "The questions for a password, the newest first.")

(defmacro quickvault-test-answering (passwords &rest body)
  "Evaluate BODY, and give each of PASSWORDS to a question for a password."
  (declare (indent 1) (debug t))
  `(let ((passwords ,passwords))
     (cl-letf (((symbol-function 'quickvault--read-password)
                (lambda (prompt)
                  (push prompt quickvault-test-questions)
                  (copy-sequence (or (pop passwords) (error "No password for %s" prompt))))))
       ,@body)))

(defun quickvault-test-wait-for-page ()
  "Wait until the program in the selected window has ended."
  (quickvault-test-wait
   (lambda () (eq 'quickvault-output-mode (buffer-local-value 'major-mode (window-buffer))))))

(provide 'quickvault-test-support)
;;; quickvault-test-support.el ends here
