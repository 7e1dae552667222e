#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-tex-random.py OUTFILE

Writes data/captures/tex-random.dff: 16 x 12 squares, each a texture of random bytes, format, size, wrap modes, filters, LOD
bias and limits, on a random affine map.  Every second one is read from TMEM, filled by block loads of both kinds.  Nothing in
it is sensible; it is there to compare texture units.  The numbers come from a generator of its own, so that the file is the
same everywhere.
"""
import struct
import sys

WIDTH, HEIGHT, CELL = 320, 240, 20
MAIN, BYTES, ZEROS = 0x100000, 0x8000, 0x18000  # the zeros: no texture may end in memory that nobody wrote
FORMATS = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 14)


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) * n >> 31

    def between(self, low, high):
        return low + (high - low) * self.below(1 << 20) / (1 << 20)

    def pick(self, values):
        return values[self.below(len(values))]


class Stream:
    """Register writes: into the initial state first, then into the frame's FIFO bytes."""

    def __init__(self):
        self.bp_initial, self.cp, self.xf_memory, self.xf_registers = [0] * 256, [0] * 256, [0] * 4096, [0] * 96
        self.fifo = None

    def bp(self, register, value):
        if self.fifo is None:
            self.bp_initial[register] = value
        else:
            self.fifo += struct.pack('>BI', 0x61, register << 24 | value)

    def xf(self, address, *values):
        for i, value in enumerate(values):
            word = value if isinstance(value, int) else struct.unpack('>I', struct.pack('>f', value))[0]
            if address < 0x1000:
                self.xf_memory[address + i] = word
            else:
                self.xf_registers[address + i - 0x1000] = word


