import { inLocale, type Locale } from '../locales.ts';
import type { Paper, PaperLine } from './orders.ts';

interface Pick {
  line: PaperLine;
  quantity: number;
  /** Numbers of orders with how many each has. */
  orders: string[];
}

const shortOf = (number: string) => number.split('-').at(-1) ?? number;

/** What is to be taken at a place: each SKU with the same choices and note once. */
export function picksOf(papers: readonly Paper[], locale: Locale): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { number, lines } of papers)
    for (const line of lines.filter(({ quantity }) => quantity > 0)) {
      const key = JSON.stringify([
        line.sku,
        line.modifierContent && inLocale(line.modifierContent, locale),
        line.note,
      ]);
      const pick = picks.get(key) ?? { line, quantity: 0, orders: [] };
      pick.quantity += line.quantity;
      pick.orders.push(line.quantity > 1 ? `${shortOf(number)} (${line.quantity})` : shortOf(number));
      picks.set(key, pick);
    }
  return [...picks.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pick]) => pick);
}
