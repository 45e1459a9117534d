/** What the brand adds to the server: how teas are brewed, scale drawings, a seal, and lines for the solar terms. */
import Type, { type Static } from 'typebox';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import type { Brand, OrderedProduct, OrderNotes } from '#server/platform/brand.ts';
import { brandTranslate, brewWays, infusionTime } from '../shared/messages.ts';
import { BrewGuide, outlines, type ProductExtras, type ProductSize, type ShellExtras, SizeReference } from '../shared/schemas.ts';
import { noteAt, SolarTermNotes } from './solar-terms.ts';

const productDetails = {
  brew: Type.Optional(
    described('How to brew a tea: a card with the ways given, on its page and in order emails.', Nullable(BrewGuide)),
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
    const { brew } = details as Details;
    const size = sizeOf(details as Details, (values as unknown as Settings).sizeReference);
    return size || brew ? { ...(size ? { size } : {}), ...(brew ? { brew } : {}) } : undefined;
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
  const isOther = reference && (outline !== reference.outline || width !== reference.widthCm || height !== reference.heightCm);
  return { outline: outline ?? 'box', widthCm: width, heightCm: height, reference: isOther ? reference : null };
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
