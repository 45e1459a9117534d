import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Translate } from '#contract/translate.ts';
import { formatCalendarDay } from '#ui/format.ts';

/** Such as “Arrives Dec 3 – Dec 11”, at checkout as on the order's page. */
export function arrivalText(
  { earliest, latest }: NonNullable<Order['arrival']>,
  t: Translate,
  locale: Locale,
): string {
  return t('confirm.fact.arrives', {
    from: formatCalendarDay(earliest, locale),
    to: formatCalendarDay(latest, locale),
  });
}
