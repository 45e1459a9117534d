/** Row types of the tables of counted searches (see `tables.ts`). */
import type { Bit, Fixed } from './tables.ts';

/** How often a text was searched for on a day, by language. Nothing about who searched. */
export interface SearchesTable {
  /** The day in UTC, such as 2026-05-16. */
  day: Fixed<string>;
  language: Fixed<string>;
  /** Normalised: lower case, without accents, single spaces. */
  text: Fixed<string>;
  times: number;
  /** Whether the text itself found products at the last search. */
  found: Bit;
  /** The text that was searched instead; null if none was. */
  suggestion: string | null;
}
