"""The darkroom: clean the noise, sharpen a little, write a web-sized JPEG.

The noise filter is an edge-avoiding a-trous filter (Dammertz et al. 2010): wide steps of a
5 x 5 kernel whose weights drop where colour, albedo or surface direction change, so that
speckles, weaves and edges stay while grain on smooth surfaces goes.
"""
import glob
import io
import math
import os

os.environ['OPENCV_IO_ENABLE_OPENEXR'] = '1'
import cv2  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

KERNEL = (1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16)


# per pass: blur before colours are compared, and tolerance in units of the local grain
PASSES = ((2.2, 5.0), (1.6, 4.0), (1.2, 3.2), (1.0, 2.6), (1.0, 2.0))


def denoise(color, guides, flat=None):
    """color: float32 image; guides: [(image, sigma)], images that are (almost) free of noise;
    flat: 1 on plane surfaces (paper, table), where only soft shadows have to be kept."""
    h, w = color.shape[:2]
    out = color
    # local grain level, from what a small blur takes away
    grain = np.sqrt(cv2.GaussianBlur(((color - cv2.GaussianBlur(color, (0, 0), .9)) ** 2).mean(2), (0, 0), 8))
    fixed = [guide / (s * math.sqrt(2)) for guide, s in guides]
    for p, (blur, tolerance) in enumerate(PASSES):
        step = 2 ** p
        pad = 2 * step
        sigma = np.clip(grain * tolerance, .008, .08)
        if flat is not None:
            sigma = sigma * (1 + 1.6 * flat)
        scale = 1 / (2 * sigma * sigma)
        soft = cv2.GaussianBlur(out, (0, 0), blur)
        big = cv2.copyMakeBorder(out, pad, pad, pad, pad, cv2.BORDER_REFLECT)
        split = [[cv2.copyMakeBorder(np.ascontiguousarray(img[..., k]), pad, pad, pad, pad, cv2.BORDER_REFLECT)
                  for img in images for k in range(img.shape[2])] for images in ([soft], fixed)]
        total = np.zeros_like(out)
        weight = np.zeros((h, w), np.float32)
        for i, ky in enumerate(KERNEL):
            for j, kx in enumerate(KERNEL):
                y, x = i * step, j * step
                d = np.zeros((h, w), np.float32)
                for planes in split:
                    for plane in planes:
                        diff = plane[y:y + h, x:x + w] - plane[pad:pad + h, pad:pad + w]
                        d += diff * diff
                    if planes is split[0]:
                        d *= scale
                tap = cv2.exp(-np.maximum(d - .15, 0)) * np.float32(kx * ky)
                total += big[y:y + h, x:x + w] * tap[..., None]
                weight += tap
        out = total / weight[..., None]
    return out


def flatness(normal):
    mean = cv2.GaussianBlur(normal, (0, 0), 7)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(normal ** 2, (0, 0), 7) - mean ** 2, 0).sum(2))
    return np.clip(1.25 - spread / .016, 0, 1)


def load_guide(path, suffix):
    found = sorted(glob.glob(path.replace('.png', '') + '.' + suffix + '.*.exr'))
    if not found:
        return None
    img = cv2.imread(found[-1], cv2.IMREAD_UNCHANGED)
    return None if img is None else np.nan_to_num(img[..., :3].astype(np.float32))


def clean_light(path, strength=1.0):
    """The picture in linear light without noise.

    Only the light is filtered: the colours of things (print, wood, weave) are divided out before and multiplied in after, so that
    they stay as sharp as they were sampled. Light is compared on a logarithmic scale.
    """
    color, albedo, normal = (load_guide(path, name) for name in ('color', 'albedo', 'normal'))
    base = np.clip(albedo, 0, 1) + .06
    light = np.log1p(np.clip(color, 0, 60) / base * 6) / 4
    guides = [(np.sqrt(np.clip(albedo, 0, 1)), .06), (cv2.GaussianBlur(normal, (0, 0), .5), .14)]
    clean = denoise(light, guides, flatness(normal))
    mixed = strength * clean + (1 - strength) * light
    return np.expm1(mixed * 4) / 6 * base


def finish(png, target, size, quality=90, limit=260_000):
    """Sharpens a little what was developed at 16 bits, and writes the JPEG."""
    out = cv2.imread(png, cv2.IMREAD_UNCHANGED).astype(np.float32) / 65535.0
    if (out.shape[1], out.shape[0]) != size:
        out = cv2.resize(out, size, interpolation=cv2.INTER_AREA)
    out = out + .30 * (out - cv2.GaussianBlur(out, (0, 0), .9))
    dither = np.random.default_rng(1).normal(0, .0022, out.shape[:2])[..., None]   # no banding in the paper
    data = (np.clip(out + dither, 0, 1) * 255 + .5).astype(np.uint8)[..., ::-1]
    picture = Image.fromarray(data)
    while True:
        buf = io.BytesIO()
        picture.save(buf, 'JPEG', quality=quality, optimize=True, progressive=True, subsampling=1 if quality < 88 else 0)
        if buf.tell() < limit or quality <= 70:
            break
        quality -= 3
    temp = target + '.part'
    with open(temp, 'wb') as f:
        f.write(buf.getvalue())
    os.replace(temp, target)
