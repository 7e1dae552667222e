#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-tour.py OUT.dff   write the sample capture data/captures/tour.dff

Two frames of a scene that touches most of the pipeline: a lit and textured knot with a reflection (three TEV stages,
indexed vertex arrays, strips in a display list, a palette), crates (CMPR texture, 8-bit indices), a floor with mipmaps and
fog, soft shadows and a glass ball (blending), a screen that shows the scene from a second camera (EFB copied to a texture,
two TEV stages), lettering (alpha test), and a display copy at the end of each frame.

Only the standard library is used and the result is the same everywhere, byte for byte.
"""
import math
import struct
import sys

QUADS, TRIANGLES, STRIP, FAN = 0x80, 0x90, 0x98, 0xA0
UPDATE_TEXTURE, UPDATE_VERTEX, UPDATE_TMEM = 1, 4, 8
WIDTH, HEIGHT = 640, 480
SCREEN_W, SCREEN_H = 256, 192  # the picture of the second camera

# main memory
XFB, FIFO_START, FIFO_END = 0x600000, 0x400000, 0x43FFE0
FLOOR_TEXTURE, CRATE_TEXTURE, KNOT_TEXTURE, SKY_TEXTURE = 0x100000, 0x120000, 0x128000, 0x130000
BLOB_TEXTURE, LINES_TEXTURE, LETTER_TEXTURE, SCREEN_TEXTURE, PALETTE = 0x138000, 0x13A000, 0x13B000, 0x140000, 0x160000
ARRAYS, LISTS = 0x200000, 0x280000
PALETTE_TMEM = 0x200  # behind the cache regions of the eight maps, as GX places palettes

I4, I8, RGB565, C8, CMPR = 0, 1, 4, 9, 14
BLOCKS = {I4: (8, 8), I8: (8, 4), RGB565: (4, 4), C8: (8, 4), CMPR: (8, 8)}


# ---- the writer ---------------------------------------------------------------------------------------------------------

def float_bits(value):
    # rounded first: the last bit of sin and cos differs between C libraries
    return struct.unpack('>I', struct.pack('>f', round(value, 6)))[0]


class Log:
    """Collects register writes: into the initial state while boot is true, later into the frame's command stream."""

    def __init__(self):
        self.boot = True
        self.bp_state, self.cp_state, self.xf_state = [0] * 256, [0] * 256, [0] * 0x1060
        self.shadow = [0] * 256
        self.fifo, self.updates, self.frames, self.sent = bytearray(), [], [], set()

    def bp(self, register, value):
        value &= 0xFFFFFF
        self.shadow[register] = value
        if self.boot:
            self.bp_state[register] = value
        else:
            self.fifo += struct.pack('>BI', 0x61, register << 24 | value)

    def bp_field(self, register, lsb, bits, value):
        mask = (1 << bits) - 1 << lsb
        self.bp(register, self.shadow[register] & ~mask | value << lsb & mask)

    def cp(self, register, value):
        if self.boot:
            self.cp_state[register] = value & 0xFFFFFFFF
        else:
            self.fifo += struct.pack('>BBI', 0x08, register, value & 0xFFFFFFFF)

    def xf(self, address, *values):
        words = [v if isinstance(v, int) else float_bits(v) for v in values]
        if self.boot:
            self.xf_state[address:address + len(words)] = words
            return
        for i in range(0, len(words), 16):
            part = words[i:i + 16]
            self.fifo += struct.pack('>BHH', 0x10, len(part) - 1, address + i) + struct.pack('>%dI' % len(part), *part)

    def draw(self, opcode, data, count, vat=0):
        self.fifo += struct.pack('>BH', opcode | vat, count) + data

    def call(self, address, size):
        self.fifo += struct.pack('>BII', 0x40, address, size)

    def memory(self, address, data, kind):
        """What a recorder stores: memory that is used here for the first time."""
        if address not in self.sent:
            self.sent.add(address)
            self.updates.append((len(self.fifo), address, bytes(data), kind))

    def end_frame(self):
        self.frames.append((bytes(self.fifo), self.updates))
        self.fifo, self.updates = bytearray(), []

    def file(self):
        out = bytearray(128 + 64 * len(self.frames))

        def put(data):
            at = len(out)
            out.extend(data)
            return at

        parts = []
        for words in (self.bp_state, self.cp_state, self.xf_state[:0x1000], self.xf_state[0x1000:0x1060]):
            parts += [put(struct.pack('<%dI' % len(words), *words)), len(words)]
        struct.pack_into('<3IQIQIQIQIQII', out, 0, 0x0D01F1F0, 3, 1, *parts, 128, len(self.frames), 0)
        for i, (fifo, updates) in enumerate(self.frames):
            fifo_at = put(fifo)
            list_at = put(bytes(24 * len(updates)))
            for k, (position, address, data, kind) in enumerate(updates):
                struct.pack_into('<IIQIB', out, list_at + 24 * k, position, address, put(data), len(data), kind)
            struct.pack_into('<QIIIQI', out, 128 + 64 * i, fifo_at, len(fifo), FIFO_START, FIFO_END, list_at, len(updates))
        return bytes(out)


# ---- pipeline state -----------------------------------------------------------------------------------------------------

