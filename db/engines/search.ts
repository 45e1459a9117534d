/** Which products have a token. The server's search module makes the tokens. */
import type { Reader, Trx } from '../database.ts';

export interface SearchDocument {
  /** The product's number. */
  no: number;
  /** Letters and digits only. */
  tokens: readonly string[];
}

export interface SearchIndex {
  put(trx: Trx, documents: readonly SearchDocument[]): Promise<void>;
  remove(trx: Trx, nos: readonly number[]): Promise<void>;
  /** From `from` (inclusive) to `below` (exclusive), in no particular order. */
  productNos(db: Reader, token: string, from: number, below: number): Promise<Iterable<number>>;
}
