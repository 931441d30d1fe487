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
    (dolist (name (quickvault--as-list host))
      (when (stringp name)
        (quickvault--some-card-with
         name
         (lambda (card)
           (let ((login (quickvault--login card name)))
             (when (and login
                        (< (length found) max)
                        (quickvault--login-matches-p login :user user)
                        (quickvault--login-matches-p login :port port)
                        (seq-every-p (lambda (key) (plist-get login key)) require)
                        (not (member login found)))
               (push login found))
             (>= (length found) max))))))
    (nreverse found)))

(defun quickvault--as-list (value)
  "Return VALUE, a parameter of `auth-source-search', as a list."
  (cond ((eq value t) nil)
        ((listp value) value)
        (t (list value))))

(defun quickvault--login-matches-p (login key wanted)
  "Return non-nil if LOGIN has one of the values WANTED of KEY, or none at all."
  (let ((value (plist-get login key))
        (wanted (mapcar (lambda (one) (format "%s" one)) (quickvault--as-list wanted))))
    (or (null wanted) (null value) (and (member (format "%s" value) wanted) t))))

(defun quickvault--some-card-with (host use)
  "Call USE with cards that have HOST anywhere; stop at a non-nil value."
  (let ((query (format "\"%s\"" (string-replace "\"" "" host)))
        cursor)
    (while (let ((page (quickvault--request 'card/search (append (list :query query :limit 50)
                                                                 (and cursor (list :cursor cursor))))))
             (unless (seq-some (lambda (item)
                                 (funcall use (quickvault--get-card (plist-get (plist-get item :card) :id))))
                               (plist-get page :items))
               (setq cursor (plist-get page :nextCursor)))))))

(defun quickvault--login (card host)
  "Return the login for HOST in CARD, or nil if it is not one."
  (let ((fields (append (plist-get card :extraFields) (plist-get card :fields) nil)))
    (cl-flet ((field (key)
                (seq-find (lambda (field)
                            (member (downcase (plist-get field :label))
                                    (cdr (assq key quickvault--login-labels))))
                          fields)))
      (let ((secret (field :secret)))
        (when (and secret
                   (seq-some (lambda (place) (quickvault--host-p host place))
                             (list (plist-get (field :host) :value) (plist-get card :title))))
          `(:host ,host
            ,@(when-let ((user (plist-get (field :user) :value))) (list :user user))
            ,@(when-let ((port (plist-get (field :port) :value))) (list :port port))
            ;; Read when it is used, because auth-source keeps its results.
            :secret ,(apply-partially #'quickvault-get-field (plist-get card :id) (plist-get secret :label))))))))

(defun quickvault--host-p (host place)
  "Return non-nil if PLACE, a URL or a name, is that of HOST."
  (and place
       (or (quickvault--same-text-p host place)
           (quickvault--same-text-p
            host (or (url-host (url-generic-parse-url (if (string-search "://" place) place (concat "https://" place))))
                     "")))))

(provide 'quickvault-auth-source)
;;; quickvault-auth-source.el ends here
