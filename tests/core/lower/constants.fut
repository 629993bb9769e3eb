-- Constants run at the start of the entry, in the order of definition, and reach other functions as
-- parameters.
def table : [4]i64 = map (* 3) (iota 4)
def total : i64 = i64.sum table
def unused : i64 = 1 / 0
def look (i: i64) : i64 = table[i] + total
def main (i: i64) : i64 = look i + look (i + 1) + total
