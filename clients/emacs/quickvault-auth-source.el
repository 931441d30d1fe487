;;; quickvault-auth-source.el --- Passwords for Gnus, TRAMP and others  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A backend of auth-source.el.  It finds cards whose website, or title, is the host, and
;; whose user name matches; such cards come from an import or have fields with these
;; labels: Website (or URL, Host), User name, Password and Port.  To use it:
;;
;;   (quickvault-auth-source-enable)
;;
;; A password is read from the vault when it is used: neither auth-source's cache nor this
;; package keeps it.

;;; Code:

(require 'auth-source)
(require 'url-parse)
(require 'quickvault-lisp)

(defconst quickvault--login-labels
  '((:host "website" "url" "host" "server" "网址" "网站" "主机" "服务器")
    (:user "user name" "username" "user" "login" "account" "用户名" "账号" "帐号" "账户")
    (:secret "password" "密码")
    (:port "port" "protocol" "端口" "协议"))
  "Labels, in lower case, of the fields that make a card a login.")

;;;###autoload
(defun quickvault-auth-source-enable ()
  "Have auth-source look for passwords in the vault, after its other sources."
  (interactive)
  (add-to-list 'auth-sources 'quickvault t)
  (auth-source-forget-all-cached))

(defun quickvault--auth-source-backend (entry)
  "Return the backend for ENTRY of `auth-sources' if it is the vault."
  (when (eq entry 'quickvault)
    (auth-source-backend-parse-parameters
     entry
     (auth-source-backend :type 'quickvault :source "." :search-function #'quickvault--auth-source-search))))

(add-hook 'auth-source-backend-parser-functions #'quickvault--auth-source-backend)

(cl-defun quickvault--auth-source-search (&key host user port (max 1) require &allow-other-keys)
  "Return at most MAX logins for HOST, USER and PORT, as `auth-source-search' does.
Return only those that have all properties in REQUIRE."
  (let (found)
    (dolist (name (if (eq host t) '(t) (seq-filter #'stringp (quickvault--as-list host))))
      (pcase-let ((`(,text ,own-port) (if (eq name t)
                                          (seq-filter #'stringp (quickvault--as-list user))
                                        (quickvault--host-and-port name))))
        (quickvault--some-card-with
         text
         (lambda (card)
           (let ((login (quickvault--login card name)))
             (when (and login
                        (< (length found) max)
                        (quickvault--login-matches-p login :user user)
                        (quickvault--login-matches-p login :port (if (eq name t) port (or own-port port)))
                        (seq-every-p (lambda (key) (plist-get login key)) require)
                        (not (member login found)))
               (push login found))
             (>= (length found) max))))))
    (nreverse found)))

(defun quickvault--as-list (value)
  "Return VALUE, a parameter of `auth-source-search', as a list.
If it is t, any value will do."
  (cond ((eq value t) nil)
        ((listp value) value)
        (t (list value))))

(defconst quickvault--services
  '(("ftp" . 21) ("ssh" . 22) ("scp" . 22) ("sftp" . 22) ("smtp" . 25) ("http" . 80) ("pop3" . 110) ("nntp" . 119)
    ("imap" . 143) ("ldap" . 389) ("https" . 443) ("smtps" . 465) ("nntps" . 563) ("submission" . 587) ("ldaps" . 636)
    ("imaps" . 993) ("pop3s" . 995))
  "The ports of services that auth-source is asked for by name.")

(defun quickvault--login-matches-p (login key wanted)
  "Return non-nil if LOGIN has one of the values WANTED of KEY, or none at all."
  (cl-flet ((value (one)
              (let ((text (format "%s" one)))
                (format "%s" (or (and (eq key :port) (cdr (assoc (downcase text) quickvault--services))) text)))))
    (let ((wanted (mapcar #'value (quickvault--as-list wanted))))
      (or (null wanted)
          (null (plist-get login key))
          (and (member (value (plist-get login key)) wanted) t)))))

(defun quickvault--some-card-with (text use)
  "Call USE with cards that have TEXT anywhere, or with all if it is nil.
Stop at a non-nil value."
  (let ((request (if text
                     (list 'card/search :query (format "\"%s\"" (string-replace "\"" "" text)))
                   (list 'card/list)))
        cursor)
    (while (let ((page (quickvault--request (car request) (append (cdr request) '(:limit 50)
                                                                  (and cursor (list :cursor cursor))))))
             (unless (seq-some (lambda (item)
                                 (funcall use (quickvault--get-card (plist-get (or (plist-get item :card) item) :id))))
                               (plist-get page :items))
               (setq cursor (plist-get page :nextCursor)))))))

(defun quickvault--login (card host)
  "Return the login for HOST, or any if that is t, in CARD, or nil."
  (let ((fields (append (plist-get card :extraFields) (plist-get card :fields) nil)))
    (cl-flet ((field (key)
                (seq-find (lambda (field)
                            (member (downcase (plist-get field :label))
                                    (cdr (assq key quickvault--login-labels))))
                          fields)))
      (let* ((secret (field :secret))
             (place (and secret
                         (seq-find (lambda (place) (quickvault--host-p host place))
                                   (list (plist-get (field :host) :value) (plist-get card :title))))))
        (when place
          `(:host ,(if (eq host t) (car (quickvault--host-and-port place)) host)
            ,@(when-let ((user (plist-get (field :user) :value))) (list :user user))
            ,@(when-let ((port (or (plist-get (field :port) :value) (cadr (quickvault--host-and-port place))))) (list :port port))
            ;; Read when it is used, because auth-source keeps its results.
            :secret ,(apply-partially #'quickvault-get-field (plist-get card :id) (plist-get secret :label))))))))

(defun quickvault--host-p (host place)
  "Return non-nil if PLACE, a URL or a name, is that of HOST.
Both may have a port.  If HOST is t, any PLACE will do."
  (and place
       (or (eq host t)
           (quickvault--same-text-p host place)
           (pcase-let ((`(,name ,port) (quickvault--host-and-port host))
                       (`(,there ,own-port) (quickvault--host-and-port place)))
             (and (quickvault--same-text-p name there)
                  (or (null port) (null own-port) (eql port own-port)))))))

(defun quickvault--host-and-port (place)
  "Return a list of the host in PLACE, a URL or a name, and of its port or nil."
  (let ((url (url-generic-parse-url (if (string-search "://" place) place (concat "host://" place)))))
    (list (or (url-host url) place) (url-portspec url))))

(provide 'quickvault-auth-source)
;;; quickvault-auth-source.el ends here
