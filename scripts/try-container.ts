/**
 * `npm run try-container`: follows docs/how-to/run-in-a-container.md as written, on the files of this folder, and checks the result.
 * Needs root on Debian, with its podman, podman-compose, runc and debootstrap. They stand in for Docker, and an image of Debian that
 * debootstrap makes, with this machine's Node and npm, for those of Docker Hub. Images, containers and volumes are in a temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellBlocks, snapshot } from './page-commands.ts';

const root = join(import.meta.dirname, '..');
const page = 'docs/how-to/run-in-a-container.md';
const scripts = join(import.meta.dirname, 'try-container');
/** It may end with 1: it says what the new shop lacks. */
const doctor = /^.* shop doctor$/gm;

const tools = ['debootstrap', 'podman', 'podman-compose', 'runc', 'git', 'npm', 'curl'];
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.error(`The page cannot be run here: run the command as root on Debian, with ${tools.join(', ')}.`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'shopwright-container-'));
try {
  process.exitCode = runPage();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Returns the exit code. */
function runPage(): number {
  snapshot(join(work, 'repository'));
  makeBase();
  const { run, skipped } = shellBlocks(readFileSync(join(root, page), 'utf8'));
  const commands = run.map(({ line, commands: block }) => {
    const printed = block
      .replaceAll('/mnt/repository', join(work, 'repository'))
      .replaceAll(doctor, '$& || [ $? -eq 1 ]');
    return `echo "--- ${page}:${line}"\n${printed.replaceAll('$PWD/my-shop', '$PWD/examples/river-cups')}`;
  });
  writeFileSync(join(work, 'page.sh'), commands.join('\n'));
  for (const { line, reason } of skipped) console.log(`${page}:${line} is not run: ${reason}.`);
  const env = {
    ...process.env,
    PATH: `${scripts}:${process.env.PATH}`,
    // Images in Docker's own format, which has health checks.
    BUILDAH_FORMAT: 'docker',
    CONTAINERS_CONF: join(scripts, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(work, 'storage.conf'),
  };
  const { status } = spawnSync('bash', [join(scripts, 'run.sh'), work], { cwd: work, stdio: 'inherit', env });
  console.log(
    status === 0
      ? `The page works as printed: ${commands.length} blocks.`
      : 'The page does not work as printed.',
  );
  return status === 0 ? 0 : 1;
}

/** What run.sh makes the two images of: the machine's Node and npm, and the certificates that it trusts. */
function makeBase(): void {
  const base = join(work, 'base');
  mkdirSync(base);
  cpSync(process.execPath, join(base, 'node'));
  const npm = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim();
  cpSync(join(npm, 'npm'), join(base, 'npm'), { recursive: true });
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(certificates)) cpSync(certificates, join(base, 'ca-certificates.crt'));
  else writeFileSync(join(base, 'ca-certificates.crt'), '');
  cpSync(join(scripts, 'Containerfile'), join(base, 'Containerfile'));
  const storage = [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${work}/images"`,
    `runroot = "${work}/running"`,
  ];
  writeFileSync(join(work, 'storage.conf'), `${storage.join('\n')}\n`);
}
