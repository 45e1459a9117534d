"""Tea: tins, jars, the pressed cake and the sampler box."""
import math
import os
import random
import tempfile

import bpy
import numpy as np

import shapes as sh
import studio as st
from shapes import lathe, vessel
from studio import placed, rgb, scene
from teaware import tea_leaf

CREAM = '#efe6d2'


# ---- label pictures (drawn with numpy, no text) -----------------------------

def srgb(code):
    return np.array([int(code[i:i + 2], 16) / 255 for i in (1, 3, 5)], dtype=np.float32)


class Label:
    """A small drawing board in centimetres; x runs around the tin, the middle is (0, 0)."""

    def __init__(self, width, height, ground, dpc=70):
        w, h = int(width * dpc), int(height * dpc)
        self.x, self.y = np.meshgrid((np.arange(w) + .5) / dpc - width / 2, (np.arange(h) + .5) / dpc - height / 2)
        self.px = np.tile(srgb(ground), (h, w, 1))
        self.edge = 1.2 / dpc
        self.half_h = height / 2

    def fill(self, distance, color):
        """Paint where the signed distance is negative."""
        a = np.clip(.5 - distance / self.edge, 0, 1)[..., None]
        self.px = self.px * (1 - a) + srgb(color) * a

    def circle(self, x, y, r):
        return np.hypot(self.x - x, self.y - y) - r

    def outline(self, d, width):
        return np.abs(d) - width / 2

    def leaf(self, x, y, length, fat, angle):
        """Lens shape from two circles, pointing along the angle (degrees)."""
        a = math.radians(angle)
        u = (self.x - x) * math.cos(a) + (self.y - y) * math.sin(a)
        v = -(self.x - x) * math.sin(a) + (self.y - y) * math.cos(a)
        h, w = length / 2, fat / 2
        r = (h * h + w * w) / (2 * w)
        return np.maximum(np.hypot(u, v - (r - w)) - r, np.hypot(u, v + (r - w)) - r)

    def stripe(self, y, width):
        return np.abs(self.y - y) - width / 2

    def rect(self, x, y, w, h):
        return np.maximum(np.abs(self.x - x) - w / 2, np.abs(self.y - y) - h / 2)

    def peak(self, x, y, w, h):
        """A mountain: triangle with its foot at y."""
        return np.maximum(y - self.y, (self.y - y) / h - 1 + np.abs(self.x - x) / (w / 2)) * .6

    def image(self, name):
        return sh.image(name, self.px)


def emblem(board, kind, ink, accent, paper):
    b = board
    if kind == 'leaves':
        for x, y, l, f, a in ((0, .5, 2.3, .8, 90), (-.75, -.25, 1.8, .7, 128), (.75, -.25, 1.8, .7, 52)):
            b.fill(b.leaf(x, y, l, f, a), ink)
            b.fill(b.leaf(x, y, l * .9, .06, a), paper)
    elif kind == 'pearls':
        for i, (x, y) in enumerate(((0, .75), (-.7, .1), (.7, .1), (0, -.55), (-1.3, -.65), (1.3, -.65))):
            b.fill(b.circle(x, y, .5), ink if i % 2 else accent)
            b.fill(b.outline(b.circle(x, y, .28), .06), paper)
    elif kind == 'mountain':
        b.fill(b.circle(.55, .75, .48), accent)
        b.fill(b.peak(-.55, -1.1, 2.6, 1.9), ink)
        b.fill(b.peak(.75, -1.1, 2.2, 1.3), paper)
        b.fill(b.peak(.8, -1.1, 2.0, 1.12), ink)
    elif kind == 'rock':
        b.fill(b.circle(0, 0, 1.3), accent)
        for i, y in enumerate((-.75, -.38, .0, .38)):
            b.fill(np.maximum(np.abs(b.y - y + .12 * np.sin(b.x * 3 + i)) - .06, b.circle(0, 0, 1.3)), paper)
    elif kind == 'moon':
        b.fill(b.circle(0, 0, 1.15), ink)
        b.fill(b.circle(.5, .3, .95), paper)
        b.fill(b.circle(.62, .38, .16), accent)
    elif kind == 'smoke':
        for i, x in enumerate((-.7, 0, .7)):
            d = np.maximum(np.abs(b.x - x - .28 * np.sin(b.y * 2.6 + i)) - .11, np.abs(b.y - .1 * i) - 1.15)
            b.fill(d, ink if i != 1 else accent)
    elif kind == 'flower':
        for k in range(6):
            a = math.radians(60 * k + 30)
            b.fill(b.leaf(.72 * math.cos(a), .72 * math.sin(a), 1.25, .72, 60 * k + 30), ink)
        b.fill(b.circle(0, 0, .3), accent)


