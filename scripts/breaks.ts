/**
 * `npm run test:breaks`: applies each fault of tests/breaks.ts to a copy of the project, one at a time, and runs the test that has to
 * notice it. With words behind it, only those faults that contain one of them, in their sentence or their file.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { EngineName } from '#db/database.ts';
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

const unsound = failing([...new Set(wanted.map(({ noticedBy }) => noticedBy))], 'sqlite');
for (const file of unsound) console.log(`${file} fails without any fault.`);

let unnoticed = unsound.length;
for (const fault of wanted) {
  if (unsound.includes(fault.noticedBy)) continue;
  const isNoticed = notices(fault, 'sqlite') || (hasEngines(fault.noticedBy) && notices(fault, 'postgres'));
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

/** Whether its test fails with the fault; on PostgreSQL, which few faults need, also whether it passes without. */
function notices(fault: Break, engine: EngineName): boolean {
  const { noticedBy } = fault;
  const fails = withFault(fault, () => failing([noticedBy], engine, ['--bail=1']).length > 0);
  return fails && (engine === 'sqlite' || failing([noticedBy], engine).length === 0);
}

/** Which of the test files fail. All of them run in one process, which loads the program once. */
function failing(files: readonly string[], engine: EngineName, args: readonly string[] = []): string[] {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const output = ['--reporter=json', `--outputFile=${report}`];
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...output, ...args, ...files], {
    cwd: copy,
    env: { ...process.env, TEST_ENGINE: engine },
    stdio: 'ignore',
  });
  if (!existsSync(report)) return [...files];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const passed = testResults
    .filter(({ status }) => status === 'passed')
    .map(({ name }) => relative(copy, name));
  return files.filter((file) => !passed.includes(file));
}

function hasEngines(file: string): boolean {
  return /(forEach|onBoth)Engines?\(/.test(readFileSync(join(copy, file), 'utf8'));
}
