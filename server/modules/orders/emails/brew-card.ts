/** The brewing cards of the teas of an order, as a part of its email. */
import { infusionTime } from '#contract/infusion-time.ts';
import { brewWays } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { BrewGuide } from '#contract/schemas/brewing.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { EmailPart } from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';

/** A row for each way to brew each tea; empty without teas. A tea in several sizes is listed once. */
export function brewParts({ lineItems }: Order, guides: ReadonlyMap<string, BrewGuide>, locale: Locale): EmailPart[] {
  const t = translate(locale);
  const teas = new Map(lineItems.map(({ product, nameContent }) => [product, nameContent]));
  const rows = [...teas].flatMap(([product, name]) =>
    brewWays.flatMap((way) => {
      const brew = guides.get(product)?.[way];
      if (!brew) return [];
      const times = brew.infusionSeconds.map((seconds) => infusionTime(seconds, locale, t)).join(' · ');
      return [
        {
          label: `${inLocale(name, locale)} · ${t(`brew.way.${way}`)}`,
          note: `${t('brew.celsius', { value: brew.celsius })} · ${times}`,
          amount: `${t('brew.grams', { value: brew.grams })} / ${t('brew.ml', { value: brew.waterMl })}`,
        },
      ];
    }),
  );
  return rows.length === 0
    ? []
    : [
        { kind: 'heading', text: t('brew.title') },
        { kind: 'rows', rows },
      ];
}