def wrap(name, radius, z0, z1, board):
    """A paper band around a round tin; its middle faces the camera (-y)."""
    mat = st.paper((1, 1, 1), bump=.004, image=board.image(name))
    turns = np.linspace(-math.pi, math.pi, 161)           # 0 faces the camera, the seam is behind
    edge = ((radius - .02, z0, 0), (radius + .035, z0 + .01, .002), (radius + .035, z1 - .01, .998), (radius - .02, z1, 1))
    verts = [(r * math.sin(a + math.pi), r * math.cos(a + math.pi), z) for a in turns for r, z, _ in edge]
    uvs = [(.5 - a / (2 * math.pi), v) for a in turns for _, _, v in edge]
    faces = [(i * 4 + k, i * 4 + k + 1, i * 4 + k + 5, i * 4 + k + 4) for i in range(160) for k in range(3)]
    return sh.add_mesh(name, verts, faces, mat, uvs=uvs)


def lacquer(color):
    return st.plain(color, rough=.36, specular=.5, coat=.15, bump=.004, grain=16, name='lacquer')


def printed(slug):
    """What labels.py drew for a tea."""
    path = os.path.join(tempfile.gettempdir(), 'studio', 'labels', f'{slug}.png')
    return st.paper((1, 1, 1), bump=.003, image=bpy.data.images.load(path))


def band(name, radius, z0, z1, around, mat, middle=0.0):
    """A paper label on a round tin or jar, `around` cm wide; its middle faces the camera (-y)."""
    half = min(math.pi, around / radius / 2)
    turns = np.linspace(-half, half, 161)
    closed = half > 3.1
    rows = [(radius, z0, 0), (radius + .012, z0 + .012, .002), (radius + .012, z1 - .012, .998), (radius, z1, 1)]
    verts = [(r * math.sin(a + middle), -r * math.cos(a + middle), z) for a in turns for r, z, _ in rows]
    uvs = [(.5 + a / (2 * half), v) for a in turns for _, _, v in rows]
    faces = [(i * 4 + k, i * 4 + k + 4, i * 4 + k + 5, i * 4 + k + 1) for i in range(160) for k in range(3)]
    obj = sh.add_mesh(name, verts, faces, mat, uvs=uvs)
    if not closed:
        m = obj.modifiers.new('thickness', 'SOLIDIFY')
        m.thickness, m.offset = .012, 1
    return obj


def lacquer(color):
    return st.plain(color, rough=.34, specular=.5, coat=.12, bump=.003, grain=18, name='lacquer')


def seamed(radius, z, mat):
    """The rolled seam where tinplate ends."""
    sh.ring('seam', radius + .02, .05, z, mat)


def round_tin(slug, color, radius=3.5, height=11.0, lid=2.6, domed=False, label=7.35):
    m = lacquer(rgb(color))
    lathe('tin', [(0, 0), (radius - .3, .02), (radius - .05, .0, .08), (radius, .2, .05), (radius, height - .3, .05), (radius - .1, height, .1), (0, height)], m)
    seamed(radius - .03, .12, m)
    z = height - lid
    if domed:
        lathe('lid', [(radius - .1, z + .02), (radius + .09, z, .03), (radius + .10, z + .18, .06), (radius + .06, z + .26), (radius + .06, z + lid - .75), (radius - .1, z + lid - .28, .3), (radius * .6, z + lid - .04), (0, z + lid)], m)
    else:
        lathe('lid', [(radius - .1, z + .02), (radius + .09, z, .03), (radius + .10, z + .18, .05), (radius + .06, z + .26), (radius + .06, z + lid - .1, .10), (radius - .15, z + lid, .1), (radius - .42, z + lid - .10, .08), (0, z + lid - .10)], m)
    band('label', radius + .012, .65, .65 + label, 2 * math.pi * (radius + .012), printed(slug))


