import pg from 'pg';
import { openDatabase } from '../database.ts';
import { migrate, unfinishedMove } from '../migrate.ts';
import { findWritable } from '../postgres/primary.ts';
import { parsePostgresUrl } from '../postgres/url.ts';
import {
  batchRows,
  columnsOf,
  MoveTargetError,
  quoted,
  type Source,
  searchIndex,
  type Target,
  type Value,
  withSearchIndex,
} from './side.ts';

/** The row of `schema_migrations` that marks a target as one that a move may delete. */
const mark = -1;

/** All values as text, which has every digit. */
const texts = { getTypeParser: () => (text: unknown) => text } as pg.CustomTypesConfig;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const hosts = parsePostgresUrl(databaseUrl);
  if (!hosts) throw new TypeError('The URL of the database is invalid');
  const url = hosts.urls[hosts.writable ? await findWritable(hosts) : 0] ?? '';
  const client = new pg.Client({ connectionString: url, types: texts, application_name: 'shopwright move' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function openPostgres(databaseUrl: string): Promise<Source> {
  const client = await connect(databaseUrl);
  await client.query('begin transaction isolation level repeatable read read only');
  return { ...readPostgres(client), close: () => client.end() };
}

function readPostgres(client: pg.Client): Omit<Source, 'close'> {
  return {
    async tables() {
      const { rows } = await client.query<{ name: string; column: string; type: string }>(
        `select c.table_name as name, c.column_name as column, c.data_type as type
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name <> 'schema_migrations'
         order by c.column_name collate "C"`,
      );
      const tables = Map.groupBy(rows, ({ name }) => name);
      return withSearchIndex(
        [...tables].map(([name, own]) => ({
          name,
          columns: own.map(({ column, type }) => ({ name: column, type })),
        })),
      );
    },
    async *batches(table) {
      const inSchema =
        table.name === searchIndex
          ? searchDocuments
          : `select ${columnsOf(table)} from ${quoted(table.name)}`;
      await client.query(`declare reading no scroll cursor for ${inSchema}`);
      for (;;) {
        const { rows } = await client.query<(string | null)[]>({
          text: `fetch ${batchRows} from reading`,
          rowMode: 'array',
        });
        if (rows.length === 0) break;
        yield rows.map((row) => row.map((text, i) => parse(text, table.columns[i]?.type ?? '')));
      }
      await client.query('close reading');
    },
    async isInUse() {
      const { rows } = await client.query(`select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
      return rows.length > 0;
    },
  };
}

const searchDocuments = `select product_no,
  (select string_agg(token, ' ' order by token collate "C") from unnest(tsvector_to_array(tokens)) as token)
  from ${searchIndex} where tokens <> ''`;

function parse(text: string | null, type: string): Value {
  if (text === null) return null;
  if (/^(?:integer|bigint|smallint)$/.test(type)) return BigInt(text);
  if (/^(?:real|double precision)$/.test(type)) return Number(text);
  return type === 'bytea' ? Buffer.from(text.slice(2), 'hex') : text;
}

export async function openPostgresTarget(databaseUrl: string): Promise<Target> {
  const client = await connect(databaseUrl);
  try {
    await clearUnfinished(client);
    await client.query('create table schema_migrations (id integer primary key, name text not null)');
    await client.query('insert into schema_migrations (id, name) values ($1, $2)', [mark, 'unfinished move']);
    const db = await openDatabase({ dataDir: '', databaseUrl });
    await migrate(db).finally(() => db.close());
    // Keeps a shop from opening it.
    await client.query('update schema_migrations set id = id + $1 where id > 0', [unfinishedMove]);
    const restore = await dropConstraints(client);
    const reading = readPostgres(client);
    const tables = await reading.tables();
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join()}`);
    // SQLite's real numbers have all digits, and PostgreSQL's have six.
    for (const { name, columns } of tables)
      for (const column of columns)
        if (column.type === 'real')
          await client.query(
            `alter table ${quoted(name)} alter column ${quoted(column.name)} type double precision`,
          );
    await client.query('set synchronous_commit = off');
    return { ...reading, ...writePostgres(client, restore), close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** So that the target can be migrated. @throws {MoveTargetError} if others made the tables */
async function clearUnfinished(client: pg.Client): Promise<void> {
  // Until the connection ends.
  const { rows: locks } = await client.query<{ free: string }>(
    `select pg_try_advisory_lock(hashtext('shopwright move')) as free`,
  );
  if (locks[0]?.free !== 't')
    throw new MoveTargetError('Another move writes to this database. Wait for its end.');
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  if (rows.length === 0) return;
  const marked =
    rows.some(({ name }) => name === 'schema_migrations') &&
    (await client.query('select from schema_migrations where id = $1', [mark])).rows.length > 0;
  if (!marked) throw new MoveTargetError('The target database is not empty. Name a database without tables.');
  const { rows: functions } = await client.query<{ name: string }>(
    `select p.oid::regprocedure as name from pg_proc p where pronamespace = current_schema()::regnamespace
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  await client.query(`drop table ${rows.map(({ name }) => quoted(name)).join()} cascade`);
  for (const { name } of functions) await client.query(`drop function ${name}`);
}

/** Returns the statements that make foreign keys and indexes again. */
async function dropConstraints(client: pg.Client): Promise<string[]> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     join pg_class c on c.oid = i.indexrelid where c.relnamespace = current_schema()::regnamespace
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}

function writePostgres(
  client: pg.Client,
  restore: readonly string[],
): Omit<Target, 'tables' | 'batches' | 'close'> {
  return {
    async insert(table, rows) {
      const columns = table.columns.map((_, i) => rows.map((row) => row[i]));
      const arrays = table.columns
        .map(({ type }, i) => `$${i + 1}::${type === 'real' ? 'double precision' : type}[]`)
        .join(', ');
      const selected =
        table.name === searchIndex ? `n, array_to_tsvector(string_to_array(t, ' ')) from` : '* from';
      const names = table.name === searchIndex ? ' as rows (n, t)' : '';
      await client.query(
        `insert into ${quoted(table.name)} (${columnsOf(table)}) select ${selected} unnest(${arrays})${names}`,
        columns,
      );
    },
    async restore() {
      for (const statement of restore) await client.query(statement);
      await client.query('analyze');
      // To read what was written.
      await client.query('begin');
    },
    async finish() {
      await client.query('commit; set synchronous_commit = on');
      await client.query(
        `with unmarked as (delete from schema_migrations where id = ${mark})
         update schema_migrations set id = id - ${unfinishedMove} where id > ${unfinishedMove}`,
      );
    },
  };
}
