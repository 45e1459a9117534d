/** Names of the demo shop’s products, options and stores in the shopper’s language. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import data from '#demo/data/products.json' with { type: 'json' };
import stores from '#demo/data/stores.json' with { type: 'json' };

interface Option {
  name: LocalText;
  values: { name: LocalText }[];
}
const products: { slug: string; name: LocalText; options: Option[] }[] = data;

export function productName(id: string, lang: Locale): string {
  return inLocale(found(products, ({ slug }) => slug === id, id).name, lang);
}

/** The option's name and one of its values, in the shopper's language. */
export function optionValue(
  id: string,
  option: string,
  value: string,
  lang: Locale,
): { option: string; value: string } {
  const { options } = found(products, ({ slug }) => slug === id, id);
  const { name, values } = found(options, (candidate) => candidate.name.en === option, option);
  return {
    option: inLocale(name, lang),
    value: inLocale(found(values, (candidate) => candidate.name.en === value, value).name, lang),
  };
}

export function store(id: string, lang: Locale): { name: string; street: string } {
  const { name, address } = found(stores, (candidate) => candidate.id === id, id);
  return { name: inLocale(name, lang), street: address.street };
}

function found<T>(list: readonly T[], fits: (item: T) => boolean, what: string): T {
  const item = list.find(fits);
  if (!item) throw new Error(`The demo shop has no ${what}`);
  return item;
}
