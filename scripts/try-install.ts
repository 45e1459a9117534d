/**
 * `npm run try-install`: follows docs/how-to/run-a-shop.md and the pages after it as written, on the files of this folder, and checks
 * the result.
 * Needs root on Linux. Runs in namespaces of its own, so that the machine stays unchanged.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPages, shellBlocks, snapshot } from './page-commands.ts';

const root = join(import.meta.dirname, '..');
const scripts = join(import.meta.dirname, 'try-install');
/** Of the shop, and of PostgreSQL. */
const ports = [3000, 5432];
/** It may end with 1: it says what the new shop lacks. */
const doctor = /^.*npm run shop -- doctor$/gm;

const obstacle = await findObstacle();
if (obstacle !== null) {
  console.error(`The page cannot be run here: ${obstacle}`);
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'shopwright-install-'));
// The service's user must be able to reach its program.
chmodSync(work, 0o755);
try {
  process.exitCode = runPage();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The missing prerequisites of the machine; null if there are none. */
async function findObstacle(): Promise<string | null> {
  if (process.platform !== 'linux') return 'it is for Linux.';
  if (process.getuid?.() !== 0)
    return 'run the command as root. It changes nothing outside of its namespaces.';
  const tools = [
    'apt-get',
    'bash',
    'git',
    'node',
    'npm',
    'nsenter',
    'runuser',
    'setpriv',
    'unshare',
    'useradd',
  ];
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing.length > 0) return `install ${missing.join(', ')}.`;
  if (spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status !== 0)
    return 'this container does not allow mounts. Use a machine of its own, or a container with CAP_SYS_ADMIN.';
  for (const port of ports) if (await isTaken(port)) return `port ${port} is in use. Stop the other program.`;
  return null;
}

function isTaken(number: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(number, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.setTimeout(2000, () => resolve(true));
  }).then((taken) => taken === true);
}

/** Returns the exit code. */
function runPage(): number {
  snapshot(join(work, 'repository'));
  cpSync(scripts, join(work, 'bin'), { recursive: true });
  cpSync(join(scripts, 'systemctl.sh'), join(work, 'bin/systemctl'));
  chmodSync(join(work, 'bin/systemctl'), 0o755);
  const blocks = installPages.map((page) => ({
    page,
    ...shellBlocks(readFileSync(join(root, page), 'utf8')),
  }));
  const commands = blocks.flatMap(({ page, run }) =>
    run.map(
      (block) =>
        `echo "--- ${page}:${block.line}"\n${block.commands.replaceAll(doctor, '$& || [ $? -eq 1 ]')}`,
    ),
  );
  writeFileSync(join(work, 'page.sh'), commands.join('\n'));
  for (const { page, skipped } of blocks)
    for (const { line, reason } of skipped) console.log(`${page}:${line} is not run: ${reason}.`);
  const { status } = spawnSync(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      'bash',
      join(work, 'bin/namespace.sh'),
      work,
    ],
    { stdio: 'inherit' },
  );
  console.log(
    status === 0
      ? `The pages work as printed: ${commands.length} blocks.`
      : 'The pages do not work as printed.',
  );
  return status === 0 ? 0 : 1;
}
