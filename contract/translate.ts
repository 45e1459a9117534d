/** Turning a message key into words, for the browser and for the server's messages alike. */
import type { Locale, MessageKey, Messages } from './locales.ts';
import { locales } from './locales.ts';

/** The common part of a pair of plural messages, `cart.count` of `cart.count.one` and `cart.count.other`. */
export type PluralKey = MessageKey extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;
export type MessageValues = Record<string, string | number>;
export type Translate = (key: MessageKey | PluralKey, values?: MessageValues) => string;

/**
 * Fills `{name}` in the message of `key`; numbers are written as the language writes them. A plural key picks `.one` or `.other` by `values.count`,
 * as the language counts. A placeholder without a value stays as it is, so that it is seen. A value that ends with a full stop
 * ("6:00 p.m.") takes the place of the sentence's own.
 */
export function translator(locale: Locale, messages: Messages): Translate {
  const table: Record<string, string> = messages;
  const rules = new Intl.PluralRules(locales[locale].tag);
  const numbers = new Intl.NumberFormat(locales[locale].tag);
  const written = (value: string | number) => (typeof value === 'number' ? numbers.format(value) : value);
  return (key, values) => {
    const text = table[key] ?? pluralForm(table, key, rules.select(Number(values?.count ?? 0)));
    if (!values) return text;
    return text.replace(/\{(\w+)\}(\.(?!\.))?/g, (whole, name: string, stop = '') => {
      const value = values[name];
      if (value === undefined) return whole;
      const filled = written(value);
      return filled.endsWith('.') ? filled : filled + stop;
    });
  };
}

function pluralForm(table: Record<string, string>, key: string, form: Intl.LDMLPluralRule): string {
  return table[`${key}.${form}`] ?? table[`${key}.other`] ?? key;
}
