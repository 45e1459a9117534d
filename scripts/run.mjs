/** Runs a file of the project on the pinned Node: `node scripts/run.mjs [--built] <file> …`. `--built` builds the storefront first. */
import { become, install, setUp } from './setup.mjs';

const args = process.argv.slice(2);
const build = args[0] === '--built';
if (build) args.shift();
// Commands of the shop need no packages of development, and a shop in production has none.
if (args[0]?.startsWith('cli/')) await install({ dev: false });
else await setUp({ build });
become(args);
