"""Draws what is printed on the tins, from the demo's data:  python3 labels.py [SLUG...]

Each label becomes a PNG in the temporary folder's studio/labels, in sRGB, with the grain of its paper.

Type: the shop's own fonts, cut from their packages, and Noto Serif CJK SC (Debian: fonts-noto-cjk; SIL OFL) for Chinese.
"""
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '..', '..')
TEMP = os.path.join(tempfile.gettempdir(), 'studio')
LABELS = os.path.join(TEMP, 'labels')
FONTS = os.path.join(TEMP, 'fonts')
SONG = '/usr/share/fonts/opentype/noto/NotoSerifCJK-{}.ttc'
SONG_SC = 2

PAPER = '#f1e9d8'
INK = '#2a2520'
SOFT = '#6a6053'
CLAY = '#9c3a20'


def cut_fonts():
    """The shop's fonts as TrueType, at the weights of labels."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont
    os.makedirs(FONTS, exist_ok=True)
    packages = os.path.join(ROOT, 'node_modules', '@fontsource-variable')
    for name, source, axes in (
            ('fraunces', 'fraunces/files/fraunces-latin-opsz-normal.woff2', {'opsz': 72, 'wght': 480}),
            ('sans', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2', {'wght': 460}),
            ('sans-bold', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2', {'wght': 620})):
        target = f'{FONTS}/{name}.ttf'
        if not os.path.exists(target):
            font = instantiateVariableFont(TTFont(os.path.join(packages, source)), axes)
            font.flavor = None
            font.save(target)


def product_facts():
    """What a label says, by product: nothing of it stands here."""
    with open(os.path.join(HERE, '..', 'data', 'products.json'), encoding='utf8') as file:
        products = json.load(file)
    facts = {}
    for product in products:
        tea = product.get('tea') or {}
        if 'harvest' not in tea:
            continue
        pack = tea['packGrams']
        facts[product['slug']] = {
            # What follows a comma, a dot or a bracket is the season or the style: the label has its own lines for them.
            'name': {'en': re.split(r',', product['name']['en'])[0], 'zh': re.split(r' · | \d|（', product['name']['zh'])[0]},
            'origin': tea['origin'],
            'harvest': tea['harvest'],
            'weight': {'en': f'{pack} g', 'zh': f'净含量 {pack} 克'},
        }
    return facts


def mark_polygons():
    """The strokes of 枫土 in a field of 1 × 1, from the icon of the brand."""
    tree = ET.parse(os.path.join(HERE, '..', 'brand', 'favicon.svg'))
    path = tree.find('.//{http://www.w3.org/2000/svg}path').get('d')
    return [[tuple(float(v) / 64 for v in pair) for pair in zip(*[iter(re.findall(r'[\d.]+', part))] * 2)]
            for part in path.split('M')[1:]]


def draw_mark(draw, x, y, size, ground, strokes, radius=.12):
    """The mark as on the icon: a field with strokes cut out of it."""
    draw.rounded_rectangle((x, y, x + size, y + size), size * radius, fill=ground)
    inner, pad = size * .92, size * .04
    for polygon in mark_polygons():
        draw.polygon([(x + pad + px * inner, y + pad + py * inner) for px, py in polygon], fill=strokes)


class Board:
    """A sheet in centimetres, origin at the upper left."""

    def __init__(self, width, height, ground=PAPER, dpc=150):
        self.dpc = dpc
        self.size = (round(width * dpc), round(height * dpc))
        self.image = Image.new('RGB', self.size, ground)
        self.draw = ImageDraw.Draw(self.image)

    def px(self, cm):
        return cm * self.dpc

    def font(self, name, cm):
        if name.startswith('song'):
            return ImageFont.truetype(SONG.format('Bold' if name == 'song-bold' else 'Regular'), round(self.px(cm)), index=SONG_SC)
        return ImageFont.truetype(f'{FONTS}/{name}.ttf', round(self.px(cm)))

    def text(self, x, y, text, font, cm, fill=INK, anchor='ls', spacing=0.0):
        """At the base line y; spacing in cm between letters."""
        face = self.font(font, cm)
        if not spacing:
            self.draw.text((self.px(x), self.px(y)), text, font=face, fill=fill, anchor=anchor)
            return
        at = self.px(x)
        width = sum(face.getlength(c) for c in text) + self.px(spacing) * (len(text) - 1)
        at -= width / 2 if anchor[0] == 'm' else width if anchor[0] == 'r' else 0
        for c in text:
            self.draw.text((at, self.px(y)), c, font=face, fill=fill, anchor='l' + anchor[1])
            at += face.getlength(c) + self.px(spacing)

    def width_of(self, text, font, cm):
        return self.font(font, cm).getlength(text) / self.dpc

    def column(self, x, y, text, cm, step=1.08, fill=INK, font='song-bold'):
        """Chinese from top to bottom, with its middle at x."""
        face = self.font(font, cm)
        for i, c in enumerate(text):
            self.draw.text((self.px(x), self.px(y + i * cm * step)), c, font=face, fill=fill, anchor='mt')

    def rect(self, x0, y0, x1, y1, fill):
        self.draw.rectangle([self.px(v) for v in (x0, y0, x1, y1)], fill=fill)

    def mark(self, x, y, cm, ground=CLAY, strokes=PAPER):
        # Drawn four times as large: polygons have no soft edges here.
        k = 4
        tile = Image.new('RGB', (round(self.px(cm)) * k,) * 2, PAPER)
        draw_mark(ImageDraw.Draw(tile), 0, 0, tile.size[0] - 1, ground, strokes)
        small = tile.resize((tile.size[0] // k,) * 2, Image.LANCZOS)
        self.image.paste(small, (round(self.px(x)), round(self.px(y))))

    def save(self, slug, seed=1):
        """With paper under the ink: fibres, a soft unevenness, and ink that lies a little thinner in places."""
        rng = np.random.default_rng(seed)
        w, h = self.size
        px = np.asarray(self.image, dtype=np.float32) / 255

        def cloud(scale, amount):
            small = rng.normal(0, 1, (max(2, int(h / scale)), max(2, int(w / scale)))).astype(np.float32)
            big = np.asarray(Image.fromarray(small).resize((w, h), Image.BICUBIC))
            return big * amount

        fibres = Image.new('L', (w, h), 128)
        draw = ImageDraw.Draw(fibres)
        for _ in range(int(w * h / 2600)):
            x, y, a, length = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0, 6.28), rng.uniform(8, 42)
            tone = int(128 + rng.normal(0, 26))
            draw.line((x, y, x + length * np.cos(a), y + length * np.sin(a)), fill=tone, width=1)
        fibre = (np.asarray(fibres.filter(ImageFilter.GaussianBlur(.8)), dtype=np.float32) / 255 - .5) * .10
        grain = cloud(2, .008) + cloud(9, .006) + cloud(80, .008) + fibre
        dark = 1 - px.mean(2)
        px = px * (1 + grain[..., None]) + (dark * np.clip(cloud(5, .05), 0, 1))[..., None] * .35
        os.makedirs(LABELS, exist_ok=True)
        Image.fromarray((np.clip(px, 0, 1) * 255 + .5).astype(np.uint8)).save(f'{LABELS}/{slug}.png')


def lines_of(board, text, font, cm, width):
    """Words on as few lines as fit."""
    lines = ['']
    for word in text.split(' '):
        longer = f'{lines[-1]} {word}'.strip()
        if lines[-1] and board.width_of(longer, font, cm) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def panel(board, x, y0, width, height, facts, accent, shop, k=1.0):
    """The front of a label from (x, y0) on: the English name on the left, the Chinese one down the right side. `k` scales its type."""
    left, right = x, x + width
    zh = facts['name']['zh']
    large = min(1.12 * k, (height - 1.05 * k) / len(zh) / 1.08)
    board.column(right - large / 2, y0, zh, large)
    board.mark(left, y0, .92 * k)
    room = width - large - .3 * k
    size = .62 * k
    while max(board.width_of(word, 'fraunces', size) for word in facts['name']['en'].split(' ')) > room:
        size -= .02
    y = y0 + .92 * k + .30 * k + size
    for line in lines_of(board, facts['name']['en'], 'fraunces', size, room):
        board.text(left, y, line, 'fraunces', size)
        y += size * 1.1
    y -= size * .62
    board.rect(left, y, left + .8 * k, y + .035 * k, accent)
    small = .285 * k
    y += small * 1.75
    for key in ('en', 'zh'):
        for text in (facts['origin'][key], facts['harvest'][key]):
            board.text(left, y, text, 'sans' if key == 'en' else 'song', small if key == 'en' else small * .94, SOFT)
            y += small * 1.32
        y += small * .22
    base = y0 + height
    board.text(left, base - .36 * k, facts['weight']['en'], 'sans-bold', .38 * k)
    board.text(left, base, facts['weight']['zh'], 'song', .27 * k, SOFT)
    board.text(right, base, shop, 'fraunces', .27 * k, SOFT, anchor='rs')


# Height of each label in cm, and around or across; the tins of tea.py have the same.
ROUND, SQUARE = 'round', 'square'
PACKS = {
    'dragon-well': (ROUND, '#6f8a4e', 22.2, 7.35),
    'jasmine-pearls': (ROUND, '#c9972f', 22.2, 7.35),
    'tieguanyin': (ROUND, '#2f5d5b', 22.2, 7.35),
    'da-hong-pao': (ROUND, '#7a261f', 22.2, 7.35),
    'white-peony': (ROUND, '#a78a55', 25.3, 8.25),
    'keemun': (SQUARE, '#5a2430', 5.7, 7.3),
    'lapsang': (SQUARE, '#383634', 5.7, 7.3),
    'chamomile': (SQUARE, '#b98624', 5.0, 5.6),
    'osmanthus': (SQUARE, '#b5651a', 5.0, 5.6),
}


def cake_label(slug, facts, shop, size=19.0):
    """The printed face of a wrapped cake: a ring of type around its name."""
    board = Board(size, size, '#eee6d3', 110)
    m = size / 2
    ring = '#7a2b1c'
    for radius, line in ((7.2, .10), (6.95, .03), (4.05, .03)):
        r = board.px(radius)
        c = board.px(m)
        board.draw.ellipse((c - r, c - r, c + r, c + r), outline=ring, width=max(2, round(board.px(line))))
    around_ring(board, m, 5.2, facts['name']['en'].upper() + '  ·  ' + facts['origin']['en'].upper() + '  ·  ' + facts['weight']['en'].upper() + '  ·  ', 'sans-bold', .62, ring)
    large = 1.45
    zh = facts['name']['zh']
    half = -(-len(zh) // 2)
    for k, part in enumerate((zh[:half], zh[half:])):
        board.column(m + (.95 if k == 0 else -.95), m - half * large * 1.04 / 2 - .35, part, large, 1.04, fill='#2a2520')
    board.text(m, m + 3.05, facts['harvest']['zh'], 'song', .46, ring, anchor='ms')
    board.mark(m - .62, m - 3.62, 1.24, ring, '#eee6d3')
    board.save(slug, seed=4)


def around_ring(board, middle, radius, text, font, cm, fill):
    """Text along a circle, read from outside, filling it."""
    import math
    face = board.font(font, cm)
    widths = [face.getlength(c) for c in text]
    total = sum(widths)
    at = 0
    for c, width in zip(text, widths):
        angle = (at + width / 2) / total * 2 * math.pi - math.pi / 2 - math.pi * .75
        at += width
        tile = Image.new('L', (round(width) + 60, round(board.px(cm) * 1.8)), 0)
        ImageDraw.Draw(tile).text((30, tile.size[1] * .7), c, font=face, fill=255, anchor='ls')
        turned = tile.rotate(-math.degrees(angle) - 90, resample=Image.BICUBIC, expand=True)
        x = board.px(middle) + board.px(radius) * math.cos(angle) - turned.size[0] / 2
        y = board.px(middle) + board.px(radius) * math.sin(angle) - turned.size[1] / 2
        board.image.paste(Image.new('RGB', turned.size, fill), (round(x), round(y)), turned)


def main(slugs):
    cut_fonts()
    facts = product_facts()
    with open(os.path.join(HERE, '..', 'data', 'settings.json'), encoding='utf8') as file:
        shop = json.load(file)['shopName']['en']
    for slug, (kind, accent, across, height) in PACKS.items():
        if slugs and slug not in slugs:
            continue
        (wrap_label if kind == ROUND else front_label)(slug, facts[slug], accent, shop, across, height)
        print('drawn', slug)
    if not slugs or 'puer-cake' in slugs:
        cake_label('puer-cake', facts['puer-cake'], shop)


if __name__ == '__main__':
    main(sys.argv[1:])
