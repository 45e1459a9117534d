/** `npm run dev`: restarts the server when its files change; the browser applies changes as files are saved. */
import { readEnvFile } from './env-file.mjs';
import { become, setUp } from './setup.mjs';

const envFlags = readEnvFile();
await setUp({ build: false });
become([...envFlags, '--watch', '--watch-preserve-output', 'server/main.mjs', ...process.argv.slice(2)], {
  ...process.env,
  NODE_ENV: 'development',
});