def square_tin(slug, color, w=7.0, height=11.0, lid=2.4):
    m = lacquer(rgb(color))
    sh.box('tin', w, w, height - .2, m, radius=1.0, bevel=.12)
    z = height - lid
    sh.rounded(lambda i: sh.rounded_rect(w + .18 - 2 * i, w + .18 - 2 * i, max(.1, 1.1 - i)),
               [(.15, z + .02), (0, z, .04), (-.02, z + .16, .05), (.02, z + .24), (.02, height - .06, .14), (.40, height, .1), (.70, height - .10, .08), (2.5, height - .10)], 'lid', m)
    lw, lh, y = 5.7, 7.3, -w / 2 - .012
    obj = sh.add_mesh('label', [(-lw / 2, y, .62), (lw / 2, y, .62), (lw / 2, y, .62 + lh), (-lw / 2, y, .62 + lh)], [(0, 1, 2, 3)], printed(slug), smooth=False, uvs=[(0, 0), (1, 0), (1, 1), (0, 1)])
    k = obj.modifiers.new('thickness', 'SOLIDIFY')
    k.thickness, k.offset = .02, -1


def leaves_on_table(color, x, y, seed=1, count=44, length=.9, radius=2.3):
    """A small heap of the tea beside its tin."""
    with placed(x, y):
        sh.copies(tea_leaf(rgb(color), length), sh.pile(count, radius, .65, seed, .1, tilt=.35))


def pearls_on_table(color, x, y, seed=1, count=26, size=.42):
    m = st.clay(rgb(color), rough=.7, bump=.12, grain=3.5, vary=.3)
    rnd = random.Random(seed)
    spots = []
    for _ in range(3000):
        if len(spots) >= count:
            break
        r, a = 2.5 * abs(rnd.gauss(0, .5)), rnd.uniform(0, 6.28)
        p = (x + r * math.cos(a) * 1.2, y + r * math.sin(a) * .8)
        if all(math.hypot(p[0] - q[0], p[1] - q[1]) > size * 2.02 for q in spots):
            spots.append(p)
    model = sh.ball('pearl', size, (0, 0, 0), m, squash=.92, seg=24)
    sh.copies(model, [(px, py, size * .92, (rnd.uniform(0, 6), rnd.uniform(0, 6), 0), rnd.uniform(.9, 1.05)) for px, py in spots])


TINS = {
    'dragon-well': lambda: round_tin('dragon-well', '#93a877'),
    'jasmine-pearls': lambda: round_tin('jasmine-pearls', '#d9d3c4'),
    'tieguanyin': lambda: round_tin('tieguanyin', '#3a6362', domed=True),
    'da-hong-pao': lambda: round_tin('da-hong-pao', '#641f1b', domed=True),
    'keemun': lambda: square_tin('keemun', '#55222b'),
    'lapsang': lambda: square_tin('lapsang', '#383838'),
    'white-peony': lambda: round_tin('white-peony', '#cdb98e', radius=4.0, height=12.0, label=8.25),
}
LEAVES = {'dragon-well': '#75863f', 'tieguanyin': '#3f4a2a', 'da-hong-pao': '#33221a', 'keemun': '#231a17', 'lapsang': '#1d1918', 'white-peony': '#7d8062'}

# One ground and one crop for the whole range: the tins are the only thing that differs.
RANGE = dict(backdrop='sand', elevation=11, fill=.66)


