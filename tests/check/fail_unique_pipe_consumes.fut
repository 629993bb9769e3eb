-- What a pipe applies does not consume: `|>` and `<|` are functions of `a -> b`.
-- ==
-- error: this function has type .*: it consumes what a pipe only passes on \[H3022].*help: write an application.*it consumes what a pipe only passes on
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1

def forward (xs: *[]i32) = xs |> set
def backward (xs: *[]i32) = set <| xs
def applied (xs: *[]i32) = set xs
