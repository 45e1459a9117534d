/** `npm start`: prepares the clone if needed, then becomes the shop's server. */
import './end-with-npm.mjs';
import { readEnvFile } from './env-file.mjs';
import { serverEnv, serverFlags } from './serving.mjs';
import { become, latestBuild, removeOldBuilds, setUp, setUpForServing } from './setup.mjs';

const envFlags = readEnvFile();
await (process.env.NODE_ENV === 'production' ? setUpForServing() : setUp());
removeOldBuilds(Date.now());
become([...envFlags, ...serverFlags, '--import=./scripts/end-with-npm.mjs', 'server/main.mjs', ...process.argv.slice(2)], {
  ...serverEnv,
  ...process.env,
  // Workers that are started after another build serve the files that the pages of the first ones name.
  WEB_BUILD: latestBuild(),
});
