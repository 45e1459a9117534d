/** Starts one shop for the whole run. Every test is a new shopper. A crash in the shop’s log fails the run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startShop } from './server.ts';

export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!process.env.WEB_BUILD && !existsSync(join(import.meta.dirname, '../../dist/.current')))
    throw new Error('The storefront is not built: run `npm run build`.');
  const shop = await startShop();
  process.env.SHOP_ADDRESS = shop.address;
  process.env.SHOP_DATA = shop.dataDir;
  return async () => {
    await shop.stop();
    const errors = shop.log().filter((line) => !/^\{.*"level":(10|20|30|40|"(trace|debug|info|warn)")/.test(line));
    if (errors.length > 0) throw new Error(`The shop's log holds what should not happen:\n${errors.join('\n')}`);
  };
}
