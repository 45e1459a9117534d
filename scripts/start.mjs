/** `npm start`: prepares the clone if needed, then becomes the shop's server. */
import './end-with-npm.mjs';
import { readEnvFile } from './env-file.mjs';
import { serverEnv, serverFlags } from './serving.mjs';
import { become, setUp, setUpForServing } from './setup.mjs';

const envFlags = readEnvFile();
const build = await (process.env.NODE_ENV === 'production' ? setUpForServing() : setUp());
// As an argument, which other starts see: they leave the build alone while this process lives. A demo that is tried out gets a past.
const server = [
  '--import=./scripts/end-with-npm.mjs',
  'server/main.mjs',
  `--build=${build}`,
  '--past',
  ...process.argv.slice(2),
];
become([...envFlags, ...serverFlags, ...server], { ...serverEnv, ...process.env });
