/** `npm run example -- river-cups`: opens a shop of `examples/` with its own look, in its own data folder, without the demo's brand. */
import './end-with-npm.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnv, serverFlags } from './serving.mjs';
import { fail, pinnedNode, root, say, setUp } from './setup.mjs';

const [name, ...args] = process.argv.slice(2);
const examples = join(root, 'examples');
if (!name || !existsSync(join(examples, name, 'shop.json')))
  fail(`Name an example: npm run example -- ${readdirSync(examples).join(' | ')}`);
const folder = join('examples', name);

// Nothing of .env, nor of a shop that the calling shell names: an example is never written into one.
const { PATH, HOME, PORT, HOST, TMPDIR, SystemRoot } = process.env;
const given = {
  PATH,
  HOME,
  PORT,
  HOST,
  TMPDIR,
  SystemRoot,
  DEMO: '0',
  BRAND: '',
  DATA_DIR: join(folder, 'data'),
};
const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
Object.assign(process.env, { DEMO: '0', BRAND: '' });
for (const other of ['PUBLIC_URL', 'NODE_ENV']) delete process.env[other];
const build = await setUp();

const server = spawn(pinnedNode(), [...serverFlags, 'server/main.mjs', `--build=${build}`, ...args], {
  cwd: root,
  env: { ...serverEnv, ...env },
  stdio: ['inherit', 'pipe', 'inherit'],
});
// A terminal sends Ctrl-C to the server as well; another signal reaches only this process.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
server.stdout.pipe(process.stdout);
// It has made the database by then.
server.stdout.once('data', fillOnce);

/** What was changed since the shop was filled stays. */
function fillOnce() {
  const filled = join(root, folder, 'data/filled');
  if (existsSync(filled)) return;
  const commands = [['fill', join(folder, 'shop.json')]];
  if (existsSync(join(root, folder, 'posts.json'))) commands.push(['blog', join(folder, 'posts.json')]);
  for (const command of commands) {
    say(`npm run shop -- ${command.join(' ')}`);
    const { status } = spawnSync(pinnedNode(), ['cli/index.ts', ...command], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    if (status === 0) continue;
    server.kill();
    fail(`The example ${name} could not be filled.`);
  }
  writeFileSync(filled, '');
}