def tin_scene(slug, turn=-14):
    @scene(slug, **RANGE)
    def build():
        with placed(turn=turn):
            TINS[slug]()
        if slug == 'jasmine-pearls':
            pearls_on_table('#6f7350', 5.6, -2.6, seed=4)
        else:
            leaves_on_table(LEAVES[slug], 5.2, -2.6, seed=len(slug), length=1.25 if slug in ('dragon-well', 'white-peony') else .85)
    return build


for _slug in TINS:
    tin_scene(_slug, turn=17 if _slug in ('keemun', 'lapsang') else 5)


# ---- pressed cake ------------------------------------------------------------

def pressed_cake():
    g = st.Graph('pressed')
    flakes = g.n('TexVoronoi', Vector=g.stretch(1.1, 2.6, 2.0), Scale=1.6)
    tone = g.n('SeparateColor', Color=flakes.outputs['Color']).outputs[0]
    fine = g.noise(3.5, 4, distortion=1.5)
    col = g.mix(g.step(tone, .55, .95), rgb('#3c2a1e'), rgb('#7d6040'))
    col = g.mix(g.step(fine, .52, .7, 0, .7), col, rgb('#231812'))
    h = g.math('MULTIPLY_ADD', flakes.outputs['Distance'], .8, fine)
    g.principled(Base_Color=col, Roughness=.8, Specular=.3, Normal=g.bump(h, .28))
    rng = np.random.default_rng(5)
    ph = rng.uniform(0, 6.28, 12)

    def rough(A, R, Z):
        return R + .06 * np.sin(9 * A + ph[0]) + .05 * np.sin(23 * A + ph[1]), Z + .03 * np.sin(17 * A + R * 2.2)
    lathe('cake', [(0, .25), (5.5, .25), (8.6, .45, .5), (9.5, 1.4), (8.9, 2.5), (7.2, 3.05), (3.2, 2.85), (1.2, 2.75), (0, 2.75)], g.mat, deform=rough, seg=200)



def wrapped_cake():
    """A cake in its printed paper: taut over the face, pleated over the edge."""
    rim = sh.waves(3, 6, .5, 2.4)
    fine = sh.waves(8, 8, 1.2, 5.0)

    def sheet(U, V):
        th, rho = U * 2 * math.pi, V
        r = np.interp(rho, [0, .62, .80, .90, 1.0], [0, 6.6, 9.0, 9.75, 9.1])
        z = np.interp(rho, [0, .25, .62, .80, .90, 1.0], [2.86, 2.92, 3.05, 2.62, 1.5, .12])
        x, y = r * np.cos(th), r * np.sin(th)
        edge = np.clip((rho - .55) / .35, 0, 1)
        pleat = np.abs(np.sin(th * 33 + .6 * np.sin(th * 5))) ** .7
        z = z + .035 * fine(x * .5, y * .5) + .05 * rim(x * .4, y * .4) * (.4 + edge) - .16 * pleat * edge ** 2 * (rho > .6)
        out = 1 + (.012 * rim(x, y) - .012 * pleat) * edge
        return x * out, y * out, z
    obj = sh.grid('wrapper', sheet, 481, 120, printed('puer-cake'), solid=.0)
    co = np.array([v.co for v in obj.data.vertices])
    U, V = np.meshgrid(np.linspace(0, 1, 481), np.linspace(0, 1, 120), indexing='ij')
    flat = V.reshape(-1) * 10.6                      # paper keeps its length where it bends over the edge
    a = U.reshape(-1) * 2 * math.pi
    uvs = np.stack([.5 + flat * np.cos(a) / 21.2, .5 + flat * np.sin(a) / 21.2], 1)
    layer = obj.data.uv_layers[0]
    loops = np.empty(len(obj.data.loops), dtype=np.int32)
    obj.data.loops.foreach_get('vertex_index', loops)
    layer.data.foreach_set('uv', uvs.astype(np.float32)[loops].ravel())
    return co


