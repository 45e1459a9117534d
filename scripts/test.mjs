/**
 * `npm test`: what must hold of every change. `npm run test:all`: that first, then all the rest; `npm run test:rest` only the rest.
 *
 *   static    format, lint, types
 *   unit      import rules, unit and service tests; in the rest PostgreSQL everywhere, and all that is slow (vitest.config.ts)
 *   browser   the storefront in Chromium, and providers' pages in a second kind of it if there is one; in the rest the screens in
 *             the other language and size, and `*.slow.spec.ts`
 *
 * `npm run test:long -- weather` runs the slow tests whose files have that in their names, and a day of bad weather with 500 orders.
 * `npm test -- static unit` runs only those stages, and `npm test -- one <file>` one file, on SQLite first, and prints only what
 * failed; `-t "<title>"` chooses tests in it.
 *
 * The last line is `N passed, M failed`; the exit code is 0 only when nothing failed.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { brandFolder, pinnedNode, root, say, setUp } from './setup.mjs';

const [command, ...others] = process.argv.slice(2);
const isOne = command === 'one';
const isAll = command === 'all';
const isRest = command === 'rest';
const isLong = command === 'long';
const stages = isOne || isLong ? [] : isAll || isRest ? others : process.argv.slice(2);
const unknown = stages.filter((stage) => !['static', 'unit', 'browser'].includes(stage));
if (unknown.length > 0) {
  say(`Unknown stage: ${unknown.join(', ')}. Choose static, unit or browser.`);
  process.exit(2);
}
const wanted = (stage) => stages.length === 0 || stages.includes(stage);

const slowScope = { TEST_SCOPE: 'slow', LONG_TESTS: '1' };

/** How many of the slowest files are named. */
const namedFiles = 5;

/** How many lines of the page of a failure are printed. */
const pageLines = 100;

/** Free bytes needed to hold the tests' files in memory: eight times what they use at once. */
const roomWanted = 2 ** 30;

