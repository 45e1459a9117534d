"""Prints the labels on photographs of tins that were taken before they had any:  python3 press.py FOLDER OUT [SLUG...]

FOLDER has those photographs, which are in the history of ../photos; OUT gets a 16 bit PNG of each.

The camera of each photograph is known (press.json, from its scene), and so is where its paper label lies: a pixel of the label is a
point of a cylinder or of a plane. The light on the paper is read from the photograph, where the paper is bare, and the print is laid
under it.
"""
import json
import math
import os
import sys

import cv2
import numpy as np

import labels as lb

HERE = os.path.dirname(os.path.abspath(__file__))
PHOTOS = sys.argv[1] if len(sys.argv) > 2 else ''
SIZE = 1280

# Radius and the heights between which the paper lies, cm; what was printed there before; the paper; a broad stripe at its foot.
TINS = {
    'dragon-well': dict(radius=3.73, z=(.75, 8.55), paper='#efe6d2', accent='#6f8a4e', foot=True),
    'jasmine-pearls': dict(ground='dragon-well', tin=(4.0, 9.6, 2.6), radius=4.03, z=(.75, 6.65), paper='#f3edde', accent='#c9972f', foot=True),
    'tieguanyin': dict(radius=3.73, z=(.75, 7.65), paper='#efe6d2', accent='#345a59'),
    'da-hong-pao': dict(radius=3.73, z=(.75, 7.65), paper='#efe6d2', accent='#702a22'),
    'white-peony': dict(ground='dragon-well', tin=(4.3, 8.6, 2.2), radius=4.33, z=(.75, 6.05), paper='#f6f0e2', accent='#b7a27a'),
    'keemun': dict(plane=(7.0, 5.0), z=(.7, 7.0), paper='#efe6d2', accent='#b98a4a'),
    'lapsang': dict(plane=(7.0, 5.0), z=(.7, 7.0), paper='#efe6d2', accent='#a4552f'),
}

SHOP = json.load(open(os.path.join(HERE, '..', 'data', 'settings.json'), encoding='utf8'))['shopName']['en']


def to_linear(v):
    return np.where(v <= .04045, v / 12.92, ((v + .055) / 1.055) ** 2.4)


def to_display(v):
    v = np.clip(v, 0, 1)
    return np.where(v <= .0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - .055)


def colour(code):
    return to_linear(np.array([int(code[i:i + 2], 16) / 255 for i in (1, 3, 5)]))


def rays(cam, lens, size):
    """Origin and directions of the pixels of a square picture."""
    m = np.array(cam)
    y, x = np.mgrid[0:size, 0:size]
    u = ((x + .5) / size - .5) * 36 / lens
    v = (.5 - (y + .5) / size) * 36 / lens
    d = np.stack([u, v, -np.ones_like(u)], -1) @ m[:3, :3].T
    return m[:3, 3], d


def on_cylinder(origin, d, radius):
    """Angle from -y (to the right) and height where each ray meets the cylinder first; the angle of view there."""
    a = d[..., 0] ** 2 + d[..., 1] ** 2
    b = origin[0] * d[..., 0] + origin[1] * d[..., 1]
    c = origin[0] ** 2 + origin[1] ** 2 - radius ** 2
    disc = b * b - a * c
    t = (-b - np.sqrt(np.maximum(disc, 0))) / a
    p = origin + d * t[..., None]
    angle = np.where(disc > 0, np.arctan2(p[..., 0], -p[..., 1]), np.nan)
    return angle, np.where(disc > 0, p[..., 2], np.nan)


