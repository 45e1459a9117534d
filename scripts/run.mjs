/** Runs a file of the project on the pinned Node: `node scripts/run.mjs [--built] <file> …`. `--built` builds the storefront first. */
import { become, setUp } from './setup.mjs';

const args = process.argv.slice(2);
const build = args[0] === '--built';
if (build) args.shift();
await setUp({ build });
become(args);
