/** How figures of the value of stock are read. No schema, so that the office loads none. */
import type { StockValue } from './stock-value.ts';

type Figures = StockValue['totals'];

/** Each amount with the units that it leaves out: their cost is unknown. */
export const unknownOf = {
  value: 'unknown',
  before: 'beforeUnknown',
  received: 'receivedUnknown',
  cost: 'soldUnknown',
  lost: 'lostUnknown',
} as const satisfies Partial<Record<keyof Figures, keyof Figures>>;
export type CostFigure = keyof typeof unknownOf;

/** Smallest units; null where all that it would sum is unknown, which is not zero. */
export const knownAmount = (figures: Figures, name: CostFigure): number | null =>
  figures[name] === 0 && figures[unknownOf[name]] !== 0 ? null : figures[name];

/** What a unit costs on average of those whose cost is known, smallest units and parts of them; null if there is none. */
export const averageCost = ({ units, unknown, value }: Figures): number | null =>
  units - unknown > 0 ? value / (units - unknown) : null;
