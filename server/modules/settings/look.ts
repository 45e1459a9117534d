/** The look of the shop: what a setting means that leaves something out, what cannot be read, and the tokens that it writes. */
import Value from 'typebox/value';
import { type Problem, problem } from '#contract/problems.ts';
import {
  areColours,
  fixedColours,
  isColour,
  isDarkPage,
  type LookColours,
  lookRoles,
  lookTokens,
  nightOf,
  schemeOf,
  weakestOf,
} from '#contract/rules/look.ts';
import { type Edit, edited } from '#contract/rules/patch.ts';
import { LookDocument } from '#contract/schemas/look.ts';
import { brandTokens } from '#server/platform/brand-tokens.ts';
import type { ShopSettings } from './settings.schema.ts';

type OfLook = Pick<ShopSettings, 'look'>;

export function lookOf({ look }: OfLook): LookDocument {
  const { colours = null, night = true, nightColours = null, corners = null, density = null } = look;
  return { id: 'shop', colours, night, nightColours, corners, density };
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
  return Object.fromEntries(lookRoles.map((role) => [role, isColour(typed[role]) ? typed[role] : before[role]]));
}

export const withoutId = ({ id, ...look }: LookDocument) => look;

/** Text that cannot be read, at the colour that is to be changed. */
export function lookProblems({ colours = null, nightColours = null }: OfLook['look']): Problem[] {
  return Object.entries({ colours, nightColours }).flatMap(([field, each]) => {
    if (!each || !areColours(each)) return [];
    return (['ink', 'action', 'sale'] as const).flatMap((role) => {
      const weak = weakestOf(each, role);
      if (!weak) return [];
      const found = (Math.floor(weak.ratio * 10) / 10).toFixed(1);
      return problem([field, role], 'problem.look.contrast', { ratio: found, least: weak.least });
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
export const hasOwnColours = ({ look }: OfLook) => Boolean(look.colours || look.nightColours) || look.night === false;

/** The colours of both schemes by their tokens, which are the same where the shop has no night. */
export function lookColours(settings: OfLook): { light: ReadonlyMap<string, string>; dark: ReadonlyMap<string, string> } {
  const { colours, night, nightColours } = lookOf(settings);
  const { light: given, dark } = brandTokens.colours;
  const light = colours ? new Map([...given, ...Object.entries({ ...schemeOf(colours), ...fixedColours(colours) })]) : given;
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

const styles = new WeakMap<OfLook['look'], string>();

/** The style of every page; empty where nothing differs from what is delivered. */
export function lookStyle(settings: OfLook): string {
  const known = styles.get(settings.look);
  if (known !== undefined) return known;
  const made = madeStyle(settings);
  styles.set(settings.look, made);
  return made;
}

/** Twice the root: stronger than the brand's own style, in whatever order they come. */
const block = (declarations: readonly string[]) => (declarations.length > 0 ? `:root:root{${declarations.join(';')}}` : '');
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
    ...(look.corners ? ['sm', 'md', 'lg'].map((name, at) => `--radius-${name}:${corners[look.corners ?? 'soft'][at]}px`) : []),
    ...(look.density ? [`--spacing-section:${sections[look.density]}`] : []),
  ];
  // By night what the day sets counts too, as it is stronger than the brand's night.
  const night = isOne
    ? []
    : [...dark].filter(
        ([token, value]) => (isNew([token, light.get(token) ?? '']) ? light.get(token) : given.dark.get(token)) !== value,
      );
  return block(day) + (night.length > 0 ? `@media (prefers-color-scheme:dark){${block(night.map(colour))}}` : '');
}
