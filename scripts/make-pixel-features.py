#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-pixel-features.py OUTFOLDER

Writes the sample captures of setup unit, rasteriser, pixel engine and copies, one feature each: alpha-function, z-compare,
zfreeze, destination-alpha, subtract-and-logic, points-and-lines, culling, anti-alias, pixel-types and clear-masks.
"""
import importlib.machinery
import importlib.util
import os
import struct
import sys

LOADER = importlib.machinery.SourceFileLoader('tex_random', os.path.join(os.path.dirname(os.path.abspath(__file__)), 'make-tex-random.py'))
tex_random = importlib.util.module_from_spec(importlib.util.spec_from_loader('tex_random', LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(tex_random)
Stream, WIDTH, HEIGHT = tex_random.Stream, tex_random.WIDTH, tex_random.HEIGHT
QUADS, TRIANGLES, STRIP, FAN, LINES, LINE_STRIP, POINTS = 0x80, 0x90, 0x98, 0xA0, 0xA8, 0xB0, 0xB8
TEXTURE, COPY, ALWAYS = 0x100000, 0x200000, 0x3F0000
PLAIN = 21 << 12 | 22 << 18, 21
WIDE = 4 | 8 << 6 | 12 << 12 | 16 << 18, 12 | 8 << 6 | 4 << 12


def initial_state(s, clear=(32, 48, 64, 255)):
    tex_random.initial_state(s)
    s.bp(0x00, 1 << 4)
    s.bp(0x22, 6 | 6 << 8)
    s.bp(0x28, 0)
    s.bp(0xC0, 10 | 15 << 4 | 15 << 8 | 15 << 12 | 1 << 19)
    s.bp(0xC1, 5 << 4 | 7 << 7 | 7 << 10 | 7 << 13 | 1 << 19)
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    s.bp(0x41, 3 << 3)
    s.bp(0x43, 0)
    s.bp(0x4F, clear[3] << 8 | clear[0])
    s.bp(0x50, clear[1] << 8 | clear[2])
    s.cp[0x60] = 0
    s.xf(0x1008, 1)
    s.xf(0x103F, 0)


def draw(s, kind, corners):
    """Corners: x, y, z, (r, g, b, a)."""
    s.fifo += struct.pack('>BH', kind, len(corners))
    for x, y, z, colour in corners:
        s.fifo += struct.pack('>3f4B', x, y, z, *colour)


def box(s, x, y, w, h, left, right=None, z=-.5, z_right=None):
    """A rectangle; colour and depth may run from left to right."""
    right, z_right = right or left, z if z_right is None else z_right
    draw(s, QUADS, ((x, y, z, left), (x + w, y, z_right, right), (x + w, y + h, z_right, right), (x, y + h, z, left)))


def copy(s, command, rect=(0, 0, WIDTH, HEIGHT), to=0x600000, stride=WIDTH * 2 // 32, filters=PLAIN):
    x, y, w, h = rect
    for register, value in ((0x49, y << 10 | x), (0x4A, h - 1 << 10 | w - 1), (0x4B, to >> 5), (0x4D, stride), (0x53, filters[0]),
                            (0x54, filters[1]), (0x52, command)):
        s.bp(register, value)


def show(s, command=3, **how):
    copy(s, command | 1 << 14, **how)


# ---- one function a capture: a list of frames, made one after the other

def alpha_function(s):
    """256 cells: rows are the operation and the first function, columns the second; references 96 and 160."""
    s.bp(0x40, 0)
    box(s, 0, 0, WIDTH, HEIGHT, (60, 60, 60, 255))
    for logic in range(4):
        for first in range(8):
            for second in range(8):
                s.bp(0xF3, 96 | 160 << 8 | first << 16 | second << 19 | logic << 22)
                box(s, (logic % 2 * 8 + second) * 20, (logic // 2 * 8 + first) * 15, 18, 13, (255, 40, 0, 0), (0, 200, 255, 255))
    show(s)
    yield


def z_compare(s):
    """Columns: functions. Rows: test and update on or off, each before and after texturing; what is left of Z is shown last."""
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    box(s, 0, 0, WIDTH, HEIGHT, (90, 0, 0, 255), (250, 60, 0, 255), -.1, -.9)
    for row in range(8):
        for function in range(8):
            x, y = function * 40, row * 30
            s.bp(0x43, (row >> 2) << 6)
            s.bp(0x40, row & 1 | function << 1 | (row >> 1 & 1) << 4)
            left, right = x * .8 / WIDTH + .1, (x + 40) * .8 / WIDTH + .1
            box(s, x, y, 36, 12, (0, 90, 0, 255), (0, 250, 60, 255), -right, -left)
            box(s, x, y + 12, 36, 8, (120, 120, 0, 255), (255, 255, 0, 255), -left, -right)
    s.bp(0x40, 1 | 1 << 1)
    box(s, 0, 22, WIDTH, 8, (0, 0, 255, 255), None, -.5)
    for row in range(8):
        box(s, 0, row * 30 + 4, WIDTH, 4, (200, 200, 255, 255), None, -.9, -.1)
    show(s)
    yield


def zfreeze(s):
    """Frozen squares against a wedge: plane of nothing, of a drawn, a culled, a scissored and a clipped-away triangle."""
    frozen = 1 << 19
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    s.bp(0x00, 1 << 4 | frozen)
    box(s, 0, 0, WIDTH, 40, (255, 255, 255, 255))
    s.bp(0x00, 1 << 4)
    box(s, 0, 40, WIDTH, 200, (40, 0, 80, 255), (200, 0, 160, 255), -.1, -.9)
    slope = lambda x, y, w, h, a, b, c: draw(s, TRIANGLES, ((x, y, a, (0, 90, 0, 255)), (x + w, y, b, (0, 200, 0, 255)),
                                                           (x, y + h, c, (90, 200, 0, 255))))
    for k in range(4):
        y = 45 + 48 * k
        s.bp(0x40, 1 | 7 << 1)
        if k == 1:
            s.bp(0x00, 1 << 4 | 3 << 14)
        if k == 2:
            s.bp(0x21, (342 + 5) << 12 | (342 + 5))
        slope(10 + (2000 if k == 3 else 0), y, 60, 40, -.45, -.45 - .03 * k, -.7 + .05 * k)
        s.bp(0x21, (WIDTH + 341) << 12 | (HEIGHT + 341))
        s.bp(0x00, 1 << 4 | frozen)
        s.bp(0x40, 1 | 1 << 1 | 1 << 4)
        box(s, 80, y, 230, 20, (255, 200, 0, 255))
        s.bp(0x40, 1 | 4 << 1 | 1 << 4)
        box(s, 80, y + 20, 230, 20, (0, 200, 255, 255), None, -.9)
        s.bp(0x00, 1 << 4)
    show(s)
    yield


def destination_alpha(s):
    """RGBA6: constant alpha 0, 36 ... 252 is stored, then read by both factors; below the same in RGB8, where it is 255."""
    for pixel_type in (1, 0):
        top = 0 if pixel_type else 120
        s.bp(0x43, pixel_type)
        s.bp(0x41, 3 << 3)
        s.bp(0x42, 0)
        box(s, 0, top, WIDTH, 120, (200, 40, 20, 255), (20, 40, 200, 128))
        for k in range(8):
            s.bp(0x42, 36 * k | 1 << 8)
            s.bp(0x41, 3 << 3)
            box(s, 40 * k, top, 36, 60, (0, 120, 0, 77))
            s.bp(0x41, 1 | 3 << 3 | 5 << 5 | 4 << 8)
            box(s, 40 * k, top + 20, 36, 20, (255, 255, 255, 128))
            s.bp(0x42, 0)
            s.bp(0x41, 1 | 1 << 3 | 7 << 5 | 6 << 8)
            box(s, 40 * k, top + 5, 20, 110, (255, 255, 0, 255), (255, 0, 255, 255))
            s.bp(0x41, 1 << 4)
            box(s, 40 * k + 26, top + 70, 8, 40, (1, 2, 3, 32 * k))
            s.bp(0x41, 1 | 1 << 3 | 6 << 5)
            box(s, 40 * k + 22, top + 80, 14, 40, (255, 255, 255, 255))
        s.bp(0x42, 0)
    s.bp(0x43, 1)
    copy(s, 7 << 4, (0, 0, 64, 32), COPY, 8)
    show(s)
    yield


def subtract_and_logic(s):
    """Sixteen logic operations, with and without alpha, then subtracting, with factors and logic operation set too."""
    s.bp(0x43, 1)
    for k in range(16):
        box(s, 20 * k, 0, 18, 120, (0, 255, 80, 255), (255, 0, 160, 0))
        s.bp(0x41, 2 | 3 << 3 | k << 12)
        box(s, 20 * k, 10, 18, 50, (204, 240, 170, 99))
        s.bp(0x41, 2 | 1 << 3 | k << 12)
        box(s, 20 * k, 70, 18, 40, (15, 99, 255, 10), (255, 60, 0, 200))
        s.bp(0x41, 3 << 3)
    for k in range(8):
        box(s, 40 * k, 120, 36, 120, (255, 128, 0, 255), (0, 128, 255, 40))
        s.bp(0x41, (1 | 2 * (k & 1) | 3 << 3 | 1 << 11 | k << 12) | (k << 5 | (7 - k) << 8))
        box(s, 40 * k, 130, 36, 40, (0, 60, 120, 200), (240, 60, 0, 20))
        s.bp(0x41, 3 << 3 | 1 << 11 | (2 if k & 1 else 0) | 6 << 12)
        box(s, 40 * k, 180, 36, 40, (90, 200, 30, 255))
        s.bp(0x41, 3 << 3)
    s.bp(0x41, 1 | 1 << 3 | 6 << 8)
    box(s, 0, 112, WIDTH, 10, (255, 255, 255, 255))
    show(s)
    yield


def textured(s, kind, corners):
    s.fifo += struct.pack('>BH', kind, len(corners))
    for x, y, colour, tex in corners:
        s.fifo += struct.pack('>3f4B2f', x, y, -.5, *colour, *tex)


def points_and_lines(s):
    """Points of growing size and lines of growing width, with every choice of the texture offset."""
    s.bp(0x00, 1 | 1 << 4)
    s.bp(0x28, 1 << 6)
    s.bp(0xC0, 15 | 8 << 4 | 10 << 8 | 15 << 12 | 1 << 19)
    s.cp[0x60] = 1
    s.xf(0x1008, 1 | 1 << 4)
    s.xf(0x103F, 1)
    s.bp(0x80, 1 | 1 << 2)
    s.bp(0x84, 0)
    s.bp(0x88, 15 | 15 << 10 | 6 << 20)
    s.bp(0x94, TEXTURE >> 5)
    yield 'begin'
    grey = (255, 255, 255, 255)
    for offset in range(8):
        for k in range(8):
            size = (3, 6, 9, 24, 50, 77, 99, 120)[k]
            s.bp(0x22, size | size << 8 | offset << 16 | offset << 19)
            for corner in (0, 1):
                s.bp(0x30, 15 | 1 << 18 | (corner ^ (k & 1)) << 19)
                s.bp(0x31, 15)
                x, y = 10 + k * 20 + .3 * offset, 8 + offset * 14 + corner * 112 + .17 * k
                textured(s, POINTS, ((x, y, grey, (.25, .5)),))
            x, y = 170 + k * 18, 10 + offset * 14
            s.bp(0x30, 15 | 1 << 18 | 1 << 19)
            s.bp(0x22, size // 4 | size << 8 | offset << 16 | offset << 19)
            angle = (offset, k)
            textured(s, LINES, ((x, y, grey, (0, 0)), (x + 2 * angle[1], y + 13 - 2 * angle[0], (255, 160, 90, 255), (1, 1))))
    s.bp(0x22, 30 | 3 << 16)
    textured(s, LINE_STRIP, [(175 + 15 * k, 130 + (k * 37) % 90, (255, 255, 30 * k, 255), (k * .5, k * .25)) for k in range(9)])
    show(s)
    yield


def culling(s):
    """Columns: the four reject values. Rows: triangles of both senses, strips, fans, quads, lines, points; then a mirrored view."""
    for mirrored in (0, 1):
        if mirrored:
            s.fifo += struct.pack('>BHH6f', 0x10, 5, 0x101A, -WIDTH / 2, -HEIGHT / 2, 16777215.0, WIDTH / 2 + 342, HEIGHT / 2 + 342,
                                  16777215.0)
        for reject in range(4):
            s.bp(0x00, 1 << 4 | reject << 14)
            x, top, colours = reject * 40, 0, ((255, 90, 0, 255), (0, 90, 255, 255), (90, 255, 0, 255), (255, 255, 90, 255))
            p = [(x + i * 36, top + j * 24 + row * 34, -.5, colours[(i + 2 * j + row) & 3]) for row in range(7) for j in (0, 1) for i in (0, 1)]
            draw(s, TRIANGLES, (p[0], p[1], p[3]))
            draw(s, TRIANGLES, (p[4], p[7], p[5]))
            draw(s, STRIP, p[8:12])
            draw(s, FAN, (p[12], p[14], p[15], p[13]))
            draw(s, QUADS, (p[16], p[17], p[19], p[18]))
            draw(s, LINES, (p[20], p[23], p[22], p[21]))
            s.bp(0x22, 6 | 40 << 8)
            draw(s, POINTS, p[24:28])
    show(s)
    yield


def star(s, x, y, r):
    wheel = ((r, 0), (.7 * r, .7 * r), (0, r), (-.7 * r, .7 * r), (-r, 0), (-.7 * r, -.7 * r), (0, -r), (.7 * r, -.7 * r))
    for k in range(8):
        a, b = wheel[k], wheel[(k + 1) % 8]
        draw(s, TRIANGLES, ((x, y, -.5, (255, 255, 255, 255)), (x + a[0], y + a[1], -.3, (30 * k, 255 - 30 * k, 60, 255)),
                            (x + .45 * b[0], y + .45 * b[1], -.7, (255, 30 * k, 200, 255))))


def anti_alias(s):
    """RGB565_Z16 with three samples a pixel at GX's places: thin lines, stars, planes that cut each other; copies resolve it."""
    for register, value in ((1, 0x23 | 0x69 << 8 | 0xA3 << 16), (2, 0x23 | 0x69 << 8 | 0xA3 << 16), (3, 0x29 | 0x63 << 8 | 0xA9 << 16),
                            (4, 0x29 | 0x63 << 8 | 0xA9 << 16), (0x43, 2 | 1 << 3), (0x40, 1 | 3 << 1 | 1 << 4)):
        s.bp(register, value)
    s.bp(0x00, 1 << 4 | 1 << 9)
    box(s, 0, 0, WIDTH, HEIGHT, (20, 30, 60, 255), (60, 30, 20, 255), -.95)
    for k in range(5):
        star(s, 40.3 + 60 * k, 45.6, 20 + 5 * k)
    for k in range(16):
        s.bp(0x22, 2 + k)
        draw(s, LINES, ((10.2, 110 + 3 * k, -.4, (255, 255, 255, 255)), (150.7, 105 + 8.3 * k, -.4, (255, 128, 0, 255))))
    draw(s, TRIANGLES, ((170, 110, -.1, (255, 0, 0, 255)), (310, 130, -.9, (255, 90, 0, 255)), (180, 230, -.5, (255, 0, 90, 255))))
    draw(s, TRIANGLES, ((165, 220, -.1, (0, 255, 0, 255)), (305, 105, -.9, (90, 255, 0, 255)), (300, 235, -.4, (0, 255, 90, 255))))
    s.bp(0x41, 1 | 1 << 3 | 5 << 5 | 4 << 8)
    star(s, 240, 170, 50)
    s.bp(0x41, 3 << 3)
    show(s)
    yield
    for k, (command, filters) in enumerate(((3, WIDE), (0, (63 << 18, 1)), (3 | 1 << 11, PLAIN), (3, PLAIN))):
        for i in range(6):
            star(s, 30.4 + 50 * i, 60.2 + 45 * k, 28)
        show(s, command, filters=filters)
        yield


