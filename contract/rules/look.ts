/** What a shop looks like: the colours that follow from four, and what of them can be read. Server and office judge by it. */

/** That an owner chooses, as `#rrggbb`: of the page, of its text, of links and buttons, of reduced prices and errors. */
export const lookRoles = ['paper', 'ink', 'action', 'sale'] as const;
export type LookRole = (typeof lookRoles)[number];
export type LookColours = Readonly<Record<LookRole, string>>;

export const lookCorners = ['square', 'soft', 'round'] as const;
export const lookDensities = ['compact', 'usual', 'airy'] as const;
export const lookCards = ['plain', 'tall', 'framed'] as const;
/** Pairs of fonts for headings and text, each with Chinese ones. All of them are the brand's own, or are on the devices. */
export const lookFonts = ['plain', 'book', 'letter', 'brush', 'system'] as const;

/** Names of the tokens, as in `--color-ink-soft`. */
export const lookTokens = [
  'paper',
  'surface-inset',
  'raised',
  'ink',
  'ink-soft',
  'line',
  'edge',
  'action',
  'action-strong',
  'action-tint',
  'on-action',
  'clay',
  'clay-tint',
  'on-clay',
  'focus',
  'band',
] as const;
/** The same by day and by night. */
export const fixedTokens = ['on-band', 'photo-ink', 'photo-paper', 'photo-clay', 'on-photo-clay'] as const;
export type LookToken = (typeof lookTokens)[number];
export type FixedToken = (typeof fixedTokens)[number];
/** Of text, or of what it stands on. */
type PairToken = Exclude<LookToken, 'line' | 'band'>;
export type Scheme = Readonly<Record<LookToken, string>>;

/**
 * Every text of the storefront with what it stands on, as the "pair:" lines of `web/styles/tokens.css` say, and which of the four
 * colours is to be changed if it cannot be read. WCAG 2.2 AA: 4.5 for text, 3 for edges of controls.
 */
export const lookPairs: readonly {
  text: PairToken;
  on: readonly PairToken[];
  least: number;
  role: LookRole;
}[] = [
  {
    text: 'ink',
    on: ['paper', 'surface-inset', 'raised', 'action-tint', 'clay-tint'],
    least: 4.5,
    role: 'ink',
  },
  { text: 'ink-soft', on: ['paper', 'surface-inset', 'raised', 'action-tint'], least: 4.5, role: 'ink' },
  { text: 'edge', on: ['paper', 'surface-inset', 'raised'], least: 3, role: 'ink' },
  { text: 'action', on: ['paper', 'surface-inset', 'raised', 'action-tint'], least: 4.5, role: 'action' },
  { text: 'action-strong', on: ['paper', 'action-tint'], least: 4.5, role: 'action' },
  { text: 'on-action', on: ['action', 'action-strong'], least: 4.5, role: 'action' },
  { text: 'focus', on: ['paper', 'surface-inset', 'raised'], least: 3, role: 'action' },
  { text: 'clay', on: ['paper', 'surface-inset', 'raised', 'clay-tint'], least: 4.5, role: 'sale' },
  { text: 'on-clay', on: ['clay'], least: 4.5, role: 'sale' },
];

type Triple = [number, number, number];

/** `#rrggbb`, in any case. */
export const colourPattern = '^#[0-9A-Fa-f]{6}$';
export const isColour = (text: unknown) => typeof text === 'string' && new RegExp(colourPattern).test(text);

