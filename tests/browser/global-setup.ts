/**
 * Starts one shop for the whole run. Every test is a new shopper. A crash in the shop’s log fails the run. The log stays beside the
 * pictures of failures.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FullConfig } from '@playwright/test';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { startShop } from './server.ts';

export default async function globalSetup({ projects }: FullConfig): Promise<() => Promise<void>> {
  if (!process.env.WEB_BUILD && !existsSync(join(import.meta.dirname, '../../dist/.current')))
    throw new Error('The storefront is not built: run `npm run build`.');
  const shop = await startShop();
  process.env.SHOP_ADDRESS = shop.address;
  process.env.SHOP_DATA = shop.dataDir;
  const beginning = await mkdtemp(join(tmpdir(), 'shopwright-beginning-'));
  process.env.SHOP_BEGINNING = join(beginning, sqliteFileName);
  const db = new DatabaseSync(join(shop.dataDir, sqliteFileName));
  db.prepare('vacuum into ?').run(process.env.SHOP_BEGINNING);
  db.close();
  return async () => {
    await shop.stop();
    await rm(beginning, { recursive: true });
    const folder = projects[0]?.outputDir ?? '';
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'shop.log'), shop.log().join('\n'));
    const errors = shop
      .log()
      .filter((line) => !/^\{.*"level":(10|20|30|40|"(trace|debug|info|warn)")/.test(line));
    if (errors.length > 0)
      throw new Error(`The shop's log holds what should not happen:\n${errors.join('\n')}`);
  };
}