def initial_state(s):
    for register in (1, 2, 3, 4):
        s.bp(register, 0x666666)
    s.bp(0x00, 1 | 1 << 4)                                # one texture coordinate, colour, stage
    s.bp(0x20, 342 << 12 | 342)
    s.bp(0x21, (WIDTH + 341) << 12 | (HEIGHT + 341))
    s.bp(0x59, 171 << 10 | 171)
    s.bp(0x28, 1 << 6)                                    # stage 0: map 0, coordinate 0
    s.bp(0xC0, 8 | 15 << 4 | 15 << 8 | 15 << 12 | 1 << 19)  # texture colour
    s.bp(0xC1, 4 << 4 | 7 << 7 | 7 << 10 | 7 << 13 | 1 << 19)  # texture alpha
    for i, value in enumerate((4, 14, 0, 12, 5, 13, 10, 14)):
        s.bp(0xF6 + i, value)
    s.bp(0xF3, 0x3F0000)                                  # alpha test always passes
    s.bp(0x41, 1 | 1 << 3 | 1 << 4 | 5 << 5 | 4 << 8)     # blended by alpha
    s.bp(0x43, 1 << 6)
    s.bp(0x44, 3)                                         # both fields are written
    s.bp(0x4F, 0xFF40)
    s.bp(0x50, 0x6080)
    s.bp(0x51, 0xFFFFFF)
    s.bp(0x4E, 256)
    s.bp(0x53, 21 << 12 | 22 << 18)
    s.bp(0x54, 21)
    s.cp[0x50] = 1 << 9 | 1 << 13                         # direct position and colour
    s.cp[0x60] = 1                                        # direct texture coordinate
    s.cp[0x70] = 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 21 | 4 << 22 | 1 << 30
    s.cp[0x80] = 1 << 31
    s.xf(0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    s.xf(0x500 + 61 * 4, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    s.xf(240, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    s.xf(0x1008, 1 | 1 << 4)
    s.xf(0x1009, 1)
    s.xf(0x100C, 0xFFFFFFFF, 0xFFFFFFFF, 1, 1, 1, 1)
    s.xf(0x1018, 0x3CF3CF00, 0x00F3CF3C)
    s.cp[0x30], s.cp[0x40] = 0x3CF3CF00, 0x00F3CF3C
    s.xf(0x101A, WIDTH / 2, -HEIGHT / 2, 16777215.0, WIDTH / 2 + 342, HEIGHT / 2 + 342, 16777215.0)
    s.xf(0x1020, 2 / WIDTH, -1.0, -2 / HEIGHT, 1.0, -1.0, -1.0, 1)
    s.xf(0x103F, 1)
    s.xf(0x1040, 5 << 7)
    s.xf(0x1050, 61)


def random_size(r):
    return 1 << r.below(8) if r.below(2) else 1 + r.below(130)


def random_texture(s, r, preloaded):
    width, height, form = random_size(r), random_size(r), r.pick(FORMATS)
    mode = r.below(3) | r.below(3) << 2 | r.below(2) << 4 | r.below(3) << 5 | r.below(2) << 7 | r.below(2) << 8
    s.bp(0x80, mode | (r.below(256) << 9 if r.below(2) else 0))
    s.bp(0x84, r.pick((0, r.below(64))) | r.pick((0, 96, 160, r.below(256))) << 8)
    s.bp(0x88, width - 1 | height - 1 << 10 | form << 20)
    s.bp(0x8C, r.below(0x700) | preloaded << 21)
    s.bp(0x90, 0x4000 + r.below(0x180))
    s.bp(0x94, MAIN + r.below(BYTES // 2) >> 5)
    s.bp(0x98, r.below(0x40) | r.below(3) << 10)
    s.bp(0x30, width - 1)
    s.bp(0x31, height - 1)
    return width, height


def square(s, r, x, y, width, height):
    scale = 2.0 ** r.between(-4, 6)
    s0, t0, shear = r.between(-3, 3), r.between(-3, 3), r.between(-1, 1)
    ds, dt = CELL / width * scale * r.between(-1, 1), CELL / height * scale * r.between(.3, 1)
    s.fifo += struct.pack('>BH', 0x80, 4)
    for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
        s.fifo += struct.pack('>3f4B2f', x + i * CELL, y + j * CELL, -0.5, 255, 255, 255, 255,
                              s0 + ds * (i + shear * j), t0 + dt * (j - shear * i))


def main(path):
    r, s = Random(20240611), Stream()
    initial_state(s)
    s.fifo = bytearray()
    data = bytes(r.below(256) for _ in range(BYTES))
    for kind, lines, even, odd in ((1, BYTES // 32, 0, 0), (1, BYTES // 32, 0x400, 0), (3, BYTES // 64, 0x800, 0x4000)):
        for register, value in ((0x60, MAIN >> 5), (0x61, even), (0x62, odd), (0x63, kind << 15 | lines)):
            s.bp(register, value)
    s.bp(0x64, MAIN >> 5)
    s.bp(0x65, 0x20 | 0x200 << 10)                         # a palette load over a part of it
    for y in range(0, HEIGHT, CELL):
        for x in range(0, WIDTH, CELL):
            width, height = random_texture(s, r, (x + y) // CELL & 1)
            square(s, r, x, y, width, height)
    for register, value in ((0x49, 0), (0x4A, (HEIGHT - 1) << 10 | WIDTH - 1), (0x4B, 0x600000 >> 5), (0x4D, WIDTH * 2 // 32),
                            (0x52, 3 | 1 << 14)):
        s.bp(register, value)
    arrays = [struct.pack('<%dI' % len(a), *a) for a in (s.bp_initial, s.cp, s.xf_memory, s.xf_registers)]
    at = [192]
    for part in arrays + [bytes(s.fifo), bytes(24)]:
        at.append(at[-1] + len(part))
    header = struct.pack('<3I', 0x0D01F1F0, 3, 1) + b''.join(struct.pack('<QI', at[i], len(arrays[i]) // 4) for i in range(4))
    header += struct.pack('<QII', 128, 1, 0)
    frame = struct.pack('<QIIIQI', at[4], len(s.fifo), 0x400000, 0x43FFE0, at[5], 1)
    update = struct.pack('<IIQIB3x', 0, MAIN, at[6], BYTES + ZEROS, 8)
    with open(path, 'wb') as out:
        out.write(header.ljust(128, b'\0') + frame.ljust(64, b'\0') + b''.join(arrays) + bytes(s.fifo) + update + data + bytes(ZEROS))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
