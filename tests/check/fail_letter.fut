-- Names have ASCII letters only.
-- ==
-- error: U\+03BB.*\[H1001]
def main (λ: i32) = 1
