-- Imported by names.fut.
def inner = 1i32
