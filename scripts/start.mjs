/** `npm start`: prepares the clone where needed, then becomes the shop's server. */
import { serverEnv, serverFlags } from './serving.mjs';
import { become, setUp, setUpForServing } from './setup.mjs';

await (process.env.NODE_ENV === 'production' ? setUpForServing() : setUp());
become([...serverFlags, 'server/main.mjs', ...process.argv.slice(2)], { ...serverEnv, ...process.env });