@scene('puer-cake', backdrop='sand', elevation=33, turn=0, fill=(.80, .66))
def puer_cake():
    with placed(-2.6, 3.2, 2.4, tilt=26, turn=-8):
        wrapped_cake()
    with placed(6.2, -6.4, 0, turn=30, scale=.62):
        pressed_cake()
    leaves_on_table('#4a3626', -3.6, -9.2, seed=6, count=30)


# ---- jars ---------------------------------------------------------------------

def jar(slug, fill_fn, radius=4.0, height=11.6):
    glass = st.glass()
    vessel('jar', [(0, .05), (radius - .9, .05), (radius - .3, 0, .2), (radius, .7), (radius, height - 2.6), (radius * .97, height - 1.6), (radius * .80, height - .55), (radius * .80, height - .1), (radius * .86, height)], glass, wall=.2, floor=.5)
    fill_fn(radius - .32)
    band('label', radius + .03, 1.9, 7.5, 5.0, printed(slug))
    g = st.Graph('cork')
    pits = g.specks(2.2, .36, .5, g.stretch(1, 1, 1.8))
    col = g.mix(g.noise(1.6, 3), rgb('#b98a58'), rgb('#d5ac7b'))
    col = g.mix(g.math('MULTIPLY', pits, .7), col, rgb('#7d5836'))
    g.principled(Base_Color=col, Roughness=.85, Specular=.2, Normal=g.bump(g.math('SUBTRACT', g.noise(3, 2), pits), .05))
    r = radius * .80 - .2
    lathe('cork', [(0, height - 1.5), (r - .25, height - 1.5, .1), (r - .02, height - .2), (r + .12, height + .9, .14), (0, height + .95)], g.mat)


def camomile_flower():
    """Dried camomile: a yellow cone with short cream petals, one mesh with two materials."""
    yellow, petal = st.clay(rgb('#d79a1f'), rough=.8, bump=.09, grain=7, vary=.3), st.plain(rgb('#f3ead2'), rough=.6)
    verts, faces, index = [], [], []
    seg, rows = 14, 6
    for j in range(rows):
        f = j / (rows - 1)
        for i in range(seg):
            a = 2 * math.pi * i / seg
            r = .42 * math.cos(f * 1.56)
            verts.append((r * math.cos(a), r * math.sin(a), .46 * math.sin(f * 1.57)))
    for j in range(rows - 1):
        for i in range(seg):
            faces.append((j * seg + i, j * seg + (i + 1) % seg, (j + 1) * seg + (i + 1) % seg, (j + 1) * seg + i))
            index.append(0)
    rnd = random.Random(1)
    for k in range(13):
        a = 2 * math.pi * k / 13 + rnd.uniform(-.1, .1)
        drop = rnd.uniform(-.45, -.1)
        c, s = math.cos(a), math.sin(a)
        b = len(verts)
        for r, w, z in ((.36, .06, .02), (.55, .13, drop * .3), (.75, .12, drop * .7), (.86, .04, drop)):
            verts += [(r * c - w * s, r * s + w * c, z), (r * c + w * s, r * s - w * c, z)]
        for i in range(3):
            faces.append((b + 2 * i, b + 2 * i + 1, b + 2 * i + 3, b + 2 * i + 2))
            index.append(1)
    obj = sh.add_mesh('camomile', verts, faces, [yellow, petal])
    obj.data.polygons.foreach_set('material_index', index)
    return obj


def osmanthus_flower():
    """Four round orange petals around a point."""
    m = st.plain(rgb('#dd8a22'), rough=.6, bump=.03)
    verts, faces = [(0, 0, 0)], []
    for k in range(4):
        a0 = math.pi / 2 * k
        b = len(verts)
        for i in range(7):
            q = math.pi * (i / 6 - .5)
            r = .26 + .20 * math.cos(q)
            a = a0 + .52 * math.sin(q)
            verts.append((r * math.cos(a), r * math.sin(a), .10 * math.cos(q) + .03))
        faces += [(0, b + i, b + i + 1) for i in range(6)]
    return sh.add_mesh('osmanthus', verts, faces, m)


