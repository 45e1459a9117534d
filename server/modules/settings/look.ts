/** The look of the shop: what a setting means that leaves something out, what cannot be read, and the tokens that it writes. */
import Value from 'typebox/value';
import { type Problem, problem } from '#contract/problems.ts';
import {
  areColours,
  fixedColours,
  isColour,
  isDarkPage,
  type LookColours,
  type lookFonts,
  lookRoles,
  lookTokens,
  nightOf,
  schemeOf,
  shownRatio,
  weakestOf,
} from '#contract/rules/look.ts';
import { type Edit, edited } from '#contract/rules/patch.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { LookDocument } from '#contract/schemas/look.ts';
import { brandTokens } from '#server/platform/brand-tokens.ts';
import type { ShopSettings } from './settings.schema.ts';

type OfLook = Pick<ShopSettings, 'look'>;

export function lookOf({ look }: OfLook): LookDocument {
  const { colours = null, night = true, nightColours = null } = look;
  const { corners = null, density = null, cards = null, fonts = null } = look;
  const { logo = null, nightLogo = null, logoText = null, icon = null } = look;
  return {
    id: 'shop',
    colours,
    night,
    nightColours,
    corners,
    density,
    cards,
    fonts,
    logo,
    nightLogo,
    logoText,
    icon,
  };
}

/** The setting after edits of its document, as far as they could be shown; null if there is no such document. */
export function lookDraft(settings: OfLook, id: string, edits: readonly Edit[]): OfLook | null {
  const stored = lookOf(settings);
  if (id !== stored.id) return null;
  const draft = edited(stored, edits) as Record<string, unknown>;
  const delivered = deliveredColours();
  const whole = {
    ...draft,
    colours: typedColours(draft.colours, stored.colours ?? delivered.day),
    nightColours: typedColours(draft.nightColours, stored.nightColours ?? delivered.night),
  };
  const fields = LookDocument.properties;
  const shown = Object.entries(whole).filter(
    ([name, value]) => Object.hasOwn(fields, name) && Value.Check(fields[name as keyof typeof fields], value),
  );
  return { look: { ...withoutId(stored), ...Object.fromEntries(shown) } };
}

/** A colour that is still being typed is drawn as it was. */
function typedColours(draft: unknown, before: LookColours): unknown {
  if (typeof draft !== 'object' || draft === null) return draft;
  const typed = draft as LookColours;
  return Object.fromEntries(
    lookRoles.map((role) => [role, isColour(typed[role]) ? typed[role] : before[role]]),
  );
}

export const withoutId = ({ id, ...look }: LookDocument) => look;

/** Text that cannot be read, at the colour that is to be changed. */
export function lookProblems({ colours = null, nightColours = null }: OfLook['look']): Problem[] {
  return Object.entries({ colours, nightColours }).flatMap(([field, each]) => {
    if (!each || !areColours(each)) return [];
    return (['ink', 'action', 'sale'] as const).flatMap((role) => {
      const weak = weakestOf(each, role);
      if (!weak) return [];
      return problem([field, role], 'problem.look.contrast', {
        ratio: shownRatio(weak.ratio),
        least: weak.least,
      });
    });
  });
}

/** What is delivered, as the four colours of which it consists. */
export function deliveredColours(): { day: LookColours; night: LookColours } {
  const { light, dark } = brandTokens.colours;
  const four = (colours: ReadonlyMap<string, string>) => {
    const of = (token: string) => colours.get(token) ?? '#000000';
    return { paper: of('paper'), ink: of('ink'), action: of('action'), sale: of('clay') };
  };
  return { day: four(light), night: four(dark) };
}

/** Whether it shows other colours than those that are delivered. */
export const hasOwnColours = ({ look }: OfLook) =>
  Boolean(look.colours || look.nightColours) || look.night === false;

/** The colours of both schemes by their tokens, which are the same where the shop has no night. */
export function lookColours(settings: OfLook): {
  light: ReadonlyMap<string, string>;
  dark: ReadonlyMap<string, string>;
} {
  const { colours, night, nightColours } = lookOf(settings);
  const { light: given, dark } = brandTokens.colours;
  const light = colours
    ? new Map([...given, ...Object.entries({ ...schemeOf(colours), ...fixedColours(colours) })])
    : given;
  if (!night) return { light, dark: light };
  const typed = nightColours ?? (colours && nightOf(colours));
  if (!typed) return { light, dark };
  const day = colours ?? deliveredColours().day;
  return { light, dark: new Map([...dark, ...light, ...Object.entries(schemeOf(typed, day))]) };
}

