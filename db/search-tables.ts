/** Row types of the tables of counted searches (see `tables.ts`). */
import type { Bit, Fixed } from './tables.ts';

/** By language. Nothing about who searched. */
export interface SearchesTable {
  /** In UTC, such as 2026-05-16. */
  day: Fixed<string>;
  language: Fixed<string>;
  /** Normalised: lower case, without accents, single spaces. */
  text: Fixed<string>;
  times: number;
  /** At the last search. */
  found: Bit;
  /** Searched instead; null if none was. */
  suggestion: string | null;
}
