;;; terminal-init.el --- The init file of the terminal tests  -*- lexical-binding: t; -*-

;;; Commentary:

;; It lets Emacs record as much as possible.

;;; Code:

(setq inhibit-startup-screen t
      enable-recursive-minibuffers t
      auto-save-interval 20 auto-save-timeout 1
      make-backup-files t version-control t
      savehist-additional-variables '(kill-ring search-ring register-alist minibuffer-history)
      savehist-file "~/.emacs.d/history"
      desktop-save t desktop-path '("~/.emacs.d/")
      desktop-restore-eager 0 desktop-load-locked-desktop t)
(savehist-mode)
(recentf-mode)
(save-place-mode)
(auto-save-visited-mode)
(desktop-save-mode)
(menu-bar-mode -1)
(setq quickvault-program (getenv "QUICKVAULT_PROGRAM"))
;; Dump everything that the locked Emacs still holds.
(add-hook 'kill-emacs-hook
          (lambda ()
            (with-temp-file (format "~/dump-%d" (emacs-pid))
              (let ((dump (current-buffer)) print-level print-length)
                (dolist (buffer (buffer-list))
                  (unless (eq buffer dump)
                    (insert (format "== %s\n" (buffer-name buffer)))
                    (insert (with-current-buffer buffer (buffer-string)))
                    (insert (format "\n%S\n" (buffer-local-value 'buffer-undo-list buffer)))))
                (prin1 (list kill-ring minibuffer-history extended-command-history command-history search-ring isearch-string
                             (apply #'string (seq-filter #'characterp (recent-keys))))
                       dump)))))

;;; terminal-init.el ends here