def pixel_types(s):
    """One picture, shown with every pixel type in turn; the words of the EFB stay, their meaning changes.  Then drawn in each."""
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    for k in range(8):
        box(s, 0, 30 * k, WIDTH, 30, (255 * (k & 1), 255 * (k >> 1 & 1), 255 * (k >> 2), 255), (80, 36 * k, 160, 32 * k), -.9, -.1)
    for pixel_type in (0, 1, 2, 3, 4, 0):
        s.bp(0x43, pixel_type)
        if pixel_type == 4:
            s.bp(0x43, 1)
        show(s)
        yield
    for k, (pixel_type, dither) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1))):
        s.bp(0x43, pixel_type)
        s.bp(0x41, 3 << 3 | dither << 2)
        box(s, 0, 40 * k, WIDTH, 40, (0, 20, 40, 0), (255, 60, 20, 255))
    s.bp(0x43, 1)
    show(s)
    yield


def clear_masks(s):
    """The initial state masks colour, alpha and depth; then copies clear rectangles under every mask, in two pixel types."""
    box(s, 10, 10, 60, 60, (255, 0, 0, 255))
    show(s, 3 | 1 << 11)
    yield
    s.bp(0x41, 3 << 3)
    s.bp(0x40, 1 | 7 << 1 | 1 << 4)
    box(s, 40, 10, 60, 60, (255, 255, 0, 255), None, -.5)
    show(s)
    yield
    for pixel_type in (0, 1):
        s.bp(0x43, pixel_type)
        for masks in range(8):
            x, y = masks * 40, 80 * (1 + pixel_type)
            s.bp(0x40, 1 | 7 << 1 | 1 << 4)
            s.bp(0x41, 3 << 3)
            box(s, x, y, 36, 70, (200, 60, 30, 90), (30, 60, 200, 220), -.2, -.8)
            s.bp(0x41, (masks & 3) << 3)
            s.bp(0x40, 1 | 7 << 1 | (masks >> 2) << 4)
            s.bp(0x4F, 10 * masks << 8 | 99)
            s.bp(0x50, 180 << 8 | 44)
            s.bp(0x51, 0x600000)
            copy(s, 8 | 1 << 11, (x + 4, y + 10, 24, 40), COPY, 4)
            s.bp(0x41, 3 << 3)
            s.bp(0x40, 1 | 1 << 1)
            box(s, x, y + 40, 36, 20, (255, 255, 255, 255), None, -.55)
            s.bp(0x40, 0)
            s.bp(0x41, 1 | 1 << 3 | 6 << 8)
            box(s, x, y + 12, 36, 10, (255, 255, 255, 255))
    s.bp(0x43, 0)
    show(s)
    yield


