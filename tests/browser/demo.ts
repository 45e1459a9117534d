/** What the demo shop sells and where, so that a test names things in the shopper's language. */
import type { Locale } from '#contract/locales.ts';
import data from '#demo/data/products.json' with { type: 'json' };
import stores from '#demo/data/stores.json' with { type: 'json' };

interface Option {
  name: Record<Locale, string>;
  values: { name: Record<Locale, string> }[];
}
const products: { slug: string; name: Record<Locale, string>; options: Option[] }[] = data;

export function productName(id: string, lang: Locale): string {
  return found(products, ({ slug }) => slug === id, id).name[lang];
}

/** The option's name and one of its values, in the shopper's language. */
export function optionValue(id: string, option: string, value: string, lang: Locale): { option: string; value: string } {
  const { options } = found(products, ({ slug }) => slug === id, id);
  const { name, values } = found(options, (candidate) => candidate.name.en === option, option);
  return { option: name[lang], value: found(values, (candidate) => candidate.name.en === value, value).name[lang] };
}

export function store(id: string, lang: Locale): { name: string; street: string } {
  const { name, address } = found(stores, (candidate) => candidate.id === id, id);
  return { name: name[lang], street: address.street };
}

function found<T>(list: readonly T[], fits: (item: T) => boolean, what: string): T {
  const item = list.find(fits);
  if (!item) throw new Error(`The demo shop has no ${what}`);
  return item;
}