const corners = { square: [0, 0, 0], soft: [2, 4, 8], round: [12, 14, 24] } as const;
const sections = {
  compact: 'clamp(2.25rem,1.6rem + 2.6vw,4.5rem)',
  usual: 'clamp(3.5rem,2.4rem + 4.6vw,7rem)',
  airy: 'clamp(4.5rem,3rem + 6vw,9.5rem)',
} as const;

/** Outside of the layers of the style sheet, and so stronger. */
const cards = {
  plain: '.product-card{border:0;padding:0;background:none}',
  tall: '.product-card-picture>.picture{aspect-ratio:4/5}',
  framed:
    '.product-card{border:1px solid var(--color-line);border-radius:var(--radius-md);padding:.75rem;background:var(--color-raised)}',
} as const;

/** Of each pair the headings and the text; the Chinese ones come first in Chinese, since their quotes and dashes are wider. */
const book = '"Iowan Old Style",Palatino,"Palatino Linotype","URW Palladio L"';
const letter = 'Georgia,"Times New Roman","Liberation Serif"';
const song = '"Songti SC","Noto Serif CJK SC","Noto Serif SC",SimSun,serif';
const kai = `"Kaiti SC",STKaiti,KaiTi,"AR PL UKai CN",${song}`;
const device =
  'system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Noto Sans CJK SC","Noto Sans SC","Microsoft YaHei",sans-serif';
const textFace = 'var(--font-sans)';
type Faces = readonly [headings: string, text: string | null];
const fonts: Readonly<Record<(typeof lookFonts)[number], { all: Faces; zh?: Faces }>> = {
  plain: { all: [textFace, null] },
  book: { all: [`${book},${song}`, null], zh: [song, null] },
  letter: { all: [`${letter},${song}`, `${letter},${song}`], zh: [song, song] },
  brush: { all: [`${book},${kai}`, null], zh: [kai, null] },
  system: { all: [textFace, device] },
};
const facesOf = ([headings, text]: Faces) => [
  `--font-serif:${headings}`,
  ...(text === null ? [] : [`--font-sans:${text}`]),
];

/** Fonts of the build that a page with this look never shows, by how their files are named: `fraunces`. */
export function unusedFonts(settings: OfLook): readonly string[] {
  const { fonts: pair } = lookOf(settings);
  if (pair === null) return [];
  const { serif, sans } = brandTokens.fonts;
  return [serif, ...(fonts[pair].all[1] === null ? [] : [sans])].filter(Boolean);
}

const styles = new WeakMap<OfLook['look'], string>();

/** The style of every page; empty where nothing differs from what is delivered. */
export function lookStyle(settings: OfLook): string {
  const known = styles.get(settings.look);
  if (known !== undefined) return known;
  const made = madeStyle(settings);
  styles.set(settings.look, made);
  return made;
}

/** What it changes of every page. */
export const pageStyle = (settings: OfLook) => ({
  css: lookStyle(settings),
  unusedFonts: unusedFonts(settings),
});

/** Twice the root: stronger than the brand's own style, in whatever order they come. */
const block = (declarations: readonly string[]) =>
  declarations.length > 0 ? `:root:root{${declarations.join(';')}}` : '';
const colour = ([token, value]: readonly [string, string]) => `--color-${token}:${value}`;

