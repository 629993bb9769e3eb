;;; halo.el --- Halo and Futhark: the language server for futhark-mode -*- lexical-binding: t -*-

;; (load "halo.el") behind futhark-mode (MELPA); `halo' must be on the PATH.
(require 'eglot)
(add-to-list 'eglot-server-programs '(futhark-mode . ("halo" "lsp")))
(add-hook 'futhark-mode-hook #'eglot-ensure)

(provide 'halo)
;;; halo.el ends here
