-- A choice by a value.
-- ==
-- error: unknown name .switch.*help: .match x case 0
def main (x: i32) = switch x
