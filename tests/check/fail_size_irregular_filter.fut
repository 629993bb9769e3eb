-- So would these.
-- ==
-- error: depends on size `count`, which is not the same everywhere here.*H4003.*`count` is made anew in each call, branch or step
def main (xss: [][]i32) : i64 = length (map (filter (> 0)) xss)
