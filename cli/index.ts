/** `npm run shop -- <command>`: what a merchant does from a terminal. */
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), process.env, console.log);
