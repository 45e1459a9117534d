/** What a SKU's options are called: catalogue, orders and stock say it alike. */
import { canonicalText, inEvery, inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { StoredOptions } from '#contract/schemas/product.ts';
import { translate } from './i18n.ts';

/** The values of option pairs, in the order in which the product lists its options. */
export function optionTextOf(pairs: string, options: StoredOptions): LocalText {
  const chosen = parseOptionPairs(pairs) ?? new Map<string, string>();
  const values = options.flatMap(
    (option) =>
      option.values.find(({ name }) => canonicalText(name) === chosen.get(canonicalText(option.name)))
        ?.name ?? [],
  );
  const text = (locale: Locale) =>
    (values.length > 0 ? values.map((value) => inLocale(value, locale)) : [...chosen.values()]).join(
      translate(locale)('ui.listSeparator'),
    );
  return inEvery(text);
}
