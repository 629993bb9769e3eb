-- The sizes of `?[n].t` are names in brackets, each once.
-- ==
-- error: expected `\[` and the name of a size after `\?`, found `n` \[H2001].*expected `\.` after the sizes, found `\(` \[H2001].*a second size with the name `n` \[H2004]
type t = ?n.[n]i32
type u = ?[n] ([n]i32)
def f (g: i32 -> ?[n][n].[n]i32) = g
