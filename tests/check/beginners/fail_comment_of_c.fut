-- Comments of other languages.
-- ==
-- error: help: a comment begins with .--.
/* a comment */