def general(log, textures=0, channels=1, stages=1, cull=0):
    log.bp(0x00, textures | channels << 4 | stages - 1 << 10 | cull << 14)
    log.xf(0x103F, textures)
    log.xf(0x1009, channels)


def attributes(log, position, normal=0, colour=0, texture=0):
    """0 none, 1 direct, 2 and 3 indices of 8 and 16 bits"""
    log.cp(0x50, position << 9 | normal << 11 | colour << 13)
    log.cp(0x60, texture)
    log.xf(0x1008, (colour > 0) | (normal > 0) << 2 | (texture > 0) << 4)


def formats(log):
    """vertex format 0: what the arrays hold, 1: what stands in the stream"""
    s16, s8, f32, rgba8 = 3, 1, 4, 5
    log.cp(0x70, 1 | s16 << 1 | 8 << 4 | s8 << 10 | 1 << 21 | s16 << 22 | 8 << 25 | 1 << 30)
    log.cp(0x71, 1 | f32 << 1 | s8 << 10 | 1 << 13 | rgba8 << 14 | 1 << 21 | f32 << 22 | 1 << 30)
    log.cp(0x80, 1 << 31)
    log.cp(0x81, 1 << 31)


def tev(log, stage, colour, alpha, konst=None, scale=0, tex=None, coord=0, channel=0):
    """colour and alpha are the inputs a b c d; tex is a texture map, channel 7 stands for zero"""
    log.bp(0xC0 + 2 * stage, colour[3] | colour[2] << 4 | colour[1] << 8 | colour[0] << 12 | 1 << 19 | scale << 20)
    log.bp(0xC1 + 2 * stage, alpha[3] << 4 | alpha[2] << 7 | alpha[1] << 10 | alpha[0] << 13 | 1 << 19)
    log.bp_field(0x28 + stage // 2, 12 * (stage & 1), 10, (tex or 0) | coord << 3 | (tex is not None) << 6 | channel << 7)
    if konst is not None:  # number of the konst register, for colour and alpha
        log.bp_field(0xF6 + stage // 2, 4 + 10 * (stage & 1), 10, 12 + konst | 28 + konst << 5)


def konst(log, n, r, g, b, a=255):
    log.bp(0xE0 + 2 * n, 1 << 23 | a << 12 | r)
    log.bp(0xE1 + 2 * n, 1 << 23 | g << 12 | b)


def texture(log, n, image, address, wrap=1, levels=1, palette=False, nearest=False):
    width, height, form, data = image
    if data is not None:
        log.memory(address, data, UPDATE_TEXTURE)
    linear = not nearest
    log.bp(0x80 + n, wrap | wrap << 2 | linear << 4 | (2 if levels > 1 else 0) << 5 | linear << 7)
    log.bp(0x84 + n, (levels - 1) * 16 << 8)
    log.bp(0x88 + n, width - 1 | height - 1 << 10 | form << 20)
    log.bp(0x8C + n, 0x400 * n | 3 << 15 | 3 << 18)
    log.bp(0x90 + n, 0x4000 + 0x400 * n | 3 << 15 | 3 << 18)
    log.bp(0x94 + n, address >> 5)
    if palette:
        log.bp(0x98 + n, PALETTE_TMEM | 1 << 10)  # RGB565
    log.bp(0x30 + 2 * n, width - 1)
    log.bp(0x31 + 2 * n, height - 1)


def depth(log, test=True, write=True):
    log.bp(0x40, test | 3 << 1 | write << 4)


def blend(log, source=None, destination=None):
    if source is None:
        log.bp(0x41, 3 << 3 | 3 << 12)
    else:
        log.bp(0x41, 1 | 3 << 3 | destination << 5 | source << 8 | 3 << 12)


ONE, SRC_ALPHA, INV_SRC_ALPHA = 1, 4, 5


def alpha_test(log, reference=None):
    log.bp(0xF3, 0x3F0000 if reference is None else reference | 4 << 16 | 7 << 19)


def window(log, width, height):
    log.bp(0x20, 342 << 12 | 342)
    log.bp(0x21, 341 + width << 12 | 341 + height)
    log.xf(0x101A, width / 2, -height / 2, 16777215.0, width / 2 + 342, height / 2 + 342, 16777215.0)


def orthographic(log, width, height):
    log.xf(0x1020, 2 / width, -1.0, -2 / height, 1.0, -1.0, -1.0, 1)


NEAR, FAR, VIEW_ANGLE = 0.5, 60.0, 40.0
COTANGENT = 1 / math.tan(math.radians(VIEW_ANGLE / 2))


def perspective(log):
    log.xf(0x1020, COTANGENT * 3 / 4, 0.0, COTANGENT, 0.0, -NEAR / (FAR - NEAR), -FAR * NEAR / (FAR - NEAR), 0)


def fog(log, colour=None, start=8.0, end=30.0):
    """linear; None: off"""
    if colour is None:
        log.bp(0xF1, 0)
        return
    a, b, c = FAR * NEAR / ((FAR - NEAR) * (end - start)), FAR / (FAR - NEAR), start / (end - start)
    shift = 1
    while b > 1:
        b /= 2
        shift += 1
    log.bp(0xEE, float_bits(a / (1 << shift)) >> 12)
    log.bp(0xEF, int(b * 8388638.0))
    log.bp(0xF0, shift)
    log.bp(0xF1, float_bits(c) >> 12 | 2 << 21)
    log.bp(0xF2, colour[0] << 16 | colour[1] << 8 | colour[2])


# ---- matrices -----------------------------------------------------------------------------------------------------------

def multiply(a, b):
    """3x4 matrices, fourth row 0 0 0 1"""
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)] for r in range(3)]