def smooth(values, sigma):
    """A row without gaps, smoothed."""
    ok = ~np.isnan(values)
    filled = np.interp(np.arange(len(values)), np.nonzero(ok)[0], values[ok])
    return cv2.GaussianBlur(filled.astype(np.float32)[None, :], (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)[0]


def without_print(part, fit, here):
    """The light on the paper: as photographed where the paper is bare, and drawn smoothly over what was printed `here`.

    `fit` is a rough idea of it, by which print is told from paper; None if all of it was printed.
    """
    step = 8
    odd = here if fit is None else here & (np.abs(np.log(np.maximum(part, 1e-4) / fit)).max(-1) > .11)
    odd = cv2.dilate(odd.astype(np.uint8), np.ones((21, 21), np.uint8)) > 0
    h, w = part.shape[:2]
    small = cv2.resize(np.log(np.maximum(part, 1e-4)).astype(np.float32), (w // step, h // step), interpolation=cv2.INTER_AREA)
    hole = cv2.resize(odd.astype(np.float32), (w // step, h // step), interpolation=cv2.INTER_AREA) > .01
    whole = small.copy()
    known = (~hole).astype(np.float32)[..., None]
    soft = cv2.GaussianBlur(small * known, (0, 0), 9) / np.maximum(cv2.GaussianBlur(known, (0, 0), 9), 1e-3)[..., None]
    whole[hole] = soft[hole]
    for _ in range(500):                                     # a membrane over the hole
        mean = cv2.blur(whole, (3, 3))
        whole[hole] = mean[hole]
    over = cv2.resize(np.exp(whole), (w, h), interpolation=cv2.INTER_CUBIC)
    fade = cv2.GaussianBlur(cv2.dilate(odd.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(np.float32), (0, 0), 4)[..., None]
    return part * (1 - fade) + over * fade


def rough_paper(part, across, up, half, reach):
    """The light of a column of the paper, from above what is printed in its middle."""
    log = np.log(np.maximum(part, 1e-4))
    cols = np.linspace(-reach, reach, 121)
    over = (up > (1.62 if half > 3 else 1.45)) & (up < half - .45)
    first = np.full((len(cols), 3), np.nan)
    for i, c in enumerate(cols):
        m = over & (np.abs(across - c) < reach / 80)
        if m.sum() > 6:
            first[i] = np.median(log[m], 0)
    first = np.stack([smooth(first[:, k], 3) for k in range(3)], 1)
    return np.exp(np.stack([np.interp(across, cols, first[:, k]) for k in range(3)], -1))


def silhouette(origin, d, radius, height, lid):
    """1 where the tin is, with a lid that stands over its body."""
    inside = np.zeros(d.shape[:2], bool)
    for r, low, high in ((radius - .02, .06, height - lid), (radius + .06, height - lid, height - .04)):
        _, z = on_cylinder(origin, d, r)
        inside |= (z > low) & (z < high)
        for level in (low, high):
            p = origin + d * ((level - origin[2]) / d[..., 2])[..., None]
            inside |= np.hypot(p[..., 0], p[..., 1]) < r - .05
    return inside


def on_other_ground(photo, reference, tin):
    """The photograph as on the ground of another one, lit in the same way; `tin` is what stands on it."""
    h, w = photo.shape[:2]
    frame = np.zeros((h, w), bool)
    frame[:, : w // 8] = frame[:, -w // 12:] = frame[: h // 8] = frame[-h // 8:] = True
    frame &= ~tin
    eye = lambda img: np.log(np.maximum(cv2.GaussianBlur(img, (0, 0), .8), 2e-3))
    log, ref = eye(photo), eye(reference)
    hue = lambda l: np.stack([l[..., 0] - l[..., 1], l[..., 2] - l[..., 1]], -1)
    bright = log.mean(-1).astype(np.float64)
    fits = [np.polyfit(bright[frame], hue(log)[..., k][frame], 1) for k in range(2)]
    off = np.stack([hue(log)[..., k] - np.polyval(fits[k], bright) for k in range(2)], -1)
    spread = np.maximum(off[frame].std(0), .012)
    weight = np.exp(-np.maximum(np.sqrt(((off / spread) ** 2).sum(-1)) - 3.5, 0) ** 2 / 18)
    weight[tin] = 0
    weight = weight.astype(np.float32)
    # The rim of the tin is a mixture with the ground: it goes with the ground.
    rim = cv2.dilate(tin.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    ground = cv2.GaussianBlur((~cv2.dilate(tin.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)).astype(np.float32), (0, 0), .9)
    around = cv2.dilate(cv2.erode(weight, np.ones((3, 3), np.uint8)), np.ones((15, 15), np.uint8))
    weight = np.where(rim & ~tin, np.maximum(weight, around), weight)
    weight = (cv2.GaussianBlur(weight, (0, 0), .9) * ground)[..., None]
    shift = np.stack([np.polyval(np.polyfit(bright[frame], (ref - log)[..., k][frame], 1), bright) for k in range(3)], -1)
    # What stands on the ground has a little of its colour as well.
    near = np.where(tin, .5, 0).astype(np.float32)[..., None]
    tint = shift - shift.mean(-1, keepdims=True)
    return photo * np.exp(shift * weight + tint * near * (1 - weight))


def laid_under(part, light, a, u, seen, low, high, slug, spec):
    """The print of a tea under the light on its paper; `a` and `u` are centimetres across and up."""
    facts = lb.product_facts()[slug]
    width, height = 2 * seen, high - low
    lb.PAPER = spec['paper']
    board = lb.Board(width, height, spec['paper'], 240)
    k = min(1.0, height / (6.9 if spec.get('frame') else 6.3))
    margin = .10 if 'radius' not in spec else .42 if spec.get('frame') else .22
    wide = min(width - 2 * (.52 if spec.get('frame') else .16 if 'radius' not in spec else .35), 4.9)
    lb.panel(board, width / 2 - wide / 2, .34 * k + (.30 if spec.get('frame') else .06), wide, height - .62 * k - margin, facts, spec['accent'], SHOP, k)
    if spec.get('frame'):
        for inset, line in ((.14, .045), (.24, .016)):
            for box in ((inset, inset, width - inset, inset + line), (inset, height - inset - line, width - inset, height - inset),
                        (inset, inset, inset + line, height - inset), (width - inset - line, inset, width - inset, height - inset)):
                board.rect(*box, spec['accent'])
    ink = to_linear(np.asarray(board.image, dtype=np.float32) / 255) / colour(spec['paper'])
    rng = np.random.default_rng(len(slug))
    h, w = ink.shape[:2]
    grain = cv2.resize(rng.normal(0, 1, (h // 3, w // 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC) * .012
    grain += cv2.resize(rng.normal(0, 1, (h // 14, w // 14)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC) * .008
    ink = np.clip(ink * (1 + grain[..., None]), 0, 1.1).astype(np.float32)
    ink = cv2.GaussianBlur(ink, (0, 0), 1.6)
    mx = ((a + seen) * 240).astype(np.float32)
    my = ((high - u) * 240).astype(np.float32)
    laid = cv2.remap(ink, mx, my, cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(1, 1, 1))
    edge = np.clip((seen - np.abs(a)) / (.35 if 'radius' in spec and not spec.get('frame') else .05), 0, 1) * np.clip((u - low) / .06, 0, 1) * np.clip((high - u) / .06, 0, 1)
    edge = (edge * edge * (3 - 2 * edge))[..., None]
    return part * (1 - edge) + light * laid * edge


def press(slug, out):
    spec, shot = TINS[slug], json.load(open(os.path.join(HERE, 'press.json')))[slug]
    photo = cv2.imread(f'{PHOTOS}/{slug}.jpg').astype(np.float32)[..., ::-1] / 255
    if 'ground' in spec:
        size = photo.shape[0]
        other = cv2.imread(f"{PHOTOS}/{spec['ground']}.jpg").astype(np.float32)[..., ::-1] / 255
        tin = silhouette(*rays(shot['cam'], shot['lens'], size), *spec['tin'])
        photo = to_display(on_other_ground(to_linear(photo).astype(np.float32), to_linear(other).astype(np.float32), tin)).astype(np.float32)
    big = SIZE * 2
    img = to_linear(np.clip(cv2.resize(photo, (big, big), interpolation=cv2.INTER_LANCZOS4), 0, 1))
    origin, d = rays(shot['cam'], shot['lens'], big)
    z0, z1 = spec['z']
    half = (z1 - z0) / 2
    if 'radius' in spec:
        r = spec['radius']
        angle, height = on_cylinder(origin, d, r)
        towards = math.atan2(origin[0], -origin[1]) + spec.get('turn', math.radians(-3))
        across, up = (angle - towards) * r, height - (z0 + z1) / 2
        seen = 3.05
    else:
        size, width = spec['plane']
        m = np.linalg.inv(np.array(next(iter(shot['labels'].values()))))
        o = m[:3, :3] @ origin + m[:3, 3]
        dd = d @ m[:3, :3].T
        t = (-size / 2 - .03 - o[1]) / dd[..., 1]
        p = o + dd * t[..., None]
        across, up = p[..., 0], p[..., 2] - (z0 + z1) / 2
        seen = width / 2 - .34
    low = -half + (1.12 if spec.get('foot') else .36)
    high = half - .34
    inside = (np.abs(across) < seen + .4) & (up > -half) & (up < half) & ~np.isnan(across)
    if 'radius' not in spec:
        inside &= np.abs(across) < spec['plane'][1] / 2 - .22
    ys, xs = np.nonzero(inside)
    y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    part, a, u = img[y0:y1, x0:x1], np.nan_to_num(across[y0:y1, x0:x1], nan=99), np.nan_to_num(up[y0:y1, x0:x1], nan=99)
    # The old print stands around the front of the tin, which is turned from the camera.
    middle = (math.radians(8) - towards) * r if 'radius' in spec else 0
    here = (np.abs(a - middle) < 2.0) & (np.abs(u - (.22 if spec.get('foot') else 0)) < min(1.75, half - .5)) & (u > low + .03)
    light = without_print(part, rough_paper(part, a, u, half, seen), here)

    img[y0:y1, x0:x1] = laid_under(part, light, a, u, seen, low, high, slug, spec)
    small = cv2.resize(img.astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    result = to_display(small)
    result = result + .18 * (result - cv2.GaussianBlur(result.astype(np.float32), (0, 0), 1.0))
    cv2.imwrite(f'{out}/{slug}.png', (np.clip(result, 0, 1) * 65535 + .5).astype(np.uint16)[..., ::-1])
    print('pressed', slug)


# Photographs on a table, whose cameras are not known: where the paper lies was measured in them, in thousandths of the picture.
# Round: middle, half width, fall of the ellipse and height of the printed line, each at the upper and at the lower line, and what was
# printed (left, top, right, bottom). Square: the corners of the paper.
TABLES = {
    'dragon-well': dict(middle=(418.5, 421.5), half=(132, 127), fall=(34, 46), line=(500.6, 754), cm=3.74, hole=(380, 558, 488, 662)),
    'tieguanyin': dict(middle=(398.4, 402.5), half=(131.6, 124.9), fall=(38, 44), line=(517, 735.5), cm=3.29, hole=(342, 576, 480, 672)),
    'jasmine-pearls': dict(middle=(418.7, 421.9), half=(153.3, 147.6), fall=(43, 50), line=(538.6, 741), cm=2.79, hole=(362, 578, 510, 684)),
    'white-peony': dict(middle=(409.3, 412.4), half=(175.7, 170.7), fall=(44, 56), line=(543, 739), cm=2.49, hole=(374, 582, 486, 702)),
    'da-hong-pao': dict(middle=(409, 412.7), half=(132, 126.9), fall=(40, 46), line=(521.6, 741.5), cm=3.29, hole=(370, 580, 478, 686)),
    'keemun': dict(corners=((373.4, 530.5), (545.7, 500.6), (543.7, 714.4), (377.4, 749.7)), hole=(408, 574, 504, 676)),
    'lapsang': dict(corners=((351.6, 510), (544.4, 487.7), (541.6, 720.4), (356.4, 748.3)), hole=(400, 556, 498, 672)),
}


# The same in wide pictures with several tins, in pixels; `cover` is what stands before a label to the right of and below a point.
SCENES = {
    'banner-tins': {
        'dragon-well': dict(middle=(949.4, 948), half=(103.6, 101), fall=(20, 22), line=(537.4, 738.4), cm=3.74, hole=(932, 587, 1010, 663)),
        'keemun': dict(corners=((1191.6, 550.1), (1302.2, 537.4), (1299, 690.7), (1187.8, 707.8)), hole=(1214, 588, 1274, 657)),
        'tieguanyin': dict(middle=(1453.8, 1445), half=(105, 99), fall=(25, 27), line=(579.4, 757.4), cm=3.29, hole=(1411, 631, 1517, 703)),
        # In the shade, behind a cup: only its old print goes.
        'white-peony': dict(bare=(1640, 600, 1750, 688), hole=(1660, 617, 1736, 688)),
    },
    'banner-tins-upright': {
        'tieguanyin': dict(middle=(248.5, 251.5), half=(116, 113.5), fall=(23, 28), line=(1002.4, 1199.4), cm=3.29, hole=(201, 1055, 319, 1141)),
        'dragon-well': dict(middle=(612.4, 613), half=(109.4, 108.5), fall=(22, 25), line=(895.3, 1105), cm=3.74, hole=(577, 946, 666, 1026), cover=(667, 950)),
        'white-peony': dict(middle=(808.5, 806), half=(139.7, 134.4), fall=(33, 40), line=(1091.8, 1244.7), cm=2.49, hole=(760, 1123, 848, 1215)),
    },
}


def press_scene(name, tables, out, unit):
    """Prints on each tin of a photograph; `unit` is how many pixels the measures are apart."""
    done = cv2.imread(f'{PHOTOS}/{name}.jpg').astype(np.float32)[..., ::-1] / 255
    for slug, table in tables.items():
        done = press_measured(done, slug, table, unit)
    cv2.imwrite(f'{out}/{name}.png', (np.clip(done, 0, 1) * 65535 + .5).astype(np.uint16)[..., ::-1])
    print('pressed', name)


def press_measured(photo, slug, table, unit):
    spec = TINS[slug]
    if 'bare' in table:
        x0, y0, x1, y1 = table['bare']
        part = to_linear(cv2.resize(photo[y0:y1, x0:x1], None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)).astype(np.float32)
        y, x = np.mgrid[0:part.shape[0], 0:part.shape[1]] / 2
        hx0, hy0, hx1, hy1 = table['hole']
        clean = without_print(part, None, (x > hx0 - x0) & (x < hx1 - x0) & (y > hy0 - y0) & (y < hy1 - y0))
        photo[y0:y1, x0:x1] = to_display(cv2.resize(clean, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA))
        return photo
    if 'corners' in table:
        xs, ys = zip(*table['corners'])
    else:
        xs = (min(m - h for m, h in zip(table['middle'], table['half'])), max(m + h for m, h in zip(table['middle'], table['half'])))
        ys = (table['line'][0] - table['fall'][0], table['line'][1])
    left, right = int((min(xs) - 8) * unit), int((max(xs) + 8) * unit)
    top, bottom = int((min(ys) - 12) * unit), int((max(ys) + 12) * unit)
    crop = photo[top:bottom, left:right]
    part = to_linear(np.clip(cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), 0, 1)).astype(np.float32)
    y, x = np.mgrid[0:part.shape[0], 0:part.shape[1]].astype(np.float32)
    x, y = ((x + .5) / 2 + left) / unit, ((y + .5) / 2 + top) / unit
    if 'corners' in table:
        w, (z0, z1) = spec['plane'][1], spec['z']
        h = z1 - z0
        m = cv2.getPerspectiveTransform(np.float32(table['corners']), np.float32([(-w / 2, h / 2), (w / 2, h / 2), (w / 2, -h / 2), (-w / 2, -h / 2)]))
        p = np.stack([x, y, np.ones_like(x)], -1) @ m.T
        a, u = p[..., 0] / p[..., 2], p[..., 1] / p[..., 2]
        seen, low, high = w / 2 - .34, -h / 2 + .36, h / 2 - .34
    else:
        front = y.copy()
        (y0, y1) = table['line']
        for _ in range(4):
            t = (front - y0) / (y1 - y0)
            at = lambda pair: pair[0] + (pair[1] - pair[0]) * t
            sine = np.clip((x - at(table['middle'])) / at(table['half']), -1, 1)
            angle = np.arcsin(sine)
            front = y + at(table['fall']) * (1 - np.cos(angle))
        u = table['cm'] * (1 - 2 * (front - y0) / (y1 - y0))
        a = np.where(np.abs(sine) < .999, angle * spec['radius'], 99) + .05 * spec['radius']
        seen, high = 3.05, table['cm'] - .18
        low = -table['cm'] - .16 + (1.12 if spec.get('foot') else .36)
    hx0, hy0, hx1, hy1 = table['hole']
    light = without_print(part, None, (x > hx0) & (x < hx1) & (y > hy0) & (y < hy1))
    result = laid_under(part, light, a, u, seen, low, high, slug, spec)
    if 'cover' in table:
        behind = np.clip((table['cover'][0] - x) / 2 + (y < table['cover'][1]) * 99, 0, 1)[..., None]
        result = result * behind + part * (1 - behind)
    small = cv2.resize(result.astype(np.float32), (crop.shape[1], crop.shape[0]), interpolation=cv2.INTER_AREA)
    changed = cv2.resize((np.abs(result - part).max(-1) > 1e-4).astype(np.float32), (crop.shape[1], crop.shape[0]), interpolation=cv2.INTER_AREA)[..., None]
    done = photo.copy()
    done[top:bottom, left:right] = np.where(changed > 0, to_display(small), crop)
    return done


def press_table(slug, out):
    press_scene(f'{slug}-in-use', {slug: TABLES[slug]}, out, 1.6)


# Jars had no label at all: theirs is a piece of paper on the glass. Radius and the heights between which it lies, cm, and its width.
JARS = {
    'chamomile': dict(radius=4.2, z=(1.5, 6.7), width=4.7, paper='#efe6d2', accent='#b98624'),
    'osmanthus': dict(radius=3.9, z=(1.1, 6.3), width=4.6, paper='#efe6d2', accent='#b5651a'),
}


def press_jar(slug, out):
    """A label with a frame on the glass, in the light that falls on the label of the tin that gives the ground."""
    spec, cameras = JARS[slug], json.load(open(os.path.join(HERE, 'press.json')))
    shot, model = cameras[slug], cameras['dragon-well']
    photo, other = (cv2.imread(f'{PHOTOS}/{name}.jpg').astype(np.float32)[..., ::-1] / 255 for name in (slug, 'dragon-well'))
    other = cv2.resize(other, photo.shape[:2], interpolation=cv2.INTER_AREA)
    lit = to_linear(other).astype(np.float32)
    photo = to_display(on_other_ground(to_linear(photo).astype(np.float32), lit, np.zeros(photo.shape[:2], bool))).astype(np.float32)
    big = SIZE * 2
    img = to_linear(np.clip(cv2.resize(photo, (big, big), interpolation=cv2.INTER_LANCZOS4), 0, 1)).astype(np.float32)

    # the light on the tin's paper, by the angle from which it is seen
    tin = TINS['dragon-well']
    origin, d = rays(model['cam'], model['lens'], lit.shape[0])
    angle, height = on_cylinder(origin, d, tin['radius'])
    half = (tin['z'][1] - tin['z'][0]) / 2
    towards = math.atan2(origin[0], -origin[1])
    angles = np.linspace(-.95, .95, 96)
    fall = np.full((96, 3), np.nan)
    rows = (height - sum(tin['z']) / 2 > 1.7) & (height - sum(tin['z']) / 2 < half - .45)
    for i, at in enumerate(angles):
        m = rows & (np.abs(angle - towards - at) < .012)
        if m.sum() > 4:
            fall[i] = np.median(lit[m], 0)
    fall = np.stack([smooth(fall[:, k], 4) for k in range(3)], 1)

    origin, d = rays(shot['cam'], shot['lens'], big)
    angle, height = on_cylinder(origin, d, spec['radius'] + .02)
    turn = np.nan_to_num(angle - math.atan2(origin[0], -origin[1]), nan=99) + math.radians(3)
    z0, z1 = spec['z']
    a, u = turn * spec['radius'], np.nan_to_num(height - (z0 + z1) / 2, nan=99)
    light = np.stack([np.interp(turn - math.radians(3), angles, fall[:, k]) for k in range(3)], -1)
    light = (light * (.93 + .035 * np.clip(u / (z1 - z0) * 2, -1, 1))[..., None]).astype(np.float32)
    wide, high = spec['width'] / 2, (z1 - z0) / 2
    framed = dict(spec, frame=True)
    print_on = laid_under(light, light, a, u, wide, -high, high, slug, framed)
    mask = (np.clip((wide - np.abs(a)) / .02, 0, 1) * np.clip((high - np.abs(u)) / .02, 0, 1))[..., None].astype(np.float32)
    shade = cv2.GaussianBlur(np.roll(mask[..., 0], (5, 5), (0, 1)), (0, 0), 5)[..., None]
    img = img * (1 - .30 * shade * (1 - mask)) * (1 - mask) + print_on * mask
    small = to_display(cv2.resize(img.astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_AREA))
    small = small + .18 * (small - cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0))
    cv2.imwrite(f'{out}/{slug}.png', (np.clip(small, 0, 1) * 65535 + .5).astype(np.uint16)[..., ::-1])
    print('pressed', slug)


# On a table: as in TABLES, between the upper and the lower edge of the label.
JAR_TABLES = {
    'chamomile': dict(middle=(408, 412), half=(147, 142), fall=(43, 49), line=(523, 695)),
    'osmanthus': dict(middle=(396.5, 402), half=(144, 136), fall=(43, 49), line=(528, 708)),
}


def press_jar_table(slug, out):
    """In the light of the tin that stands on the same table."""
    spec, table, tin = JARS[slug], JAR_TABLES[slug], TABLES['dragon-well']
    model = cv2.imread(f'{PHOTOS}/dragon-well-in-use.jpg').astype(np.float32)[..., ::-1] / 255
    model = to_linear(cv2.resize(model, (1000, 1000), interpolation=cv2.INTER_AREA)).astype(np.float32)
    sines = np.linspace(-.9, .9, 91)
    fall = np.stack([np.median([model[int(y - tin['fall'][0] * (1 - math.sqrt(1 - q * q))), int(tin['middle'][0] + tin['half'][0] * q)]
                                for y in range(516, 544, 2)], 0) for q in sines])
    fall = np.stack([smooth(fall[:, k], 3) for k in range(3)], 1)
    photo = cv2.imread(f'{PHOTOS}/{slug}-in-use.jpg').astype(np.float32)[..., ::-1] / 255
    size = photo.shape[0]
    big = to_linear(np.clip(cv2.resize(photo, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), 0, 1)).astype(np.float32)
    y, x = np.mgrid[0:2 * size, 0:2 * size].astype(np.float32)
    x, y = (x + .5) * 500 / size, (y + .5) * 500 / size
    y0, y1 = table['line']
    front = y.copy()
    for _ in range(4):
        t = np.clip((front - y0) / (y1 - y0), -1, 2)
        at = lambda pair: pair[0] + (pair[1] - pair[0]) * t
        sine = np.clip((x - at(table['middle'])) / at(table['half']), -1, 1)
        angle = np.arcsin(sine)
        front = y + at(table['fall']) * (1 - np.cos(angle))
    high = (spec['z'][1] - spec['z'][0]) / 2
    wide = spec['width'] / 2
    u = high * (1 - 2 * (front - y0) / (y1 - y0))
    a = np.where(np.abs(sine) < .98, angle * spec['radius'], 99) + .05 * spec['radius']
    light = np.stack([np.interp(sine, sines, fall[:, k]) for k in range(3)], -1)
    light = (light * (.90 + .05 * np.clip(u / high, -1, 1))[..., None]).astype(np.float32)
    print_on = laid_under(light, light, a, u, wide, -high, high, slug, dict(spec, frame=True))
    mask = (np.clip((wide - np.abs(a)) / .03, 0, 1) * np.clip((high - np.abs(u)) / .03, 0, 1))[..., None].astype(np.float32)
    shade = cv2.GaussianBlur(np.roll(mask[..., 0], (5, 7), (0, 1)), (0, 0), 6)[..., None]
    done = big * (1 - .35 * shade * (1 - mask)) * (1 - mask) + print_on * mask
    small = to_display(cv2.resize(done.astype(np.float32), (size, size), interpolation=cv2.INTER_AREA))
    cv2.imwrite(f'{out}/{slug}-in-use.png', (np.clip(small, 0, 1) * 65535 + .5).astype(np.uint16)[..., ::-1])
    print('pressed', slug, 'on its table')


def write_labels():
    """What the tins say, which a test compares with the products: a tin cannot contradict its page."""
    facts = lb.product_facts()
    with open(os.path.join(HERE, '..', 'data', 'labels.json'), 'w', encoding='utf8') as file:
        json.dump({slug: facts[slug] for slug in [*TINS, *JARS]}, file, ensure_ascii=False, indent=2)
        file.write('\n')


if __name__ == '__main__':
    lb.cut_fonts()
    names = sys.argv[3:] or [*TINS, *JARS, *SCENES]
    for name in names:
        if name in SCENES:
            press_scene(name, SCENES[name], sys.argv[2], 1)
        elif name in JARS:
            press_jar(name, sys.argv[2])
            press_jar_table(name, sys.argv[2])
        else:
            press(name, sys.argv[2])
            press_table(name, sys.argv[2])
    write_labels()