CAPTURES = {
    'alpha-function': alpha_function, 'z-compare': z_compare, 'zfreeze': zfreeze, 'destination-alpha': destination_alpha,
    'subtract-and-logic': subtract_and_logic, 'points-and-lines': points_and_lines, 'culling': culling, 'anti-alias': anti_alias,
    'pixel-types': pixel_types, 'clear-masks': clear_masks,
}


# ---- file

def texture_bytes():
    """16 x 16 texels of RGBA8: a rim, a cross, colours that tell directions apart."""
    tiles = bytearray()
    for tile in range(16):
        ar, gb = bytearray(), bytearray()
        for k in range(16):
            s, t = tile % 4 * 4 + k % 4, tile // 4 * 4 + k // 4
            rim = s in (0, 15) or t in (0, 15)
            ar += bytes((255, 255 if rim else 16 * s))
            gb += bytes((255 if rim else 16 * t, 255 if s == t else 60))
        tiles += ar + gb
    return bytes(tiles)


def write(path, scene):
    s, frames = Stream(), []
    initial_state(s)
    if scene is clear_masks:
        s.bp(0x40, 0)
        s.bp(0x41, 0)
        s.bp(0x4F, 255 << 8 | 200)
        s.bp(0x50, 20 << 8 | 120)
    steps = scene(s)
    if scene is points_and_lines:
        next(steps)
    s.fifo = bytearray()
    for _ in steps:
        frames.append(bytes(s.fifo))
        s.fifo = bytearray()
    data = texture_bytes()
    arrays = [struct.pack('<%dI' % len(a), *a) for a in (s.bp_initial, s.cp, s.xf_memory, s.xf_registers)]
    at = [128 + 64 * len(frames)]
    for part in arrays + frames + [bytes(24)]:
        at.append(at[-1] + len(part))
    header = struct.pack('<3I', 0x0D01F1F0, 3, 1) + b''.join(struct.pack('<QI', at[i], len(arrays[i]) // 4) for i in range(4))
    header += struct.pack('<QII', 128, len(frames), 0)
    entries = b''.join(struct.pack('<QIIIQI', at[4 + i], len(fifo), 0x400000, 0x43FFE0, at[-2], 1 if i == 0 else 0).ljust(64, b'\0')
                       for i, fifo in enumerate(frames))
    update = struct.pack('<IIQIB3x', 0, TEXTURE, at[-1], len(data), 1)
    with open(path, 'wb') as out:
        out.write(header.ljust(128, b'\0') + entries + b''.join(arrays) + b''.join(frames) + update + data)


def main(folder):
    for name, scene in CAPTURES.items():
        write(os.path.join(folder, name + '.dff'), scene)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
