/** The entry point of `npm run shop -- <command>`: the merchant's tasks on the command line. */
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), process.env, console.log);
