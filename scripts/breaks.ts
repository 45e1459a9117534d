/**
 * `npm run test:breaks`: applies each fault of tests/breaks.ts to a copy of the project, one at a time, and runs the test that has to
 * notice it. With words behind it, only those faults that contain one of them, in their sentence or their file.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Break, breaks } from '../tests/breaks.ts';

const root = join(import.meta.dirname, '..');
const words = process.argv.slice(2);
const wanted = breaks.filter(
  ({ fault, file }) =>
    words.length === 0 || words.some((word) => fault.includes(word) || file.includes(word)),
);
const copy = copyProject();
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const unsound = [...new Set(wanted.map(({ noticedBy }) => noticedBy))].filter((file) => !passes(file));
for (const file of unsound) console.log(`${file} fails without any fault.`);

let unnoticed = unsound.length;
for (const fault of wanted) {
  if (unsound.includes(fault.noticedBy)) continue;
  const isNoticed = withFault(fault, () => !passes(fault.noticedBy));
  if (!isNoticed) unnoticed += 1;
  console.log(
    `${isNoticed ? 'noticed    ' : 'NOT NOTICED'}  ${fault.fault}${isNoticed ? '' : ` (${fault.file}, ${fault.noticedBy})`}`,
  );
}
console.log(`\n${wanted.length + unsound.length - unnoticed} passed, ${unnoticed} failed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

/** All files that git knows of or would add, and the packages of this checkout. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shopwright-breaks-'));
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function withFault<T>({ file, find, put }: Break, work: () => T): T {
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(find, () => put),
  );
  try {
    return work();
  } finally {
    writeFileSync(path, sound);
  }
}

/** On SQLite first, which notices most faults and starts at once. */
function passes(file: string): boolean {
  return ['sqlite', 'postgres'].every((engine) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', file];
    if (engine === 'postgres' && !hasEngines(file)) return true;
    return (
      spawnSync(process.execPath, args, {
        cwd: copy,
        env: { ...process.env, TEST_ENGINE: engine },
        stdio: 'ignore',
      }).status === 0
    );
  });
}

function hasEngines(file: string): boolean {
  return /(forEach|onBoth)Engines?\(/.test(readFileSync(join(copy, file), 'utf8'));
}
