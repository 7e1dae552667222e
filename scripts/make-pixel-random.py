#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-pixel-random.py FOLDER

Writes tev-random.dff, pe-random.dff and copy-random.dff for data/captures: 16 x 12 squares of random register values in the
combiners and the indirect unit, in fog and the pixel engine, and in texture copies.  Nothing in them is sensible; they are
there to compare renderers.  The numbers come from a generator of its own, so that the files are the same everywhere.
"""
import importlib.machinery
import importlib.util
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LOADER = importlib.machinery.SourceFileLoader('tex_random', os.path.join(HERE, 'make-tex-random.py'))
tex_random = importlib.util.module_from_spec(importlib.util.spec_from_loader('tex_random', LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(tex_random)
Random, Stream = tex_random.Random, tex_random.Stream

WIDTH, HEIGHT, CELL = tex_random.WIDTH, tex_random.HEIGHT, tex_random.CELL
TEXTURES, SIZE, COPIES = 0x100000, 32, 0x200000
PASS_COLOUR, PASS_ALPHA = 15 << 4 | 15 << 8 | 15 << 12, 7 << 7 | 7 << 10 | 7 << 13
ORDINARY_SWAPS = (4, 14, 0, 12, 5, 13, 10, 14)


def texture(s, map_number, address, width, height, form):
    unit = (map_number & 3) + (map_number & 4) * 8
    s.bp(0x80 + unit, 1 | 1 << 2)  # repeat, nearest
    s.bp(0x84 + unit, 0)
    s.bp(0x88 + unit, width - 1 | height - 1 << 10 | form << 20)
    s.bp(0x94 + unit, address >> 5)


def initial_state(s):
    tex_random.initial_state(s)
    s.bp(0x00, 8 | 2 << 4)
    s.bp(0x41, 1 << 3 | 1 << 4)
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    s.bp(0x44, 3)
    s.cp[0x50] = 1 << 9 | 1 << 13 | 1 << 15  # direct position and two colours
    s.cp[0x60] = 0x5555  # eight direct texture coordinates
    s.cp[0x70] = 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 17 | 5 << 18 | 1 << 21 | 4 << 22 | 1 << 30
    s.cp[0x80] = 1 << 31 | sum((1 | 4 << 1) << shift for shift in (0, 9, 18)) | 1 << 27 | 4 << 28
    s.cp[0x90] = sum((1 | 4 << 1) << shift for shift in (5, 14, 23))
    s.xf(0x1008, 2 | 8 << 4)
    s.xf(0x1009, 2)
    s.xf(0x103F, 8)
    for i in range(8):
        s.xf(0x1040 + i, (5 + i) << 7)
        s.xf(0x1050 + i, 61)
        s.bp(0x30 + 2 * i, SIZE - 1)
        s.bp(0x31 + 2 * i, SIZE - 1)
        texture(s, i, TEXTURES + i * SIZE * SIZE * 4, SIZE, SIZE, 6)


def coordinate_count(s, count):
    """In XF; GEN_MODE has to say the same."""
    s.fifo += struct.pack('>BHHI', 0x10, 0, 0x103F, count)


def square(s, r, x, y, width, height, z=None):
    """Random colours and coordinates at the corners; depths too unless z is given."""
    s.fifo += struct.pack('>BH', 0x80, 4)
    for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
        s.fifo += struct.pack('>3f', x + i * width, y + j * height, r.between(-.95, -.05) if z is None else z)
        s.fifo += bytes(r.below(256) for _ in range(8))
        s.fifo += struct.pack('>16f', *(r.between(-1, 2) for _ in range(16)))


# ---- combiners

def random_program(s, r):
    stages, indirect = 1 + r.below(16), r.pick((0, 0, 1, 2, 3, 4))
    coordinates = 8 if indirect else r.pick((0, 1, 8))
    coordinate_count(s, coordinates)
    s.bp(0x00, coordinates | 2 << 4 | (stages - 1) << 10 | indirect << 16)
    for i in range(8):
        s.bp(0xF6 + i, r.below(1 << 24))
    for k in range(4):
        for bank in (0, 1 << 23):
            s.bp(0xE0 + 2 * k, bank | r.below(1 << 23))
            s.bp(0xE1 + 2 * k, bank | r.below(1 << 23))
    for i in range(8):
        s.bp(0x28 + i, sum((r.below(64) | r.pick((0, 1, 1)) << 6 | r.pick((0, 1, 5, 6, 7) if indirect else (0, 1, 7)) << 7) << half
                           for half in (0, 12)))
    for register in (0x25, 0x26):
        s.bp(register, r.below(1 << 16) & 0x3333)
    s.bp(0x27, r.below(1 << 24))
    for k in range(3):
        scale = 15 + r.below(6)
        for part in range(3):
            s.bp(6 + 3 * k + part, r.below(1 << 22) | (scale >> 2 * part & 3) << 22)
    for n in range(stages):
        s.bp(0xC0 + 2 * n, r.below(1 << 24))
        s.bp(0xC1 + 2 * n, r.below(1 << 24))
        matrix, word = r.below(4), 0
        if indirect and r.below(4):
            word = r.below(indirect) | r.below(1 << 7) << 2 | matrix << 9 | r.pick((0, 0, 1, 2, 3, 4, 5, 6)) << 13
            word |= r.pick((0, 0, 1, 2, 3, 4, 5, 6)) << 16 | r.below(2) << 19
            word |= r.below(3) << 11 if matrix else 0
            word |= r.below(2) << 20 if n else 0
        s.bp(0x10 + n, word)


def tev_random(s, r):
    s.bp(0x41, 1 | 1 << 3 | 1 << 4 | 5 << 5 | 4 << 8)
    for y in range(0, HEIGHT, CELL):
        for x in range(0, WIDTH, CELL):
            random_program(s, r)
            square(s, r, x, y, CELL, CELL)


# ---- pixel engine

def random_float(r):
    return r.below(1 << 11) | r.pick((123, 124, 125, 126, 127, 127, 128, 129)) << 11 | r.pick((0, 0, 0, 1)) << 19


def random_fog(s, r):
    for register, value in ((0xEE, random_float(r)), (0xEF, r.pick((r.below(1 << 24), 0x800000 + r.below(0x800000)))),
                            (0xF0, r.below(5)), (0xF1, random_float(r) | r.below(2) << 20 | r.pick((0, 2, 4, 5, 6, 7)) << 21),
                            (0xF2, r.below(1 << 24)), (0xE8, r.below(1024) | r.pick((0, 0, 1)) << 10)):
        s.bp(register, value)
    for k in range(5):
        s.bp(0xE9 + k, 1 + r.below(4095) | (1 + r.below(4095)) << 12)


def random_pixels(s, r, pixel_type):
    s.bp(0x28, r.below(64) | r.pick((0, 1, 1)) << 6)
    s.bp(0xC0, PASS_COLOUR | r.pick((8, 10)) | 1 << 19)
    s.bp(0xC1, PASS_ALPHA | r.pick((4, 5)) << 4 | r.below(4) << 2 | 1 << 19)
    s.bp(0x40, r.below(32))
    s.bp(0x41, r.below(1 << 16) | r.pick((0, 1, 1)) << 3)
    s.bp(0x42, r.below(512) if r.below(3) == 0 else 0)
    s.bp(0x43, pixel_type | r.below(16) << 3)
    s.bp(0x44, r.below(4) if r.below(4) == 0 else 3)
    s.bp(0xF3, r.below(1 << 24) if r.below(3) == 0 else 0x3F0000)
    s.bp(0xF4, r.below(1 << 24))
    s.bp(0xF5, r.below(3) | r.pick((0, 0, 1, 2)) << 2)
    random_fog(s, r)


def pe_random(s, r):
    for i, value in enumerate(ORDINARY_SWAPS):
        s.bp(0xF6 + i, value)
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    square(s, r, 0, 0, WIDTH, HEIGHT)
    for _ in range(3):
        for y in range(0, HEIGHT, CELL):
            for x in range(0, WIDTH, CELL):
                random_pixels(s, r, 1)
                square(s, r, x, y, CELL, CELL)
    # destination alpha, in the lower half of every row
    for register, value in ((0xF1, 0), (0xF3, 0x3F0000), (0xF5, 0), (0x40, 0), (0x42, 0), (0x43, 1), (0x44, 3),
                            (0xC0, PASS_COLOUR | 12 | 1 << 19), (0x41, 1 | 1 << 3 | 6 << 8)):
        s.bp(register, value)
    for y in range(CELL // 2, HEIGHT, CELL):
        square(s, r, 0, y, WIDTH, CELL // 2)


# ---- copies

TILES = {0: (8, 8), 1: (8, 4), 2: (8, 4), 3: (4, 4), 4: (4, 4), 5: (4, 4), 6: (4, 4)}
READ_AS = (0, 1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 3, 3)  # texture format that shows the copy


def random_copies(s, r, number, depth):
    """Copies one after the other; gives address, texture format and size in whole tiles of each."""
    made = []
    for n in range(number):
        half, code = r.below(2), r.pick((0, 1, 6, 8, 9, 10, 11, 12)) if depth else r.below(13)
        width, height = (1 + r.below(24)) << half, (1 + r.below(24)) << half
        x, y = r.below(WIDTH - width), r.below(HEIGHT - height)
        form = READ_AS[code]
        across = -(-(width >> half) // TILES[form][0])
        down = -(-(height >> half) // TILES[form][1])
        address = COPIES + (n + (number if depth else 0)) * 0x2000
        for register, value in ((0x49, y << 10 | x), (0x4A, height - 1 << 10 | width - 1), (0x4B, address >> 5),
                                (0x4D, across * (2 if form == 6 else 1)),
                                (0x52, r.below(4) | (code & 7) << 4 | code >> 3 << 3 | r.below(4) << 7 | half << 9 |
                                 (0 if depth else r.pick((0, 0, 1, 2, 3)) << 15))):
            s.bp(register, value)
        made.append((address, form, across * TILES[form][0], down * TILES[form][1]))
    return made


def copy_random(s, r):
    for i, value in enumerate(ORDINARY_SWAPS):
        s.bp(0xF6 + i, value)
    s.bp(0x43, 1)
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    s.bp(0x28, 1 << 6)
    square(s, r, 0, 0, WIDTH, HEIGHT)
    for _ in range(30):
        s.bp(0x28, r.below(64) | r.below(2) << 6)
        s.bp(0xC0, PASS_COLOUR | r.pick((8, 10)) | 1 << 19)
        s.bp(0xC1, PASS_ALPHA | r.pick((4, 5)) << 4 | 1 << 19)
        square(s, r, r.below(WIDTH - 100), r.below(HEIGHT - 100), 1 + r.below(100), 1 + r.below(100))
    made = random_copies(s, r, 48, False)
    s.bp(0x43, 3)
    made += random_copies(s, r, 48, True)
    for register, value in ((0x43, 1), (0x40, 0), (0x41, 1 << 3), (0x66, 0x1000), (0x66, 0x1100), (0x00, 1 | 2 << 4), (0x28, 1 << 6)):
        s.bp(register, value)
    coordinate_count(s, 1)
    # twice: colour, then alpha
    for n, (address, form, width, height) in enumerate(made):
        texture(s, 0, address, width, height, form)
        s.bp(0x30, width - 1)
        s.bp(0x31, height - 1)
        for k, select in enumerate((8, 9)):
            s.bp(0xC0, PASS_COLOUR | select | 1 << 19)
            x, y = (2 * n + k) % 16 * CELL, (2 * n + k) // 16 * CELL
            s.fifo += struct.pack('>BH', 0x80, 4)
            for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
                s.fifo += struct.pack('>3f8s', x + i * CELL, y + j * CELL, -.5, b'')
                s.fifo += struct.pack('>2f', i * CELL / width, j * CELL / height) * 8


# ---- file

def display_copy(s, command):
    for register, value in ((0x49, 0), (0x4A, (HEIGHT - 1) << 10 | WIDTH - 1), (0x4B, 0x600000 >> 5), (0x4D, WIDTH * 2 // 32),
                            (0x52, command | 1 << 14)):
        s.bp(register, value)


def write(path, seed, scene, *more):
    """The frames after the first one are display copies of the same picture: command, filter and pixel type of each."""
    r, s = Random(seed), Stream()
    initial_state(s)
    s.fifo = bytearray()
    data = bytes(r.below(256) for _ in range(8 * SIZE * SIZE * 4))
    scene(s, r)
    display_copy(s, 3)
    frames = [bytes(s.fifo)]
    for command, filter0, filter1, pixel_type in more:
        s.fifo = bytearray()
        s.bp(0x43, pixel_type)
        s.bp(0x53, filter0)
        s.bp(0x54, filter1)
        display_copy(s, command)
        frames.append(bytes(s.fifo))
    arrays = [struct.pack('<%dI' % len(a), *a) for a in (s.bp_initial, s.cp, s.xf_memory, s.xf_registers)]
    at = [128 + 64 * len(frames)]
    for part in arrays + frames + [bytes(24)]:
        at.append(at[-1] + len(part))
    header = struct.pack('<3I', 0x0D01F1F0, 3, 1) + b''.join(struct.pack('<QI', at[i], len(arrays[i]) // 4) for i in range(4))
    header += struct.pack('<QII', 128, len(frames), 0)
    entries = b''.join(struct.pack('<QIIIQI', at[4 + i], len(fifo), 0x400000, 0x43FFE0, at[-2], 1 if i == 0 else 0).ljust(64, b'\0')
                       for i, fifo in enumerate(frames))
    update = struct.pack('<IIQIB3x', 0, TEXTURES, at[-1], len(data), 1)
    with open(path, 'wb') as out:
        out.write(header.ljust(128, b'\0') + entries + b''.join(arrays) + b''.join(frames) + update + data)


def main(folder):
    write(os.path.join(folder, 'tev-random.dff'), 20240701, tev_random)
    write(os.path.join(folder, 'pe-random.dff'), 20240702, pe_random)
    # gamma 1.7 and a blur; gamma 2.2 and a filter whose sum goes beyond 9 bits; the pixel types Z24 and YUV8
    plain = (21 << 12 | 22 << 18, 21)
    write(os.path.join(folder, 'copy-random.dff'), 20240703, copy_random, (1 << 7, 8 | 8 << 6 | 10 << 12 | 12 << 18, 10 | 8 << 6 | 8 << 12, 1),
          (2 << 7 | 3, 40 << 12 | 60 << 18, 50, 1), (3, *plain, 3), (3, *plain, 4))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
