/** Runs a file of the project on the pinned Node: `node scripts/run.mjs [--built] <file> …`. `--built` builds the storefront first. */
import { readEnvFile } from './env-file.mjs';
import { become, install, setUp } from './setup.mjs';

const args = process.argv.slice(2);
const build = args[0] === '--built';
if (build) args.shift();
const isShopCommand = args[0]?.startsWith('cli/') === true;
// Commands use the same shop as `npm start`. Tests and benchmarks have shops of their own.
const envFlags = isShopCommand ? readEnvFile() : [];
// The shop's commands need no development packages, and a shop in production has none.
if (isShopCommand) await install('shop');
else await setUp({ build, packages: 'tests' });
become([...envFlags, ...args]);
