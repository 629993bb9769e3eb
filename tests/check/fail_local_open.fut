-- Only a name is a module.
-- ==
-- error: `\.\(` opens a module, and only a name stands for one \[H2001]
def main (x: i32) = (i32).(x + 1)