def move(x, y, z):
    return [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z]]


def stretch(x, y, z):
    return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0]]


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = [[float(r == k) for k in range(4)] for r in range(3)]
    m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
    return m


def unit(v):
    n = math.sqrt(sum(x * x for x in v)) or 1.0
    return [x / n for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def look(eye, target):
    z = unit([e - t for e, t in zip(eye, target)])
    x = unit(cross([0, 1, 0], z))
    y = cross(z, x)
    return [row + [-sum(r * e for r, e in zip(row, eye))] for row in (x, y, z)]


def apply(m, v):
    return [sum(m[r][k] * v[k] for k in range(3)) + m[r][3] for r in range(3)]


IDENTITY = move(0, 0, 0)


def place(log, matrix, rotation=None):
    """Model to eye; the normals' matrix is that of the rotation alone, also for the reflection's texture coordinates."""
    log.xf(0x000, *[float(v) for row in matrix for v in row])
    if rotation:
        log.xf(0x400, *[float(v) for row in rotation for v in row[:3]])
        log.xf(30 * 4, *[0.5 * v for v in rotation[0][:3]], 0.5, *[-0.5 * v for v in rotation[1][:3]], 0.5)


# ---- shapes -------------------------------------------------------------------------------------------------------------

class Mesh:
    """Arrays of s16 positions (8 fraction bits), s8 normals (6), s16 coordinates (8), and strips of 16-bit indices."""

    count = 0

    def __init__(self, vertices, strips):
        self.base = ARRAYS + 0x18000 * Mesh.count
        self.list = LISTS + 0x10000 * Mesh.count
        Mesh.count += 1
        q = lambda values, scale: [int(round(round(v * scale, 3))) for v in values]
        self.positions = b''.join(struct.pack('>3h', *q(p, 256)) for p, n, t in vertices)
        self.normals = b''.join(struct.pack('>3b', *q(n, 63)) for p, n, t in vertices)
        self.coordinates = b''.join(struct.pack('>2h', *q(t, 256)) for p, n, t in vertices)
        commands = bytearray()
        for strip in strips:
            commands += struct.pack('>BH', STRIP, len(strip)) + b''.join(struct.pack('>3H', i, i, i) for i in strip)
        commands += bytes(-len(commands) % 32)
        self.commands = bytes(commands)

    def bind(self, log):
        for array, at, stride, data in ((0, 0, 6, self.positions), (1, 0xA000, 3, self.normals), (4, 0xF000, 4, self.coordinates)):
            log.memory(self.base + at, data, UPDATE_VERTEX)
            log.cp(0xA0 + array, self.base + at)
            log.cp(0xB0 + array, stride)

    def draw(self, log):
        attributes(log, 3, 3, 0, 3)
        self.bind(log)
        log.memory(self.list, self.commands, UPDATE_VERTEX)
        log.call(self.list, len(self.commands))


def grid(columns, rows, vertex):
    """A strip for each row of a grid of (columns + 1) x (rows + 1) vertices."""
    vertices = [vertex(i / columns, j / rows) for j in range(rows + 1) for i in range(columns + 1)]
    w = columns + 1
    strips = [[k for i in range(w) for k in ((j + 1) * w + i, j * w + i)] for j in range(rows)]
    return Mesh(vertices, strips)


def knot_vertex(u, v):
    def curve(t):
        r = 0.72 + 0.3 * math.cos(3 * t)
        return [r * math.cos(2 * t), r * math.sin(2 * t), 0.36 * math.sin(3 * t)]
    t, a = 2 * math.pi * u, 2 * math.pi * v
    p = curve(t)
    tangent = unit([b - c for b, c in zip(curve(t + 1e-3), curve(t - 1e-3))])
    side = unit(cross(tangent, unit([math.cos(2 * t), math.sin(2 * t), 0.0])))
    out = cross(side, tangent)
    n = [math.cos(a) * o + math.sin(a) * s for o, s in zip(out, side)]
    return [x + 0.2 * y for x, y in zip(p, n)], n, (16 * u, 2 * v)


def ball_vertex(u, v):
    r, a = math.sin(math.pi * v), 2 * math.pi * u
    n = [r * math.cos(a), math.cos(math.pi * v), r * math.sin(a)]
    return n, n, (u, v)


def floor_vertex(u, v):
    x, z = -16 + 32 * u, 6.5 - 32 * v
    return [x, 0, z], [0, 1, 0], (x / 2, z / 2)


def box():
    """A cube of 24 vertices with 8-bit indices, as quads that turn the same way seen from outside."""
    vertices = []
    for axis in range(3):
        for sign in (1, -1):
            n = [sign * (k == axis) for k in range(3)]
            up = [0, 0, -sign] if axis == 1 else [0, 1, 0]
            right = cross(up, n)
            for s, t in ((-1, 1), (-1, -1), (1, -1), (1, 1)):
                vertices.append(([a + s * b + t * c for a, b, c in zip(n, right, up)], n, ((s + 1) / 2, (1 - t) / 2)))
    mesh = Mesh(vertices, [])
    mesh.quads = b''.join(struct.pack('3B', i, i, i) for i in range(24))
    return mesh


def draw_box(log, mesh):
    attributes(log, 2, 2, 0, 2)
    mesh.bind(log)
    log.draw(QUADS, mesh.quads, 24)


# ---- pictures -----------------------------------------------------------------------------------------------------------

def hash_noise(x, y, seed=0):
    """0 .. 1, the same everywhere"""
    h = (x * 374761393 + y * 668265263 + seed * 2246822519) & 0xFFFFFFFF
    h = (h ^ h >> 13) * 1274126177 & 0xFFFFFFFF
    return ((h ^ h >> 16) & 0xFFFF) / 65535


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def clamp(v):
    return max(0, min(255, int(v + 0.5)))


def rgb565(p):
    return clamp(p[0]) >> 3 << 11 | clamp(p[1]) >> 2 << 5 | clamp(p[2]) >> 3


def cmpr(pixels):
    """One 4x4 block between its darkest and its lightest pixel."""
    luma = lambda p: p[0] * 3 + p[1] * 6 + p[2]
    high, low = rgb565(max(pixels, key=luma)), rgb565(min(pixels, key=luma))
    if high < low:
        high, low = low, high
    if high == low:
        low, high = (low, low + 1) if low < 0xFFFF else (low - 1, low)
    expand = lambda c: ((c >> 11) * 255 / 31, (c >> 5 & 63) * 255 / 63, (c & 31) * 255 / 31)
    a, b = expand(high), expand(low)
    colours = [a, b, mix(a, b, 3 / 8), mix(a, b, 5 / 8)]
    bits = 0
    for p in pixels:
        bits = bits << 2 | min(range(4), key=lambda k: sum((c - x) ** 2 for c, x in zip(colours[k], p)))
    return struct.pack('>HHI', high, low, bits)


def encode_level(form, width, height, pixel):
    block_w, block_h = BLOCKS[form]
    out = bytearray()
    for by in range(0, height, block_h):
        for bx in range(0, width, block_w):
            block = [pixel(min(bx + x, width - 1), min(by + y, height - 1)) for y in range(block_h) for x in range(block_w)]
            if form == I4:
                out += bytes(clamp(block[i]) >> 4 << 4 | clamp(block[i + 1]) >> 4 for i in range(0, 64, 2))
            elif form in (I8, C8):
                out += bytes(clamp(p) for p in block)
            elif form == RGB565:
                out += b''.join(struct.pack('>H', rgb565(p)) for p in block)
            else:
                for y in (0, 4):
                    for x in (0, 4):
                        out += cmpr([block[(y + k // 4) * 8 + x + k % 4] for k in range(16)])
    return bytes(out)


def image(form, width, height, pixel, levels=1):
    """The levels are box-filtered from the first."""
    rows = [[pixel(x, y) for x in range(width)] for y in range(height)]
    data, w, h = b'', width, height
    for _ in range(levels):
        data += encode_level(form, w, h, lambda x, y: rows[y][x])
        w, h = max(1, w // 2), max(1, h // 2)
        if form in (RGB565, CMPR):
            rows = [[tuple(sum(rows[min(2 * y + j, len(rows) - 1)][min(2 * x + i, len(rows[0]) - 1)][c]
                               for i in (0, 1) for j in (0, 1)) / 4 for c in range(3)) for x in range(w)] for y in range(h)]
    return width, height, form, data


def floor_pixel(x, y):
    dark = (x // 64 + y // 64) & 1
    edge = min(x % 64, 63 - x % 64, y % 64, 63 - y % 64)
    base = (52, 58, 88) if dark else (206, 198, 186)
    grain = 0.93 + 0.07 * hash_noise(x // 2, y // 2, 1)
    if edge < 2:
        return mix(base, (20, 20, 34), 0.75)
    return tuple(c * grain * (1.06 if edge < 4 else 1.0) for c in base)


def crate_pixel(x, y):
    edge = min(x, 63 - x, y, 63 - y)
    plank = y // 13
    wood = mix((176, 112, 58), (128, 76, 38), hash_noise(plank, 7, 2))
    wood = tuple(c * (0.86 + 0.14 * hash_noise(x // 9, y, 3)) for c in wood)
    if edge < 8 or abs(x - y) < 6:
        wood = tuple(c * (1.22 if edge != 7 and abs(x - y) != 5 else 0.55) for c in mix((160, 104, 56), wood, 0.35))
    if edge < 1 or (y % 13 == 0 and edge >= 8 and abs(x - y) >= 6):
        wood = tuple(c * 0.5 for c in wood)
    if min(abs(x - 4), abs(x - 59)) < 1.5 and min(abs(y - 4), abs(y - 59)) < 1.5:
        wood = (70, 66, 64)
    return wood


def knot_palette():
    """0..127: cold side of the band, 128..255: warm side"""
    colours = []
    for i in range(256):
        t = (i & 127) / 127
        if i < 128:
            colours.append(mix((10, 52, 92), (40, 196, 214), t))
        else:
            colours.append(mix((150, 30, 18), (255, 178, 64), t))
    return b''.join(struct.pack('>H', rgb565(c)) for c in colours)


def knot_pixel(x, y):
    band = (x + y) % 64
    shade = 64 + 50 * math.sin(band * math.pi / 16)
    if (x + y) % 32 in (0, 1):
        return 2 if band < 32 else 130
    return min(127, max(0, int(shade))) + (128 if band >= 32 else 0)


HORIZON, ZENITH, DUSK = (255, 176, 122), (20, 24, 70), (132, 76, 140)


def sky_colour(t):
    """t: 0 at the horizon, 1 above"""
    return mix(HORIZON, DUSK, min(1, t / 0.42)) if t < 0.42 else mix(DUSK, ZENITH, (t - 0.42) / 0.58)


def reflection_pixel(x, y):
    """What a mirror ball sees: sky above, floor below, a window and the sun"""
    u, v = (x - 31.5) / 32, (31.5 - y) / 32
    colour = sky_colour(min(1, max(0, v) * 1.2)) if v > 0 else mix((196, 130, 104), (30, 30, 48), min(1, -v * 1.7))
    sun = math.exp(-((u + 0.42) ** 2 + (v - 0.42) ** 2) / 0.016) * 255
    lamp = 235 if abs(u - 0.36) < 0.17 and abs(v - 0.5) < 0.15 and abs(u - 0.36) > 0.012 and abs(v - 0.5) > 0.012 else 0
    return tuple(min(255, c + sun + lamp * 0.75) for c in colour)


def blob_pixel(x, y):
    r = math.hypot(x - 15.5, y - 15.5) / 16
    return 255 * max(0, 1 - r) ** 1.5


LETTERS = {
    'Q': '01110 10001 10001 10001 10101 10010 01101', 'U': '10001 10001 10001 10001 10001 10001 01110',
    'A': '01110 10001 10001 11111 10001 10001 10001', 'D': '11110 10001 10001 10001 10001 10001 11110',
    'S': '01111 10000 10000 01110 00001 00001 11110', 'C': '01110 10001 10000 10000 10000 10001 01110',
    'O': '01110 10001 10001 10001 10001 10001 01110', 'P': '11110 10001 10001 11110 10000 10000 10000',
    'E': '11111 10000 10000 11110 10000 10000 11111',
}


def letter_pixel(x, y):
    x, y = x - 10, y - 4
    if x < 0 or x // 12 > 8 or y < 0 or y >= 14 or x % 12 >= 10:
        return 0
    return 255 if LETTERS['QUADSCOPE'[x // 12]].split()[y // 2][x % 12 // 2] == '1' else 0


# ---- the scene ----------------------------------------------------------------------------------------------------------

# TEV inputs
PREV, C_PREVA, C_TEX, C_RAS, C_ONE, C_HALF, C_KONST, ZERO = 0, 1, 8, 10, 12, 13, 14, 15
A_PREV, A_TEX, A_RAS, A_KONST, A_ZERO = 0, 4, 5, 6, 7

VERTEX_COLOUR, LIT = 1, 2
DIFFUSE, SPECULAR = 2 << 7, 1 << 9


class Scene:
    def __init__(self):
        self.knot = grid(160, 14, knot_vertex)
        self.ball = grid(28, 18, ball_vertex)
        self.floor = grid(20, 20, floor_vertex)
        self.box = box()
        self.floor_image = image(RGB565, 128, 128, floor_pixel, 8)
        self.crate_image = image(CMPR, 64, 64, crate_pixel, 4)
        self.knot_image = image(C8, 64, 64, knot_pixel)
        self.sky_image = image(RGB565, 64, 64, reflection_pixel)
        self.blob_image = image(I8, 32, 32, blob_pixel)
        self.lines_image = image(I8, 8, 8, lambda x, y: (255, 250, 226, 190, 190, 226, 250, 255)[y])
        self.letter_image = image(I4, 128, 24, letter_pixel)
        self.palette = knot_palette()

    # -- things that depend on the camera

    def lights(self, log, view):
        """0 the lamp, 1 the sun's glint, 2 a cold light from the left, 3 stands at the eye"""
        rotation = [row[:3] + [0] for row in view]

        def light(n, colour, position, direction=(0, 0, 0), angle=(1, 0, 0), distance=(1, 0, 0)):
            log.xf(0x600 + 16 * n + 3, colour, *[float(v) for v in (*angle, *distance, *position, *direction)])

        sun = unit(apply(rotation, [-0.55, 0.62, 0.42]))
        light(0, 0xFFF0DCFF, apply(view, [1.5, 5.5, 4.0]))
        light(1, 0xFFFFFFFF, [1048576 * v for v in sun], unit([sun[0], sun[1], sun[2] + 1]), (0, 0, 1), (24, 0, -23))
        light(2, 0x5078C8FF, apply(view, [-6.0, 2.5, -2.0]))
        light(3, 0xFFFFFFFF, (0, 0, 1048576))
        light(4, 0xFFE8D0FF, apply(view, [0.0, 4.5, 1.0]), (0, 0, 0), (1, 0, 0), (0.72, 0, 0.016))

    def channels(self, log, lights=0, ambient=0x404458FF, material=0xFFFFFFFF, glint=False, alpha=VERTEX_COLOUR, spot=False):
        mask = (lights & 15) << 2 | lights >> 4 << 11
        control = LIT | mask | DIFFUSE | (3 << 9 if spot else 0) if lights else VERTEX_COLOUR
        log.xf(0x100A, ambient, 0x00000000, material, 0xFFFFFFFF, control, LIT | 2 << 2 | SPECULAR if glint else 0, alpha, 0)

    # -- parts

    def sky(self, log, width, height, horizon):
        """A ramp from the horizon upwards, ridges and the sun; nothing of it is written to the depth buffer."""
        orthographic(log, width, height)
        place(log, IDENTITY)
        attributes(log, 1, 0, 1)
        general(log)
        self.channels(log)
        tev(log, 0, (ZERO, ZERO, ZERO, C_RAS), (A_ZERO, A_ZERO, A_ZERO, A_RAS))
        depth(log, False, False)
        fog(log)
        blend(log)
        vertex = lambda x, y, c: struct.pack('>3f4B', x, y, -0.5, *[clamp(v) for v in c], 255)
        steps = [0, 0.1, 0.22, 0.42, 0.7, 1.0]
        data = b''
        for t in steps:
            y = horizon * (1 - t)
            data += vertex(0, y, sky_colour(t)) + vertex(width, y, sky_colour(t))
        log.draw(STRIP, data, 2 * len(steps), 1)
        log.draw(QUADS, vertex(0, horizon, HORIZON) + vertex(width, horizon, HORIZON) + vertex(width, height, HORIZON) +
                 vertex(0, height, HORIZON), 4, 1)
        # the sun: a soft disc, added
        attributes(log, 1, 0, 1, 1)
        general(log, 1)
        tev(log, 0, (ZERO, C_TEX, C_RAS, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_RAS), tex=0)
        texture(log, 0, self.blob_image, BLOB_TEXTURE, 0)
        blend(log, ONE, ONE)
        for size, colour in ((0.62, (120, 64, 36)), (0.17, (255, 210, 150))):
            x, y, r = width * 0.235, horizon - height * 0.13, size * height / 2
            corner = lambda dx, dy: (struct.pack('>3f4B2f', x + dx * r, y + dy * r, -0.5, *colour, 255, (dx + 1) / 2, (dy + 1) / 2))
            log.draw(QUADS, corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1), 4, 1)
        blend(log)
        # two ridges
        attributes(log, 1, 0, 1)
        general(log)
        tev(log, 0, (ZERO, ZERO, ZERO, C_RAS), (A_ZERO, A_ZERO, A_ZERO, A_RAS))
        for seed, rise, top, foot in ((11, 0.15, (120, 70, 118), (240, 164, 122)), (23, 0.085, (72, 46, 92), (222, 148, 118))):
            data, points = b'', 33
            for i in range(points):
                x, k = width * i / (points - 1), i * 2
                wave = 0.5 + 0.3 * math.sin(i * 0.61 + seed) + 0.2 * math.sin(i * 1.7 + 2 * seed)
                h = rise * height * (0.35 + 0.45 * wave + 0.2 * hash_noise(k, 0, seed))
                data += vertex(x, horizon - h, top) + vertex(x, horizon + 1, foot)
            log.draw(STRIP, data, 2 * points, 1)

    def ground(self, log, view):
        place(log, view, [row[:3] + [0] for row in view])
        general(log, 1, 1)
        self.channels(log, 16, 0x34303CFF, spot=True)
        tev(log, 0, (ZERO, C_TEX, C_RAS, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_RAS), tex=0)
        texture(log, 0, self.floor_image, FLOOR_TEXTURE, 1, 8)
        fog(log, HORIZON, 9, 27)
        depth(log)
        self.floor.draw(log)

    def shadows(self, log, view, spots):
        """Dark discs just above the floor."""
        place(log, view)
        attributes(log, 1, 0, 1, 1)
        general(log, 1)
        self.channels(log)
        tev(log, 0, (ZERO, ZERO, ZERO, ZERO), (A_ZERO, A_TEX, A_RAS, A_ZERO), tex=0)
        texture(log, 0, self.blob_image, BLOB_TEXTURE, 0)
        blend(log, SRC_ALPHA, INV_SRC_ALPHA)
        depth(log, True, False)
        data = b''
        for x, z, rx, rz, dark in spots:
            for dx, dz in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                data += struct.pack('>3f4B2f', x + dx * rx, 0.015, z + dz * rz, 0, 0, 0, dark, (dx + 1) / 2, (dz + 1) / 2)
        log.draw(QUADS, data, 4 * len(spots), 1)
        blend(log)
        depth(log)

    def draw_knot(self, log, view, phase):
        model = multiply(multiply(turn(1, 28 + phase), turn(0, 16)), turn(2, 0.6 * phase))
        rotation = multiply([row[:3] + [0] for row in view], model)
        place(log, multiply(view, multiply(move(-0.78, 1.55, 0.1), multiply(model, stretch(1.14, 1.14, 1.14)))), rotation)
        general(log, 2, 2, 3, 2)
        self.channels(log, 1 | 4, 0x30343CFF, glint=True)
        # palette, light; then the reflection; then the glint
        konst(log, 0, 88, 88, 96)
        tev(log, 0, (ZERO, C_TEX, C_RAS, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_RAS), tex=0, scale=1)
        tev(log, 1, (ZERO, C_TEX, C_KONST, PREV), (A_ZERO, A_ZERO, A_ZERO, A_PREV), 0, tex=1, coord=1, channel=7)
        tev(log, 2, (ZERO, C_RAS, C_ONE, PREV), (A_ZERO, A_ZERO, A_ZERO, A_PREV), channel=1)
        log.memory(PALETTE, self.palette, UPDATE_TMEM)
        log.bp(0x64, PALETTE >> 5)
        log.bp(0x65, PALETTE_TMEM | 256 // 16 << 10)
        texture(log, 0, self.knot_image, KNOT_TEXTURE, 1, palette=True)
        texture(log, 1, self.sky_image, SKY_TEXTURE, 0)
        log.xf(0x1041, 1 << 2 | 1 << 7)  # coordinate 1 is made from the normal
        self.knot.draw(log)

    def crates(self, log, view):
        general(log, 1, 1, 1, 2)
        self.channels(log, 1 | 4, 0x484858FF)
        tev(log, 0, (ZERO, C_TEX, C_RAS, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_RAS), tex=0)
        texture(log, 0, self.crate_image, CRATE_TEXTURE, 0, 4)
        for x, y, z, size, angle in CRATES:
            rotation = turn(1, angle)
            model = multiply(move(x, y, z), multiply(rotation, stretch(size, size, size)))
            place(log, multiply(view, model), multiply([row[:3] + [0] for row in view], rotation))
            draw_box(log, self.box)

    def monitor(self, log, view):
        """A case and feet, the picture of the other camera on it, a name under it"""
        rotation = turn(1, -27)
        at = multiply(move(1.78, 1.42, -1.0), rotation)
        normals = multiply([row[:3] + [0] for row in view], rotation)
        general(log, 0, 2, 2, 2)
        self.channels(log, 1 | 4, 0x30303CFF, 0x3C404CFF, glint=True)
        tev(log, 0, (ZERO, ZERO, ZERO, C_RAS), (A_ZERO, A_ZERO, A_ZERO, A_RAS))
        tev(log, 1, (ZERO, C_RAS, C_HALF, PREV), (A_ZERO, A_ZERO, A_ZERO, A_PREV), channel=1)
        for x, y, z, w, h, d in ((0, 0, 0, 1.34, 1.05, 0.09), (0, -1.2, 0, 0.12, 0.2, 0.06), (0, -1.385, 0, 0.62, 0.035, 0.34)):
            model = multiply(at, multiply(move(x, y, z), stretch(w, h, d)))
            place(log, multiply(view, model), normals)
            draw_box(log, self.box)
        place(log, multiply(view, at), normals)
        attributes(log, 1, 0, 1, 1)
        general(log, 2, 1, 2)
        self.channels(log)
        # coordinate 1 repeats the lines 24 times over coordinate 0's range
        log.xf(0x1041, 5 << 7)
        log.xf(32 * 4, 24.0, 0.0, 0.0, 0.0, 0.0, 24.0, 0.0, 0.0)
        self.matrix_indices(log, 32)
        tev(log, 0, (ZERO, C_TEX, C_RAS, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_RAS), tex=0)
        tev(log, 1, (ZERO, C_TEX, PREV, ZERO), (A_ZERO, A_ZERO, A_ZERO, A_PREV), tex=1, coord=1, channel=7)
        texture(log, 0, (SCREEN_W, SCREEN_H, RGB565, None), SCREEN_TEXTURE, 0)
        texture(log, 1, self.lines_image, LINES_TEXTURE, 1)
        corner = lambda x, y, s, t, c=(255, 255, 255): struct.pack('>3f4B2f', x, y, 0.1, *c, 255, s, t)
        fog(log)
        log.draw(QUADS, corner(-1.22, 0.95, 0, 0) + corner(1.22, 0.95, 1, 0) + corner(1.22, -0.8, 1, 1) + corner(-1.22, -0.8, 0, 1),
                 4, 1)
        self.matrix_indices(log, 30)
        general(log, 1)
        konst(log, 1, 150, 214, 255)
        tev(log, 0, (ZERO, ZERO, ZERO, C_KONST), (A_ZERO, A_ZERO, A_ZERO, A_TEX), 1, tex=0)
        texture(log, 0, self.letter_image, LETTER_TEXTURE, 0)
        alpha_test(log, 40)
        blend(log, SRC_ALPHA, INV_SRC_ALPHA)
        log.draw(QUADS, corner(-0.56, -0.825, 0, 0) + corner(0.56, -0.825, 1, 0) + corner(0.56, -1.02, 1, 1) +
                 corner(-0.56, -1.02, 0, 1), 4, 1)
        alpha_test(log)
        blend(log)

    def glass(self, log, view, phase):
        """Clear where one looks straight at it, bright at the rim: alpha is 1 - N.V, lit by a light at the eye."""
        model = multiply(move(0.16 + 0.01 * phase, 0.6, 2.45), stretch(0.6, 0.6, 0.6))
        place(log, multiply(view, model), [row[:3] + [0] for row in view])
        general(log, 2, 2, 2, 2)
        self.channels(log, 1, 0x606870FF, 0xFFFFFF00 | 0xFF, glint=True, alpha=LIT | 8 << 2 | DIFFUSE)
        log.xf(0x100A, 0x60687000)
        konst(log, 2, 226, 244, 255, 20)
        tev(log, 0, (ZERO, C_TEX, C_KONST, ZERO), (A_KONST, A_ZERO, A_RAS, A_ZERO), 2, tex=1, coord=1)
        log.bp_field(0xF6, 9, 5, 0)  # alpha of stage 0: konst 1.0
        tev(log, 1, (ZERO, PREV, C_PREVA, C_RAS), (A_KONST, A_ZERO, A_ZERO, A_PREV), 2, channel=1)
        texture(log, 1, self.sky_image, SKY_TEXTURE, 0)
        log.xf(0x1041, 1 << 2 | 1 << 7)
        fog(log)
        blend(log, ONE, INV_SRC_ALPHA)  # the colour is multiplied already, the glint is not
        depth(log, True, False)
        self.ball.draw(log)
        blend(log)
        depth(log)

    @staticmethod
    def matrix_indices(log, row):
        """coordinate 0 passes through the identity of row 60, coordinate 1 through this row"""
        value = 60 << 6 | row << 12 | 60 << 18 | 60 << 24
        log.cp(0x30, value)
        log.xf(0x1018, value)


CRATES = ((-2.75, 0.5, -1.15, 0.5, 18), (-3.05, 0.42, 0.35, 0.42, -24), (-2.68, 1.36, -1.05, 0.36, 40))
SHADOWS = ((-0.78, 0.1, 1.5, 1.1, 190), (1.78, -1.0, 1.3, 0.85, 200), (-2.75, -1.15, 0.95, 0.95, 220),
           (-3.05, 0.35, 0.8, 0.8, 220))


def boot(log):
    """State from before the capture began"""
    for register in (1, 2, 3, 4):
        log.bp(register, 0x666666)
    log.bp(0x0F, 0xFF)
    log.bp(0x22, 6 | 6 << 8)
    log.bp(0x59, 171 << 10 | 171)
    log.bp(0x42, 0)
    log.bp(0x43, 1 << 6)
    log.bp(0x44, 3)
    log.bp(0x4E, 256)
    log.bp(0x4F, 255 << 8 | 20)
    log.bp(0x50, 24 << 8 | 40)
    log.bp(0x51, 0xFFFFFF)
    log.bp(0x53, 21 << 12 | 22 << 18)
    log.bp(0x54, 21)
    log.bp(0x55, 0x3FF)
    log.bp(0x56, 0x3FF)
    log.bp(0x58, 0xF)
    log.bp(0x68, 0)
    log.bp(0x69, 0x400)
    for i in range(8):
        log.bp(0x28 + i, 7 << 19 | 7 << 7)
    for i, value in enumerate((4, 0xE, 0, 0xC, 5, 0xD, 0xA, 0xE)):
        log.bp(0xF6 + i, value)
    formats(log)
    log.cp(0x40, 0x00F3CF3C)
    log.xf(0x1019, 0x00F3CF3C)
    Scene.matrix_indices(log, 30)
    log.xf(60 * 4, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    log.xf(0x500 + 61 * 4, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    log.xf(0x1005, 0)
    log.xf(0x1012, 1)
    for i in range(8):
        log.xf(0x1040 + i, 5 + i << 7)
        log.xf(0x1050 + i, 61)
    alpha_test(log)
    blend(log)
    depth(log)
    fog(log)


def copy_rectangle(log, width, height):
    log.bp(0x49, 0)
    log.bp(0x4A, height - 1 << 10 | width - 1)


def horizon_line(eye, target, height):
    slope = (target[1] - eye[1]) / math.hypot(target[0] - eye[0], target[2] - eye[2])
    return height / 2 * (1 + slope * COTANGENT)


def camera_pass(log, scene, eye, target, width, height, phase, main):
    view = look(eye, target)
    window(log, width, height)
    scene.sky(log, width, height, horizon_line(eye, target, height))
    perspective(log)
    scene.lights(log, view)
    scene.ground(log, view)
    scene.shadows(log, view, (*SHADOWS, (0.16 + 0.01 * phase, 2.45, 0.75, 0.7, 120)))
    scene.crates(log, view)
    scene.draw_knot(log, view, phase)
    if main:
        scene.monitor(log, view)
        scene.glass(log, view, phase)


def frame(log, scene, phase):
    # what the screen in the scene will show, copied and cleared away
    camera_pass(log, scene, (3.3, 2.5, 3.4), (-0.8, 1.3, 0.0), SCREEN_W, SCREEN_H, phase, False)
    copy_rectangle(log, SCREEN_W, SCREEN_H)
    log.bp(0x4B, SCREEN_TEXTURE >> 5)
    log.bp(0x4D, SCREEN_W // 4)
    log.bp(0x52, 3 | 4 << 4 | 1 << 11)
    log.bp(0x66, 0x1000)
    log.bp(0x66, 0x1100)
    camera_pass(log, scene, (0.0, 2.1, 7.4), (0.0, 1.2, 0.0), WIDTH, HEIGHT, phase, True)
    copy_rectangle(log, WIDTH, HEIGHT)
    log.bp(0x4B, XFB >> 5)
    log.bp(0x4D, WIDTH * 2 // 32)
    log.bp(0x4E, 256)
    log.bp(0x52, 3 | 1 << 11 | 1 << 14)
    log.end_frame()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    log = Log()
    boot(log)
    log.boot = False
    scene = Scene()
    for phase in (0, 24):
        frame(log, scene, phase)
    with open(sys.argv[1], 'wb') as out:
        out.write(log.file())


if __name__ == '__main__':
    main()
