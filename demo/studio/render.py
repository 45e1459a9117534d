"""Take the pictures:  blender -b -noaudio -P render.py -- [options] SLUG... | --all

  --preview        quick small PNGs in the temporary folder's render/preview instead of finals
  --force          also render pictures that exist already
  --out DIR        folder of the finals (default: ../photos)
  --samples N      samples per pixel at most   --size N   rendered height of a square picture
  --threads N      processor threads (default 1)
"""
import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import bpy  # noqa: E402,F401

import catalogue  # noqa: E402
import develop  # noqa: E402
import studio  # noqa: E402

TEMP = os.path.join(tempfile.gettempdir(), 'render')
WORK = os.path.join(TEMP, 'work')
PREVIEW = os.path.join(TEMP, 'preview')


def picture_size(slug, size):
    """Rendered and final pixel size."""
    wide = {'banner-': (32, 15), 'post-': (16, 9), 'store-': (4, 3), 'work-': (4, 3)}
    for start, (w, h) in wide.items():
        if slug.startswith(start):
            # `size` is the edge of a square with as many pixels.
            k = size / (w * h) ** .5
            w, h = round(w * k), round(h * k)
            return (w, h), (w, h)
    return (size, size), (size, size)


def take(slug, args):
    build, value, shot = catalogue.SCENES[slug]
    started = time.time()
    studio.reset()
    extra = build(value) if value is not None else build()
    shot = {**shot, **(extra or {})}
    if args.preview:
        w, h = picture_size(slug, args.size or 250)[0]
        path = f'{PREVIEW}/{slug}.png'
        studio.shoot(path, size=(w, h), samples=args.samples or 24, noise=.1, threads=args.threads, preview=True, **{k: v for k, v in shot.items() if k not in ('samples', 'noise')})
    else:
        (w, h), final = picture_size(slug, args.size or 1280)
        path = f'{WORK}/{slug}.png'
        if args.samples:
            shot['samples'] = args.samples
        studio.shoot(path, size=(w, h), threads=args.threads, **shot)
        rendered = time.time() - started
        studio.view_of(develop.clean_light(path), path)
        develop.finish(path, f'{args.out}/{slug}.jpg', final)
        print(f'TIME {slug} render {rendered:.0f} s, develop {time.time() - started - rendered:.0f} s', flush=True)
        return
    print(f'TIME {slug} {time.time() - started:.0f} s', flush=True)


def copy_hero(slug, out):
    """The default colour looks like the hero picture: copy that instead of rendering it twice."""
    hero, _, option = slug.partition('--')
    source = f'{out}/{hero}.jpg'
    if not option or catalogue.SCENES[hero][1] != catalogue.SCENES[slug][1] or not os.path.exists(source):
        return False
    shutil.copyfile(source, f'{out}/{slug}.part')
    os.replace(f'{out}/{slug}.part', f'{out}/{slug}.jpg')
    print(f'COPIED {slug}', flush=True)
    return True


def main():
    argv = sys.argv[sys.argv.index('--') + 1:] if '--' in sys.argv else []
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument('slugs', nargs='*')
    ap.add_argument('--all', action='store_true')
    ap.add_argument('--preview', action='store_true')
    ap.add_argument('--force', action='store_true')
    ap.add_argument('--out', default=os.path.join(HERE, '..', 'photos'))
    ap.add_argument('--samples', type=int)
    ap.add_argument('--size', type=int)
    ap.add_argument('--threads', type=int, default=1)
    args = ap.parse_args(argv)
    args.out = os.path.abspath(args.out)
    for folder in (WORK, PREVIEW, args.out):
        os.makedirs(folder, exist_ok=True)
    slugs = list(catalogue.SCENES) if args.all else args.slugs
    for slug in slugs:
        if slug not in catalogue.SCENES:
            print('UNKNOWN', slug)
            continue
        if not args.preview and not args.force and os.path.exists(f'{args.out}/{slug}.jpg'):
            continue
        try:
            if not args.preview and copy_hero(slug, args.out):
                continue
            take(slug, args)
        except Exception:
            print('FAILED', slug)
            traceback.print_exc()


main()
