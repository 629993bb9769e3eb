;;; halo.el --- Halo and Futhark: the language server in Emacs -*- lexical-binding: t -*-

;; (load "halo.el"); `halo' must be on the PATH. Emacs 29 has eglot, before it is a package of its own.
;; futhark-mode (MELPA) is taken where it is installed; else there is a plain mode for .fut files.
(require 'eglot)

(unless (require 'futhark-mode nil t)
  (define-derived-mode futhark-mode prog-mode "Futhark"
    "Programs of Halo and Futhark."
    (setq-local comment-start "-- " comment-start-skip "--+[ \t]*" indent-tabs-mode nil)
    (modify-syntax-entry ?- ". 12b")
    (modify-syntax-entry ?\n "> b")
    (modify-syntax-entry ?' "_")
    (setq-local font-lock-defaults
                '(("\\_<\\(assert\\|case\\|def\\|do\\|else\\|entry\\|for\\|if\\|import\\|in\\|include\\|let\\|local\\|loop\\|match\\|module\\|open\\|then\\|type\\|val\\|while\\|with\\)\\_>"
                   ("\\_<\\(bool\\|[iu]\\(?:8\\|16\\|32\\|64\\)\\|f\\(?:16\\|32\\|64\\)\\)\\_>" . font-lock-type-face)
                   ("^\\(?:def\\|entry\\) +\\([a-z_][a-zA-Z0-9_']*\\)" 1 font-lock-function-name-face)))))
  (add-to-list 'auto-mode-alist '("\\.fut\\'" . futhark-mode)))

(add-to-list 'eglot-server-programs '(futhark-mode . ("halo" "lsp")))
(add-hook 'futhark-mode-hook #'eglot-ensure)

(provide 'halo)
;;; halo.el ends here
