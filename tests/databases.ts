/** Fresh databases for tests, copied from templates that are made once and kept (tests/templates.ts). */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type EngineName, openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { removeOld, type TemplateName, withLock } from './templates.ts';

/** Fills a migrated database. It may write no other files into the folder: copies would not have them. */
export type Fill = (db: Database, dataDir: string) => Promise<void>;

export interface TestDatabase {
  db: Database;
  /** The database’s folder; on PostgreSQL it is empty. */
  dataDir: string;
  /** Null on SQLite. */
  databaseUrl: string | null;
  /** Closes the database and deletes it. */
  drop(): Promise<void>;
}

/** For one that writes, one that waits for it, and one that reads: each costs PostgreSQL a process, and so as much as most tests. */
const fewConnections = 3;

/** Copies a template, and makes it first if it does not exist yet. */
export async function copyTemplate(
  engine: EngineName,
  template: TemplateName,
  fill: Fill,
  connections = fewConnections,
): Promise<TestDatabase> {
  await (engine === 'sqlite' ? ensureFile : ensureDatabase)(template, fill);
  const dataDir = mkdtempSync(join(inject('runDir'), 'data-'));
  if (engine === 'sqlite') {
    copyFileSync(join(templateDir(template), sqliteFileName), join(dataDir, sqliteFileName));
    const db = await openDatabase({ dataDir, durable: false });
    return {
      db,
      dataDir,
      databaseUrl: null,
      drop: () => db.close().then(() => rmSync(dataDir, { recursive: true, force: true })),
    };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { names } = inject('templates');
  // Copying its files takes less than writing all its pages to the log.
  await administer((client) =>
    client.query(`create database ${name} template "${names[template]}" strategy file_copy`),
  );
  const databaseUrl = await urlOf(name);
  const db = await openDatabase({ dataDir, databaseUrl, durable: false, connections });
  return {
    db,
    dataDir,
    databaseUrl,
    async drop() {
      await db.close();
      await administer((client) => client.query(`drop database if exists ${name} with (force)`));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function templateDir(template: TemplateName): string {
  const { folder, names } = inject('templates');
  return join(folder, names[template]);
}

/** Of SQLite. Test files run in several processes: the first one makes it, and the others wait. */
async function ensureFile(template: TemplateName, fill: Fill): Promise<void> {
  const dir = templateDir(template);
  if (existsSync(dir)) return;
  const { folder } = inject('templates');
  await withLock(folder, async () => {
    if (existsSync(dir)) return;
    const draft = `${dir}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
    await make(template, fill, draft, null);
    const others = readdirSync(draft).filter((name) => name !== sqliteFileName);
    if (others.length > 0) throw new Error(`A template has files that its copies lack: ${others.join(', ')}`);
    renameSync(draft, dir);
    await removeOld(folder, `${template}-`);
  });
}

const known = new Set<TemplateName>();

/** Of PostgreSQL, whose own lock works across processes. */
async function ensureDatabase(template: TemplateName, fill: Fill): Promise<void> {
  if (known.has(template)) return;
  const name = inject('templates').names[template];
  const client = await connectAsAdministrator();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) {
      const draft = `draft_${template}`;
      await client.query(`drop database if exists ${draft} with (force)`);
      await client.query(`create database ${draft}`);
      const dataDir = mkdtempSync(join(inject('runDir'), 'draft-'));
      await make(template, fill, dataDir, await urlOf(draft));
      await client.query(`alter database ${draft} rename to "${name}"`);
    }
  } finally {
    await client.end();
  }
  known.add(template);
}

async function make(
  template: TemplateName,
  fill: Fill,
  dataDir: string,
  databaseUrl: string | null,
): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl, durable: false });
  try {
    await migrate(db);
    if (template === 'demo') await fill(db, dataDir);
  } finally {
    await db.close();
  }
}

async function urlOf(database: string): Promise<string> {
  const url = new URL(await postgresUrl());
  url.pathname = `/${database}`;
  return url.href;
}

let asked: Promise<string> | undefined;

/** Of the server's database `postgres`. The run's main process starts it for the first who asks (tests/postgres.ts). */
function postgresUrl(): Promise<string> {
  asked ??= fetch(inject('postgresStarter')).then(async (answer) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  });
  return asked;
}

/** Makes a database without tables. Returns its URL. */
export async function createEmptyPostgres(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer((client) => client.query(`create database ${name}`));
  return urlOf(name);
}

let administrator: Promise<pg.Client> | undefined;

/** Over one connection for all files of a worker. */
async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  administrator ??= connectAsAdministrator();
  await work(await administrator);
}

async function connectAsAdministrator(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await postgresUrl() });
  await client.connect();
  // It does not keep its process from ending. The types lack this.
  (client as pg.Client & { unref(): void }).unref();
  return client;
}
