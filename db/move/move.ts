/** Copies a shop's database to the other engine, and proves that the copy is equal. */
import { hash } from 'node:crypto';
import { openPostgres, openPostgresTarget } from './postgres.ts';
import type { Table, Value } from './side.ts';
import { openSqlite, openSqliteTarget } from './sqlite.ts';

export interface TableContent {
  rows: number;
  /** The sum of the rows' hashes: the engines do not sort texts alike. */
  digest: string;
}

const progressMs = 5000;

export type Place = { dataDir: string } | { databaseUrl: string };

/**
 * `from` has to be at this version of the program, `to` empty; an unfinished move into the same target is deleted first. Returns
 * each table's content, and whether others used the source meanwhile, whose later changes are missing. @throws {MoveTargetError}
 * if the target is not empty @throws {Error} if the copy differs
 */
export async function moveDatabase(
  from: Place,
  to: Place,
  onProgress: (line: string) => void,
): Promise<{ tables: Map<string, TableContent>; sourceInUse: boolean }> {
  const target = 'dataDir' in to ? await openSqliteTarget(to.dataDir) : await openPostgresTarget(to.databaseUrl);
  try {
    const source = 'dataDir' in from ? openSqlite(from.dataDir) : await openPostgres(from.databaseUrl);
    try {
      const tables = await source.tables();
      const expected = new Map((await target.tables()).map((table) => [table.name, table]));
      const copied = new Map<string, TableContent>();
      onProgress(`Copying ${tables.length} tables.`);
      for (const table of tables) {
        const own = expected.get(table.name);
        if (!own || namesOf(own) !== namesOf(table) || tables.length !== expected.size)
          throw new Error(`The tables differ at ${table.name}. Were both migrated by this version?`);
        const watch = progressOf(table.name, onProgress);
        copied.set(
          table.name,
          await measure(source.batches(table), async (rows) => {
            await target.insert(own, rows);
            watch(rows.length);
          }),
        );
      }
      onProgress('Making indexes and comparing every row.');
      await target.restore();
      for (const table of expected.values())
        requireEqual(table.name, copied.get(table.name), await measure(target.batches(table)));
      const sourceInUse = await source.isInUse();
      await target.finish();
      return { tables: copied, sourceInUse };
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

/** For tests and comparisons. */
export async function contentOf(place: Place): Promise<Map<string, TableContent>> {
  const source = 'dataDir' in place ? openSqlite(place.dataDir) : await openPostgres(place.databaseUrl);
  try {
    const content = new Map<string, TableContent>();
    for (const table of await source.tables()) content.set(table.name, await measure(source.batches(table)));
    return content;
  } finally {
    await source.close();
  }
}

const namesOf = ({ columns }: Table) => columns.map(({ name }) => name).join();

function progressOf(table: string, print: (line: string) => void): (rows: number) => void {
  let done = 0;
  let saidAt = Date.now();
  return (rows) => {
    done += rows;
    if (Date.now() - saidAt < progressMs) return;
    saidAt = Date.now();
    print(`${table}: ${done} rows`);
  };
}

function requireEqual(table: string, wanted: TableContent | undefined, found: TableContent): void {
  if (wanted?.rows !== found.rows || wanted.digest !== found.digest)
    throw new Error(
      `The copy of ${table} differs: ${found.rows} rows instead of ${wanted?.rows}, or other values. It was not put into use.`,
    );
}

async function measure(
  batches: AsyncIterable<Value[][]>,
  use: (rows: Value[][]) => Promise<void> = async () => {},
): Promise<TableContent> {
  let [rows, sum] = [0, 0n];
  for await (const batch of batches) {
    for (const row of batch) sum += BigInt(`0x${hash('sha256', row.map(encode).join())}`);
    rows += batch.length;
    await use(batch);
  }
  return { rows, digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') };
}

function encode(value: Value): string {
  if (value === null) return 'n';
  if (typeof value === 'string') return `t${value.length}:${value}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  return `${typeof value === 'bigint' ? 'i' : 'r'}${value}`;
}
