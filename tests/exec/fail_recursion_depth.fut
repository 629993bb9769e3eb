-- Recursion without end stops at the call that goes deeper.
-- ==
-- input { 5i64 } error: too deep.*:7:.*1 \+ deeper \(x \+ 1\).*\^\^\^\^\^\^
-- input { 0i64 } output { 0i64 }

def deeper (x: i64) : i64 =
  if x <= 0 then 0 else 1 + deeper (x + 1)

def main (x: i64) : i64 = deeper x
