-- A file defines each name once.
-- ==
-- error: second definition with the name `f` \[H2004]
def f (x: i32) = x
def f (x: i64) = x
