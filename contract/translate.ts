import type { Locale, MessageKey } from './locales.ts';
import { locales } from './locales.ts';

/** `cart.count` of `cart.count.one` and `cart.count.other`. */
export type PluralKey = MessageKey extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;
export type MessageValues = Record<string, string | number>;
export type Translate = (key: MessageKey | PluralKey, values?: MessageValues) => string;

/** A plural key picks `.one` or `.other` by `values.count`. A value that ends with a full stop replaces the sentence's own. */
export function translator<Key extends string = MessageKey | PluralKey>(
  locale: Locale,
  table: Readonly<Record<string, string>>,
): (key: Key, values?: MessageValues) => string {
  const { tag } = locales[locale];
  // Made when a text first needs them, as browsers do for numbers: on a phone that takes some 20 ms.
  let rules: Intl.PluralRules | undefined;
  const formOf = (count: number) => {
    rules ??= new Intl.PluralRules(tag);
    return rules.select(count);
  };
  return (key, values) => {
    const text = table[key] ?? pluralForm(table, key, formOf(Number(values?.count ?? 0)));
    if (!values) return text;
    return text.replace(/\{(\w+)\}(\.(?!\.))?/g, (whole, name: string, stop = '') => {
      const value = values[name];
      if (value === undefined) return whole;
      // Small numbers have the same digits in all of the languages, and the browser's formatter takes 30 ms the first time.
      const filled =
        typeof value === 'number' && (value % 1 !== 0 || value > 999)
          ? value.toLocaleString(tag)
          : `${value}`;
      return filled.endsWith('.') ? filled : filled + stop;
    });
  };
}

function pluralForm(table: Readonly<Record<string, string>>, key: string, form: Intl.LDMLPluralRule): string {
  return table[`${key}.${form}`] ?? table[`${key}.other`] ?? unknown(key);
}

/** Node and Vite set it; a build for browsers has `production` in its place. */
declare const process: { env: { NODE_ENV?: string } };

/** A shopper sees the key rather than an error. @throws {Error} in tests and while developing */
function unknown(key: string): string {
  if (process.env.NODE_ENV === 'test' || process.env.NODE_ENV === 'development')
    throw new Error(`There is no message ${key}`);
  return key;
}
