/** `npm start`: prepares the clone where needed, then becomes the shop's server. */
import { become, setUp } from './setup.mjs';

await setUp();
become(['server/main.ts', ...process.argv.slice(2)]);
