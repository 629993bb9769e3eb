#!/usr/bin/env python3
"""Draws chip.png, the power density of an imaginary processor, for examples/hotspot.fut.

A 512 x 512 picture, 8-bit grey: black is no power, white the densest block. Eight cores (each with its
execution units, caches and front end) stand around a band of shared cache; graphics units fill the lower part;
memory and peripheral links line the edges. Everything is deterministic, so the picture can be made again:

    python3 make_chip.py            # writes chip.png beside this script
"""

import pathlib
import struct
import zlib

SIZE = 512


def rectangle(chip, x, y, width, height, level):
    for row in range(y, y + height):
        for column in range(x, x + width):
            chip[row][column] = level


def striped(chip, x, y, width, height, level, other, period):
    """A memory array: rows of cells (`level`) between rows of wires and sense amplifiers (`other`)."""
    for row in range(y, y + height):
        value = other if (row - y) % period < max(1, period // 4) else level
        chip[row][x:x + width] = [value] * width


def core(chip, x, y, load, mirrored):
    """One core, 96 x 88; `load` in percent scales the heat of its work."""

    def scaled(level):
        return level * load // 100

    def at(offset, width):
        return x + (96 - offset - width if mirrored else offset)

    rectangle(chip, x, y, 96, 88, 26)
    striped(chip, at(4, 36), y + 4, 36, 50, 44, 30, 8)           # second-level cache
    striped(chip, at(4, 36), y + 58, 36, 12, scaled(80), 50, 4)  # instruction cache
    striped(chip, at(4, 36), y + 73, 36, 12, scaled(90), 56, 4)  # data cache
    rectangle(chip, at(44, 48), y + 4, 48, 18, scaled(120))      # fetch and decode
    rectangle(chip, at(44, 22), y + 25, 22, 26, scaled(170))     # scheduler
    rectangle(chip, at(70, 22), y + 25, 22, 26, scaled(255))     # integer units
    rectangle(chip, at(44, 30), y + 55, 30, 30, scaled(235))     # vector units
    rectangle(chip, at(78, 14), y + 55, 14, 30, scaled(110))     # load and store


def draw():
    chip = [[14] * SIZE for _ in range(SIZE)]
    loads = [[100, 62, 88, 30], [45, 95, 25, 78]]
    for row, y in enumerate((36, 188)):
        for column in range(4):
            core(chip, 44 + column * 108, y, loads[row][column], column % 2 == 1)
    for column in range(4):  # shared cache between the two rows of cores
        striped(chip, 44 + column * 108, 132, 96, 20, 40, 24, 5)
        striped(chip, 44 + column * 108, 160, 96, 20, 40, 24, 5)
    rectangle(chip, 44, 154, 420, 4, 130)  # ring between the cores
    for row in range(3):  # graphics units
        for column in range(8):
            x, y = 44 + column * 40, 298 + row * 58
            rectangle(chip, x, y, 35, 52, 36)
            rectangle(chip, x + 3, y + 3, 29, 20, 150 - 30 * row)
            striped(chip, x + 3, y + 27, 29, 22, 62, 40, 4)
    striped(chip, 372, 298, 92, 76, 34, 20, 6)    # graphics cache
    rectangle(chip, 372, 382, 44, 40, 105)        # video
    rectangle(chip, 420, 382, 44, 40, 72)         # display
    rectangle(chip, 372, 428, 92, 40, 54)         # power control, sensors
    for index in range(16):                       # memory links on the left and right edges
        rectangle(chip, 6, 20 + index * 30, 24, 22, 84)
        rectangle(chip, 482, 20 + index * 30, 24, 22, 66)
    for index in range(22):                       # peripheral links on the upper and lower edges
        rectangle(chip, 44 + index * 19, 6, 13, 18, 58)
        rectangle(chip, 44 + index * 19, 486, 13, 18, 48)
    return chip


def png_chunk(kind, payload):
    checksum = zlib.crc32(kind + payload)
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", checksum)


def png_grey(rows):
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    lines = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
            + png_chunk(b"IDAT", zlib.compress(lines, 9)) + png_chunk(b"IEND", b""))


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("chip.png").write_bytes(png_grey(draw()))