const channels = (hex: string): Triple =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Triple;
const hexOf = (rgb: Triple) =>
  `#${rgb
    .map((each) =>
      Math.round(Math.min(255, Math.max(0, each)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance(hex: string): number {
  const [red, green, blue] = channels(hex).map((each) => linear(each / 255)) as Triple;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ratio of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Of a ratio, such as `4.4`: never rounded up to what it does not reach. */
export const shownRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);

/** Lightness 0 to 1, chroma, hue in radians: https://bottosson.github.io/posts/oklab/ */
function oklch(hex: string): Triple {
  const [red, green, blue] = channels(hex).map((each) => linear(each / 255)) as Triple;
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return [lightness, Math.hypot(a, b), Math.atan2(b, a)];
}

/** With less chroma where a screen has none of it. */
function fromOklch([lightness, chroma, hue]: Triple): string {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb: Triple = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  const fits = rgb.every((each) => each >= -0.0005 && each <= 1.0005);
  if (!fits && chroma > 0.002) return fromOklch([lightness, chroma - 0.002, hue]);
  return hexOf(rgb.map((each) => encoded(Math.min(1, Math.max(0, each))) * 255) as Triple);
}

const lightened = (hex: string, by: number) => {
  const [lightness, chroma, hue] = oklch(hex);
  return fromOklch([Math.min(1, Math.max(0, lightness + by)), chroma, hue]);
};

/** `share` of the other colour. */
const mixed = (hex: string, other: string, share: number) => {
  const to = channels(other);
  return hexOf(channels(hex).map((each, at) => each + ((to[at] ?? 0) - each) * share) as Triple);
};

/** The first of `shares`, with which all these pairs can be told apart; else the last. */
function firstShare(
  shares: readonly number[],
  make: (share: number) => string,
  passes: (made: string) => boolean,
): string {
  const made = shares.map(make);
  return made.find(passes) ?? made.at(-1) ?? '#000000';
}

const from = (start: number, end: number, steps = 12) =>
  Array.from({ length: steps + 1 }, (_, at) => start + ((end - start) * at) / steps);

const text = 4.5;
const readable = (one: string, on: readonly string[], least = text) =>
  on.every((each) => contrast(one, each) >= least);

export const isDarkPage = ({ paper, ink }: Pick<LookColours, 'paper' | 'ink'>) =>
  luminance(paper) < luminance(ink);

/** The first that can be read on all of `on`; else black or white, of which one always can be on one colour. */
function textOn(on: readonly string[], choices: readonly string[]): string {
  const all = [...choices, '#ffffff', '#000000'];
  const best = (each: string) => Math.min(...on.map((other) => contrast(each, other)));
  return (
    all.find((each) => readable(each, on)) ??
    all.reduce((one, other) => (best(other) > best(one) ? other : one))
  );
}

/** All colours of a scheme. What follows from the four is as strong as it can be read. */
export function schemeOf(colours: LookColours, day: LookColours = colours): Scheme {
  const [paper, ink, action, clay] = lookRoles.map((role) => colours[role].toLowerCase()) as [
    string,
    string,
    string,
    string,
  ];
  const isDark = isDarkPage(colours);
  const inset = mixed(paper, ink, isDark ? 0.042 : 0.05);
  const raised = isDark ? mixed(paper, ink, 0.075) : mixed(paper, '#ffffff', 0.7);
  const surfaces = [paper, inset, raised];
  const onThese = [raised, paper, ink];
  const tintOf = (colour: string) =>
    firstShare(
      from(isDark ? 0.16 : 0.13, 0),
      (share) => mixed(paper, colour, share),
      (tint) => readable(colour, [tint]) && readable(ink, [tint]),
    );
  const tint = tintOf(action);
  // Away from the page, on which it is then still readable.
  const strong = lightened(action, isDark ? 0.07 : -0.09);
  const scheme = {
    paper,
    'surface-inset': inset,
    raised,
    ink,
    'ink-soft': firstShare(
      from(0.36, 0),
      (share) => mixed(ink, paper, share),
      (soft) => readable(soft, [...surfaces, tint]),
    ),
    line: mixed(paper, ink, isDark ? 0.15 : 0.12),
    edge: firstShare(
      from(0.42, 1),
      (share) => mixed(paper, ink, share),
      (edge) => readable(edge, surfaces, 3),
    ),
    action,
    'action-strong': strong,
    'action-tint': tint,
    'on-action': textOn([action, strong], onThese),
    clay,
    'clay-tint': tintOf(clay),
    'on-clay': textOn([clay], onThese),
    focus: action,
  };
  return { ...scheme, band: bandOf(day, isDark) };
}

const bandText = 7;
const onBand = (day: LookColours) => lightestOf(day.paper.toLowerCase(), day.ink.toLowerCase());
const lightestOf = (one: string, other: string) => {
  const light = luminance(one) > luminance(other) ? one : other;
  return luminance(light) > 0.7 ? light : '#ffffff';
};

/** A deep tone of the colour of action. */
function bandOf(day: LookColours, isDark: boolean): string {
  const [, chroma, hue] = oklch(day.action);
  return firstShare(
    from(isDark ? 0.32 : 0.37, 0.1),
    (lightness) => fromOklch([lightness, Math.min(chroma, 0.09), hue]),
    (band) => contrast(band, onBand(day)) >= bandText,
  );
}

/** On photos and bands, which are the same by day and by night. */
export function fixedColours(day: LookColours): Readonly<Record<FixedToken, string>> {
  const [paper, ink, sale] = [day.paper.toLowerCase(), day.ink.toLowerCase(), day.sale.toLowerCase()];
  const isDark = isDarkPage(day);
  return {
    'on-band': onBand(day),
    'photo-ink': isDark ? paper : ink,
    'photo-paper': isDark ? ink : paper,
    'photo-clay': sale,
    'on-photo-clay': schemeOf(day)['on-clay'],
  };
}

export interface PairContrast {
  text: PairToken;
  on: PairToken;
  role: LookRole;
  least: number;
  ratio: number;
}

/** Every pair that the storefront shows with these colours. */
export function contrastsOf(colours: LookColours): PairContrast[] {
  const scheme = schemeOf(colours);
  return lookPairs.flatMap(({ text: name, on, least, role }) =>
    on.map((each) => ({ text: name, on: each, role, least, ratio: contrast(scheme[name], scheme[each]) })),
  );
}

/** The pair of this colour that is the hardest to read; null if all of them can be read. */
export function weakestOf(colours: LookColours, role: LookRole): PairContrast | null {
  const weak = contrastsOf(colours).filter((each) => each.role === role && each.ratio < each.least);
  return weak.reduce<PairContrast | null>(
    (one, each) => (one && one.ratio / one.least <= each.ratio / each.least ? one : each),
    null,
  );
}

/** The same colours with this one as little darker or lighter as makes it readable; null if it cannot be. */
export function mended(colours: LookColours, role: Exclude<LookRole, 'paper'>): LookColours | null {
  const away = isDarkPage(colours) ? 1 : -1;
  const steps = 100;
  for (let step = 0; step <= steps; step += 1) {
    const next = { ...colours, [role]: lightened(colours[role], (away * step) / steps) };
    if (!weakestOf(next, role)) return step === 0 ? colours : next;
  }
  return null;
}

/** What the day becomes by night, readable. A page that is dark by day stays as it is. */
export function nightOf(day: LookColours): LookColours {
  if (isDarkPage(day)) return day;
  const tuned = (hex: string, lightness: number, most: number) => {
    const [, chroma, hue] = oklch(hex);
    return fromOklch([lightness, Math.min(chroma, most), hue]);
  };
  const night = {
    paper: tuned(day.paper, 0.21, 0.018),
    ink: tuned(day.paper, 0.945, 0.015),
    action: tuned(day.action, 0.82, 0.1),
    sale: tuned(day.sale, 0.79, 0.11),
  };
  const roles = ['ink', 'action', 'sale'] as const;
  return roles.reduce<LookColours>((colours, role) => mended(colours, role) ?? colours, night);
}

/** Whether all four are colours at all. */
export const areColours = (colours: LookColours) => lookRoles.every((role) => isColour(colours[role]));

export interface ReadyLook {
  colours: LookColours;
  corners: (typeof lookCorners)[number];
  density: (typeof lookDensities)[number];
  cards: (typeof lookCards)[number];
  fonts: (typeof lookFonts)[number];
}

/** To begin with. Each can be read by day and by night. */
export const readyLooks = {
  porcelain: {
    colours: { paper: '#ffffff', ink: '#14213d', action: '#1d4ed8', sale: '#b3261e' },
    corners: 'soft',
    density: 'usual',
    cards: 'plain',
    fonts: 'book',
  },
  tomato: {
    colours: { paper: '#fff5f2', ink: '#2b1512', action: '#b3311b', sale: '#7b1fa2' },
    corners: 'round',
    density: 'compact',
    cards: 'framed',
    fonts: 'plain',
  },
  meadow: {
    colours: { paper: '#f1f9f1', ink: '#12261a', action: '#17713b', sale: '#b4232a' },
    corners: 'round',
    density: 'usual',
    cards: 'framed',
    fonts: 'system',
  },
  lavender: {
    colours: { paper: '#f7f5ff', ink: '#221b3a', action: '#5b3fc4', sale: '#b0245c' },
    corners: 'round',
    density: 'airy',
    cards: 'tall',
    fonts: 'book',
  },
  harbour: {
    colours: { paper: '#eff8fa', ink: '#0f2530', action: '#0b6477', sale: '#b23a0e' },
    corners: 'soft',
    density: 'usual',
    cards: 'plain',
    fonts: 'system',
  },
  press: {
    colours: { paper: '#ffffff', ink: '#000000', action: '#111111', sale: '#c00018' },
    corners: 'square',
    density: 'airy',
    cards: 'tall',
    fonts: 'letter',
  },
  lemon: {
    colours: { paper: '#fff7cf', ink: '#1f1b0a', action: '#0f4c81', sale: '#b42318' },
    corners: 'round',
    density: 'compact',
    cards: 'framed',
    fonts: 'plain',
  },
  nightMarket: {
    colours: { paper: '#12121c', ink: '#f2f0ff', action: '#ffb454', sale: '#ff8fa3' },
    corners: 'square',
    density: 'compact',
    cards: 'framed',
    fonts: 'brush',
  },
} as const satisfies Record<string, ReadyLook>;
export type ReadyLookName = keyof typeof readyLooks;
export const readyLookNames = Object.keys(readyLooks) as ReadyLookName[];