function madeStyle(settings: OfLook): string {
  const look = lookOf(settings);
  const { light, dark } = lookColours(settings);
  const { colours: given, depths } = brandTokens;
  const isOne = !look.night || lookTokens.every((token) => light.get(token) === dark.get(token));
  const isNew = ([token, value]: readonly [string, string]) =>
    given.light.get(token) !== value || (isOne && given.dark.get(token) !== value);
  const page = { paper: light.get('paper') ?? '', ink: light.get('ink') ?? '' };
  const scheme = isDarkPage(page) ? 'dark' : 'light';
  const day = [
    ...[...light].filter(isNew).map(colour),
    ...(isOne
      ? [
          ...Object.entries(depths[scheme]).map(([name, value]) => `${name}:${value}`),
          '--picture-filter:none',
          `color-scheme:${scheme}`,
        ]
      : []),
    ...(look.corners
      ? ['sm', 'md', 'lg'].map((name, at) => `--radius-${name}:${corners[look.corners ?? 'soft'][at]}px`)
      : []),
    ...(look.fonts ? facesOf(fonts[look.fonts].all) : []),
    ...(look.density ? [`--spacing-section:${sections[look.density]}`] : []),
  ];
  // By night what the day sets counts too, as it is stronger than the brand's night.
  const night = isOne
    ? []
    : [...dark].filter(
        ([token, value]) =>
          (isNew([token, light.get(token) ?? '']) ? light.get(token) : given.dark.get(token)) !== value,
      );
  const chinese = (look.fonts && fonts[look.fonts].zh) ?? null;
  const zh = chinese ? `:root:root:lang(zh){${facesOf(chinese).join(';')}}` : '';
  const card = look.cards ? cards[look.cards] : '';
  return (
    block(day) +
    zh +
    card +
    (night.length > 0 ? `@media (prefers-color-scheme:dark){${block(night.map(colour))}}` : '')
  );
}

/** Displayed px at most. */
const logoBox = { width: 200, height: 40 };

export interface LookPicture {
  file: string;
  form: 'logo' | 'small' | 'touch' | 'app' | 'card';
  /** Px. Of a logo, those of the file are twice those of the page. */
  width: number;
  height: number;
  /** Behind it, `#rrggbb`. */
  paper: string;
}

/** What is made of the logo and the icon, by the address at which it is served: another picture has another one. */
export interface LookPictures {
  logo: { day: string; night: string | null; width: number; height: number } | null;
  icons: { small: string; touch: string; app192: string; app512: string } | null;
  card: string | null;
  all: ReadonlyMap<string, LookPicture>;
}

const endings: Readonly<Record<LookPicture['form'], string>> = {
  logo: 'webp',
  small: 'png',
  touch: 'png',
  app: 'png',
  card: 'jpg',
};
export const cardSize = { width: 1200, height: 630 };

/** `images` are those of its files, as far as they are there. */
export function lookPicturesOf(settings: OfLook, images: ReadonlyMap<string, ImageInfo>): LookPictures {
  const { logo, nightLogo, icon, night: hasNight } = lookOf(settings);
  const paper = lookColours(settings).light.get('paper') ?? '#ffffff';
  const all = new Map<string, LookPicture>();
  const add = (
    file: string,
    form: LookPicture['form'],
    { width, height }: { width: number; height: number },
  ) => {
    const name = images.get(file)?.imageURL.split('/').at(-1) ?? '';
    // A logo has no paper.
    const behind = form === 'logo' ? '' : `-${paper.slice(1)}`;
    const address = `/media/look/${form}-${width}x${height}${behind}/${name}.${endings[form]}`;
    all.set(address, { file, form, width, height, paper });
    return address;
  };
  const known = (file: string | null) => (file !== null && images.has(file) ? file : null);
  const [day, night] = [known(logo), hasNight ? known(nightLogo) : null];
  const sizeOf = (file: string) => {
    const { width = 1, height = 1 } = images.get(file) ?? {};
    const scale = Math.min(logoBox.width / width, logoBox.height / height, 1);
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  };
  const square = (px: number) => ({ width: px, height: px });
  const iconFile = known(icon) ?? day;
  return {
    logo:
      day === null
        ? null
        : {
            day: add(day, 'logo', sizeOf(day)),
            night: night && add(night, 'logo', sizeOf(night)),
            ...sizeOf(day),
          },
    icons:
      iconFile === null
        ? null
        : {
            small: add(iconFile, 'small', square(32)),
            touch: add(iconFile, 'touch', square(180)),
            app192: add(iconFile, 'app', square(192)),
            app512: add(iconFile, 'app', square(512)),
          },
    card: day === null ? null : add(day, 'card', cardSize),
    all,
  };
}

export const lookFiles = (settings: OfLook): string[] => {
  const { logo, nightLogo, icon } = lookOf(settings);
  return [logo, nightLogo, icon].filter((file) => file !== null);
};
