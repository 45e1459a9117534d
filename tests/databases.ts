/** Fresh databases for tests, copied from templates that are made once per run. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type EngineName, openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';

/** `empty`: migrated. `demo`: with the demo shop loaded. */
export type TemplateName = 'empty' | 'demo';
/** Fills a migrated database. Images go into the folder. */
export type Fill = (db: Database, dataDir: string) => Promise<void>;

export interface TestDatabase {
  db: Database;
  /** The database’s folder; on PostgreSQL it holds images at most. */
  dataDir: string;
  /** Null on SQLite. */
  databaseUrl: string | null;
  /** Closes the database and deletes it. */
  drop(): Promise<void>;
}

/** For one that writes, one that waits for it, and one that reads: each costs PostgreSQL a process, and so as much as most tests. */
const fewConnections = 3;

/** Copies a template, and makes it first if it does not exist in this run. */
export async function copyTemplate(
  engine: EngineName,
  template: TemplateName,
  fill: Fill,
  connections = fewConnections,
): Promise<TestDatabase> {
  await ensureTemplate(engine, template, fill);
  const dataDir = mkdtempSync(join(inject('runDir'), 'data-'));
  for (const entry of readdirSync(templateDir(engine, template), { withFileTypes: true })) {
    // Pictures are named by their content, so all copies can share them.
    if (entry.isDirectory()) symlinkSync(join(templateDir(engine, template), entry.name), join(dataDir, entry.name));
  }
  if (engine === 'sqlite') {
    copyFileSync(join(templateDir(engine, template), sqliteFileName), join(dataDir, sqliteFileName));
    const db = await openDatabase({ dataDir, durable: false });
    return {
      db,
      dataDir,
      databaseUrl: null,
      drop: () => db.close().then(() => rmSync(dataDir, { recursive: true, force: true })),
    };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying its files takes less than writing all its pages to the log.
  await administer((client) => client.query(`create database ${name} template ${templateDatabase(template)} strategy file_copy`));
  const databaseUrl = urlOf(name);
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

/** The folder with a template’s images and its SQLite file. */
export function templateDir(engine: EngineName, template: TemplateName): string {
  return join(inject('runDir'), `template-${engine}-${template}`);
}

const known = new Set<string>();

async function ensureTemplate(engine: EngineName, template: TemplateName, fill: Fill): Promise<void> {
  const dir = templateDir(engine, template);
  if (known.has(dir)) return;
  // Test files run in several processes; PostgreSQL's lock works across them, for SQLite's templates too.
  const client = await connectAsAdministrator();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [dir]);
    if (!existsSync(dir)) await makeTemplate(engine, template, fill, client);
  } finally {
    await client.end();
  }
  known.add(dir);
}

async function makeTemplate(engine: EngineName, template: TemplateName, fill: Fill, client: pg.Client): Promise<void> {
  const dir = templateDir(engine, template);
  const draft = `${dir}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  let databaseUrl: string | null = null;
  if (engine === 'postgres') {
    const name = templateDatabase(template);
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    databaseUrl = urlOf(name);
  }
  const db = await openDatabase({ dataDir: draft, databaseUrl, durable: false });
  try {
    await migrate(db);
    if (template === 'demo') await fill(db, draft);
  } finally {
    await db.close();
  }
  renameSync(draft, dir);
}

function templateDatabase(template: TemplateName): string {
  return `template_${template}`;
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
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
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  // It does not keep its process from ending. The types lack this.
  (client as pg.Client & { unref(): void }).unref();
  return client;
}