const children = new Set();
/** All files of this run are below it, and end with it. */
const temporary = mkdtempSync(join(temporaryFolder(), 'shopwright-test-'));
// PostgreSQL may run as another user.
chmodSync(temporary, 0o755);
process.on('exit', () => {
  for (const child of children) stop(child);
  rmSync(temporary, { recursive: true, force: true });
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => process.exit(code));

const results = [];
/** The part of `test:all` that the results belong to. */
let part = isRest ? 'The rest' : 'npm test';
if (isOne) {
  await one(process.argv.slice(3));
  process.exit(closingLine());
}

if (isLong) {
  await setUp({ build: false, packages: 'tests' });
  const { WEATHER_ORDERS = '500' } = process.env;
  await unitTests('Long tests', 'long', others, { ...slowScope, WEATHER_ORDERS });
  process.exit(closingLine());
}

await setUp({ build: wanted('browser'), packages: 'tests' });
/**
 * The kinds of Chromium differ in how they route input to the frames of other origins, which only the providers' pages have:
 * those run in the whole browser if there is one, as buyers have it, and all others in the one that is quicker.
 */
const ofProviders = 'payment-(stripe|braintree|paypal)';
const [browser, other] = wanted('browser') ? await findBrowsers() : [];
if (!isRest) {
  if (wanted('static')) await staticChecks();
  await testsOf('quick');
}
if (isAll || isRest) {
  part = 'The rest';
  await testsOf('rest');
}
summarise();

/** The tests of `npm test`, or the rest of those of `test:all`. */
async function testsOf(scope) {
  // Providers' pages run beside the unit tests, one at a time, because they mostly wait; the other browser tests run alone, because
  // they measure.
  await Promise.all([
    wanted('unit') && (scope === 'quick' ? quickTests() : restOfTests()),
    other &&
      playwright(`Paying, ${basename(other)}`, other, scope, [
        '--workers=1',
        '--global-timeout=1200000',
        ofProviders,
      ]),
  ]);
  if (browser)
    await playwright('Browser tests', browser, scope, other ? [`--grep-invert=${ofProviders}`] : []);
}

function quickTests() {
  return unitTests('Unit and service tests', 'unit', [], { TEST_SCOPE: 'quick' });
}

async function restOfTests() {
  await unitTests('Service tests, PostgreSQL', 'postgres', ['-t', 'on postgres'], { TEST_SCOPE: 'postgres' });
  await unitTests('Slow tests', 'slow', [], slowScope);
}

async function staticChecks() {
  await Promise.all([
    check('Format and lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '.']),
    check('Types', ['scripts/types.mjs']),
  ]);
}

/** Runs one file: that of a browser in one project, others on SQLite and, if nothing failed there, on PostgreSQL. */
async function one([file, ...args]) {
  if (!file || !existsSync(join(root, file))) {
    say(`${file ? `There is no ${file}.` : 'Missing file.'} Usage: npm test -- one <file> [-t "<title>"]`);
    process.exit(2);
  }
  const isBrowser = file.endsWith('.spec.ts');
  await setUp({ build: isBrowser, packages: 'tests' });
  if (isBrowser) {
    const [browser] = await findBrowsers();
    const title = args.map((arg) => (arg === '-t' ? '--grep' : arg));
    return playwright(file, browser, '', ['--workers=1', '--project=English, desktop', file, ...title], true);
  }
  const hasEngines = /(forEach|onBoth)Engines?\(/.test(readFileSync(join(root, file), 'utf8'));
  await unitTests(file, 'one', [file, ...args], hasEngines ? { TEST_ENGINE: 'sqlite' } : {}, true);
  if (hasEngines && !results.some(({ failures }) => failures.length > 0))
    await unitTests(
      `${file} on PostgreSQL`,
      'one-postgres',
      [file, ...args],
      { TEST_ENGINE: 'postgres' },
      true,
    );
}

/** A check without a report: its output is shown only if it fails. */
async function check(name, args) {
  const started = Date.now();
  const { code, output } = await run(args, { quiet: true });
  if (code !== 0) say(`\n${name}\n${output.trimEnd()}\n`);
  results.push({
    part,
    name,
    passed: code === 0 ? 1 : 0,
    failures: code === 0 ? [] : [name],
    ms: Date.now() - started,
    files: [],
  });
}

async function unitTests(name, folder, files = [], env = {}, quiet = false) {
  const report = join(temporary, `${folder}.json`);
  const reporters = [
    `--reporter=${quiet ? 'minimal' : 'default'}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  await suite(
    name,
    report,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files],
    (json) => ({
      passed: json.numPassedTests,
      failures: json.testResults.flatMap(({ name, status, assertionResults }) => {
        const titles = assertionResults
          .filter((test) => test.status === 'failed')
          .map(({ fullName }) => fullName);
        // A file that cannot be loaded has no tests.
        const named = titles.length === 0 && status === 'failed' ? ['the file could not be loaded'] : titles;
        return named.map((title) => `${relative(root, name)}: ${title}`);
      }),
      files: json.testResults.map(({ name, startTime, endTime }) => ({
        file: relative(root, name),
        ms: endTime - startTime,
      })),
    }),
    { env, quiet },
  );
}

/** Before the first test, because a missing browser should not be noticed minutes later. */
async function findBrowsers() {
  const { code, output } = await run(['tests/browser/chromium.ts'], { quiet: true });
  if (code === 0) return output.trim().split('\n');
  say(`${output.trimEnd()}\nWithout a browser: npm test -- static unit\n\n0 passed, 1 failed`);
  process.exit(1);
}

async function playwright(name, browser, scope, args = [], quiet = false) {
  const folder = `${basename(browser)}${scope && `-${scope}`}`;
  const report = join(temporary, `${folder}.json`);
  const failed = await suite(
    name,
    report,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config=tests/browser/playwright.config.ts',
      `--output=test-results/${folder}`,
      ...args,
    ],
    ({ stats, suites }) => ({
      passed: stats.expected,
      failures: suites.flatMap((of) => failuresOf(of).map((title) => `tests/browser/${of.file}: ${title}`)),
      files: suites.map((of) => ({ file: `tests/browser/${of.file}`, ms: durationOf(of) })),
    }),
    { env: { BROWSER_REPORT: report, CHROMIUM_PATH: browser, TEST_SCOPE: scope }, quiet },
  );
  if (!failed) return;
  for (const page of pagesOfFailures(folder)) say(page);
  say(`Pictures of the failures, and the shop's log: test-results/${folder}`);
}

/** What the first pages said when their tests failed: of a run elsewhere nothing but its output may be kept. */
function pagesOfFailures(folder) {
  const results = join(root, 'test-results', folder);
  return readdirSync(results)
    .map((test) => join(results, test, 'error-context.md'))
    .filter(existsSync)
    .slice(0, namedFiles)
    .map((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const start = lines.findIndex((line) => /^\s*- main\b/.test(line));
      const indent = lines[start]?.search(/\S/) ?? 0;
      const length = lines.slice(start + 1).findIndex((line) => line.search(/\S/) <= indent);
      const page =
        start < 0 ? [] : lines.slice(start, start + 1 + length).filter((line) => !line.includes('- /url:'));
      const title = lines.find((line) => line.startsWith('- Name: '))?.slice('- Name: '.length);
      return [`\nThe page of ${title}:`, ...page.slice(0, pageLines)]
        .join('\n')
        .replaceAll(/ \[(ref=\w+|cursor=pointer)\]/g, '');
    });
}

/** Titles of what failed, or passed only when it was tried again. */
function failuresOf({ suites = [], specs = [] }) {
  const failed = specs.filter(({ tests }) =>
    tests.some(({ status }) => status === 'unexpected' || status === 'flaky'),
  );
  return [...failed.map(({ title }) => title), ...suites.flatMap(failuresOf)];
}

function durationOf({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  return [...results.map(({ duration }) => duration), ...suites.map(durationOf)].reduce(
    (sum, ms) => sum + ms,
    0,
  );
}

/**
 * Runs a suite with its output shown (`quiet`: only if it fails), then reads its report. A suite that ends badly without a failed test counts as one
 * failure. Resolves with whether anything failed.
 */
async function suite(name, report, args, read, options) {
  const started = Date.now();
  const { code, output } = await run(args, options);
  if (code !== 0) say(output.trimEnd());
  const none = { passed: 0, failures: ['no report was written'], files: [] };
  const { passed, failures, files } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : none;
  const named = code !== 0 && failures.length === 0 ? [`${name} ended with code ${code}`] : failures;
  results.push({ part, name, passed, failures: named, ms: Date.now() - started, files });
  return named.length > 0;
}

/** Runs a file on the pinned Node, in a process group of its own, so that stopping it stops all its children. */
function run(args, { quiet = false, env = {} } = {}) {
  return new Promise((done) => {
    const child = spawn(pinnedNode(), args, {
      cwd: root,
      env: { ...process.env, BRAND: brandFolder(), TMPDIR: temporary, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      detached: process.platform !== 'win32',
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => done({ code: 1, output: error.message }));
    child.on('close', (code) => {
      stop(child);
      children.delete(child);
      done({ code: code ?? 1, output });
    });
  });
}

/**
 * The folder for databases and browser profiles: in memory if there is enough of it. None of them outlives the run, and a disk
 * would delay it thousands of times, by unpredictable amounts.
 */
function temporaryFolder() {
  const memory = '/dev/shm';
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.includes(` ${memory} `));
    // Programs may have to be started from that folder.
    return bavail * bsize >= roomWanted && mounted && !/\bnoexec\b/.test(mounted) ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

function stop(child) {
  try {
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The process and all its children are gone.
  }
}

function summarise() {
  for (const title of new Set(results.map((result) => result.part))) {
    console.log(isAll || isRest ? `\n${title}` : '');
    for (const { part, name, passed, failures, ms } of results) {
      if (part !== title) continue;
      const verdict = failures.length > 0 ? `${failures.length} failed` : 'passed';
      console.log(
        `${name.padEnd(26)} ${verdict.padEnd(12)} ${String(passed).padStart(5)} ok  ${seconds(ms).padStart(7)} s`,
      );
    }
  }
  const slowest = results.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms);
  const named = slowest.slice(0, namedFiles).map(({ file, ms }) => `${file} ${seconds(ms)} s`);
  console.log(`\nSlowest files: ${named.join(', ') || 'none'}`);
  const used = processorMs();
  if (used) console.log(`Processor time, of all processes: ${seconds(used)} s`);
  const failures = results.flatMap((result) => result.failures.map((failure) => `  ${failure}`));
  // Last, since a record of a long run often keeps its end only.
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  console.log('');
  process.exitCode = closingLine();
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

/** Of this process and all its children that have ended, ms; null where the system does not tell. */
function processorMs() {
  try {
    const [, ...fields] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    // utime, stime, cutime and cstime, in hundredths of a second.
    return fields.slice(10, 14).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    return null;
  }
}

/** Prints the last line, and returns the exit code. */
function closingLine() {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.flatMap(({ failures }) => failures).length;
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || results.length === 0 ? 1 : 0;
}