@scene('chamomile', **RANGE, flags=True, samples=30)
def chamomile():
    def fill(r):
        core = st.clay(rgb('#b98a2a'), rough=.9, bump=.2, grain=2, vary=.35)
        sh.cylinder('core', r - 1.2, .9, 7.3, core)
        flowers = sh.packed(r - .55, 1.15, 8.2, .74, 3, 1000, shell=.45) + sh.packed(r - .6, 7.5, 8.4, .8, 9, 60)
        sh.copies(camomile_flower(), flowers)
    jar('chamomile', fill)
    with placed(6.0, -2.8):
        sh.copies(camomile_flower(), [(x * .9, y * .9, .36, (random.Random(i).uniform(-.6, .6), random.Random(i + 9).uniform(-.6, .6), i), 1.0) for i, (x, y) in enumerate(((0, 0), (1.9, .7), (.6, -1.7), (-1.2, .9), (2.6, -1.1)))])


@scene('osmanthus', **RANGE, flags=True, samples=30)
def osmanthus():
    def fill(r):
        core = st.clay(rgb('#b5651a'), rough=.9, bump=.2, grain=3, vary=.35)
        sh.cylinder('core', r - .75, .8, 7.4, core)
        flowers = sh.packed(r - .25, .85, 7.8, .40, 3, 3000, shell=.72, tries=12) + sh.packed(r - .3, 7.3, 7.9, .42, 9, 420, tries=12)
        sh.copies(osmanthus_flower(), flowers)
    jar('osmanthus', fill)
    with placed(5.4, -2.4):
        sh.copies(osmanthus_flower(), sh.pile(40, 1.7, .3, 4, .1, tilt=.3))


# ---- sampler -------------------------------------------------------------------

@scene('tea-sampler', backdrop='sand', elevation=38, turn=-20, fill=.70)
def tea_sampler():
    card = st.paper(rgb('#c9ab7d'), bump=.012)
    inside = st.paper(rgb('#e9dcc0'), bump=.012)
    sh.tray('box', 17.2, 11.8, 4.6, card, wall=.35, floor=.4, radius=.5, bevel=.08, slope=.0)
    with placed(0, 5.98, 4.62, tilt=-106):                 # hinged at the back edge
        with placed(0, -5.9, 1.3, tilt=180):
            sh.tray('lid', 17.2, 11.8, 1.3, card, wall=.3, floor=.3, radius=.5, bevel=.08, slope=0)
            sh.box('lining', 16.4, 11.0, .1, inside, radius=.3, bevel=.02, z=.3)
    colours = ('#a3b18a', '#3a6362', '#e3d6ba', '#6c231e', '#3a3a39', '#cda04a')
    marks = ('leaves', 'mountain', 'flower', 'rock', 'smoke', 'pearls')
    for i, (c, mark) in enumerate(zip(colours, marks)):
        with placed((i % 3 - 1) * 5.3, (i // 3 - .5) * 5.3, .45):
            m = lacquer(rgb(c))
            r = 2.4
            lathe('tin', [(0, 0), (r, 0, .1), (r, 3.4, .1), (0, 3.4)], m)
            lathe('lid', [(r - .1, 3.0), (r + .08, 3.0, .04), (r + .08, 5.0, .14), (r - .2, 5.06, .08), (r - .4, 4.98, .06), (0, 4.98)], m)
            b = Label(3.6, 3.6, CREAM, 80)
            b.x, b.y = b.x * 1.0, b.y * 1.0
            emblem(b, mark, c if c not in ('#e3d6ba',) else '#b7a27a', '#b98a4a', CREAM)
            pic = st.paper((1, 1, 1), bump=.003, image=b.image('top-' + mark))
            n = 48
            verts = [(0, 0, 5.0)] + [(1.75 * math.cos(2 * math.pi * k / n), 1.75 * math.sin(2 * math.pi * k / n), 5.0) for k in range(n)]
            sh.add_mesh('seal', verts, [(0, 1 + k, 1 + (k + 1) % n) for k in range(n)], pic, uvs=[(.5 + v[0] / 3.6, .5 + v[1] / 3.6) for v in verts])
