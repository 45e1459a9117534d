/** What the brand adds to the server: how teas taste and are brewed, scale drawings, a seal, and lines for the solar terms. */
import Type, { type Static } from 'typebox';
import { inLocale, type Locale, type LocalText, localeCodes } from '#contract/locales.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import type { Brand, OrderedProduct, OrderNotes } from '#server/platform/brand.ts';
import { type BrandTranslate, brandTranslate, brewWays, infusionTime } from '../shared/messages.ts';
import {
  type Brew,
  BrewGuide,
  outlines,
  type ProductExtras,
  type ProductSize,
  type ShellExtras,
  SizeReference,
  TeaFacts,
  type TeaLines,
} from '../shared/schemas.ts';
import { noteAt, SolarTermNotes } from './solar-terms.ts';

const productDetails = {
  brew: Type.Optional(
    described(
      'How to brew a tea: a card with the ways given, on its page and in order emails.',
      Nullable(BrewGuide),
    ),
  ),
  tea: Type.Optional(
    described(
      'Taste, strength, pack and origin of a tea: its page shows them above the button, with how to brew it.',
      Nullable(TeaFacts),
    ),
  ),
  outline: Type.Optional(
    described(
      'The outline of the product in its scale drawing. Left out, a plain box of its measures.',
      Nullable(Type.Enum([...outlines])),
    ),
  ),
};

const settings = {
  sizeReference: {
    schema: described(
      'A well-known thing that scale drawings show beside each product, such as a mug; null for none.',
      SizeReference,
    ),
    initial: null,
  },
  solarTermNotes: { schema: SolarTermNotes, initial: [] },
};

const Details = Type.Object(productDetails);
/** With the program's own field that drawings need. */
type Details = Static<typeof Details> & {
  dimensions?: Partial<Record<'lengthCm' | 'widthCm' | 'heightCm' | 'diameterCm', number | null>>;
};

interface Settings {
  shopName: LocalText;
  sizeReference: SizeReference;
  solarTermNotes: SolarTermNotes;
}

export const brand: Brand = {
  productDetails,
  settings,
  productExtras(details, values): ProductExtras | undefined {
    const { brew, tea } = details as Details;
    const size = sizeOf(details as Details, (values as unknown as Settings).sizeReference);
    const extras = {
      ...(size ? { size } : {}),
      ...(brew ? { brew } : {}),
      ...(tea ? { tea: teaLines(tea, brew) } : {}),
    };
    return Object.keys(extras).length > 0 ? extras : undefined;
  },
  shellExtras: (values): ShellExtras => ({ seal: sealOf((values as unknown as Settings).shopName) }),
  seasonNote: (values, clock) => noteAt((values as unknown as Settings).solarTermNotes, clock),
  orderNotes: brewingNotes,
};

/** The product as seen from the front; null if its width or height is unknown. */
function sizeOf({ outline, dimensions = {} }: Details, reference: SizeReference): ProductSize | null {
  const { lengthCm, widthCm, heightCm, diameterCm } = dimensions;
  const width = Math.max(lengthCm ?? 0, widthCm ?? 0, diameterCm ?? 0);
  const height = (outline === 'cloth' ? widthCm : heightCm) ?? 0;
  if (width <= 0 || height <= 0) return null;
  // The reference itself, if the shop sells it, is drawn alone.
  const isOther =
    reference &&
    (outline !== reference.outline || width !== reference.widthCm || height !== reference.heightCm);
  return {
    outline: outline ?? 'box',
    widthCm: width,
    heightCm: height,
    reference: isOther ? reference : null,
  };
}

/** In every language of the program: the caller knows of none. Brewing is that of the first way given, and a part of a pot is none. */
function teaLines(
  { taste, strength, packGrams, origin, harvest }: TeaFacts,
  brew: BrewGuide | null | undefined,
): TeaLines {
  const inAll = (text: (t: BrandTranslate, locale: Locale) => string): LocalText =>
    Object.fromEntries(localeCodes.map((locale) => [locale, text(brandTranslate(locale), locale)]));
  const way = brewWays.find((each) => brew?.[each]);
  const given = way && brew?.[way];
  const from = [origin, harvest].filter((text) => text !== undefined);
  const count = given ? Math.floor(packGrams / given.grams) : 0;
  return {
    from:
      from.length > 0 ? inAll((_, locale) => from.map((text) => inLocale(text, locale)).join(' · ')) : null,
    taste: inAll((_, locale) => taste.map((word) => inLocale(word, locale)).join(' · ')),
    strength,
    strengthText: inAll((t) => t('tea.strength', { strength })),
    brewing: given ? inAll((t, locale) => brewingLine(given, t, locale)) : null,
    makes:
      way && count > 0
        ? inAll((t) => t(`tea.makes.${way}`, { count, pack: t('brew.grams', { value: packGrams }) }))
        : null,
  };
}

function brewingLine(
  { grams, waterMl, celsius, infusionSeconds }: Brew,
  t: BrandTranslate,
  locale: Locale,
): string {
  return t('tea.brewing', {
    grams: t('brew.grams', { value: grams }),
    water: t('brew.ml', { value: waterMl }),
    heat: t('brew.celsius', { value: celsius }),
    time: infusionTime(infusionSeconds[0] ?? 0, locale, t),
  });
}

function sealOf(shopName: LocalText): string {
  const letters =
    Object.values(shopName)
      .join('')
      .match(/\p{Script=Han}/gu) ?? [];
  return letters.slice(0, 4).join('');
}

function brewingNotes(products: readonly OrderedProduct[], locale: Locale): OrderNotes | null {
  const t = brandTranslate(locale);
  const rows = products.flatMap(({ name, details }) =>
    brewWays.flatMap((way) => {
      const brew = (details as Details).brew?.[way];
      if (!brew) return [];
      const times = brew.infusionSeconds.map((seconds) => infusionTime(seconds, locale, t)).join(' · ');
      return {
        label: `${inLocale(name, locale)} · ${t(`brew.way.${way}`)}`,
        note: `${t('brew.celsius', { value: brew.celsius })} · ${times}`,
        amount: `${t('brew.grams', { value: brew.grams })} / ${t('brew.ml', { value: brew.waterMl })}`,
      };
    }),
  );
  return rows.length === 0 ? null : { heading: t('brew.title'), rows };
}
