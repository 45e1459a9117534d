/** How many units of SKUs there are, for whoever sells them. */

/** Units by SKU and location. */
export type StockLevels = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Of a SKU that does not run out: any location has more than anybody may order. Its entries are the units that are there. */
class EndlessLevels extends Map<string, number> {
  isCounted = true;

  override get(): number {
    return Number.POSITIVE_INFINITY;
  }
}

export function levelsOf(
  units: Iterable<readonly [string, number]>,
  { counted, oversell }: Stocking,
): ReadonlyMap<string, number> {
  if (counted === 1 && oversell === 0) return new Map(units);
  const levels = new EndlessLevels(units);
  levels.isCounted = counted === 1;
  return levels;
}

/** Columns of a SKU, 0 or 1. */
export interface Stocking {
  counted: number;
  oversell: number;
}

/** Without what SKUs are sold beyond stock; null if none of them is. */
export function unitsThere(stock: StockLevels): StockLevels | null {
  const isBeyond = (levels: ReadonlyMap<string, number>) =>
    levels instanceof EndlessLevels && levels.isCounted;
  if (![...stock.values()].some(isBeyond)) return null;
  return new Map([...stock].map(([sku, levels]) => [sku, isBeyond(levels) ? new Map(levels) : levels]));
}
