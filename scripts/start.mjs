/** `npm start`: prepares the clone if needed, then becomes the shop's server. */
import './end-with-npm.mjs';
import { readEnvFile } from './env-file.mjs';
import { serverEnv, serverFlags } from './serving.mjs';
import { become, setUp, setUpForServing } from './setup.mjs';

const envFlags = readEnvFile();
await (process.env.NODE_ENV === 'production' ? setUpForServing() : setUp());
become([...envFlags, ...serverFlags, '--import=./scripts/end-with-npm.mjs', 'server/main.mjs', ...process.argv.slice(2)], {
  ...serverEnv,
  ...process.env,
});
