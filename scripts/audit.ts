/**
 * `npm run audit`: asks the registry for known vulnerabilities of the packages, and checks lockfile and licences.
 * Exit code 1 if a production package has a vulnerability of high severity, or if the lockfile or a licence is wrong. If the
 * registry does not answer, it prints so and passes.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Lockfile,
  type Manifest,
  readAudit,
  shopPackages,
  testPackages,
  wrongLicences,
  wrongLockfile,
} from './dependencies.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
const lockfile = read('package-lock.json') as Lockfile;

const problems = [
  ...new Set([
    ...wrongLockfile(read('package.json') as Manifest, lockfile),
    ...wrongLockfile(read(`${testPackages}/package.json`) as Manifest, lockfile, testPackages),
    ...wrongLicences(lockfile),
  ]),
];
for (const problem of problems) console.log(`FAIL  ${problem}`);
if (problems.length === 0)
  console.log(`OK    Lockfile and licences of ${Object.keys(lockfile.packages).length - 1} packages`);

const { vulnerable, unchecked } = readAudit(await npmAudit(), shopPackages(lockfile));
for (const { line } of vulnerable) console.log(line);
if (unchecked !== null) console.log(`WARN  Known vulnerabilities were not checked: ${unchecked}`);
else if (vulnerable.length === 0)
  console.log('OK    No known vulnerabilities in the packages the shop runs on');
process.exitCode = problems.length > 0 || vulnerable.some(({ severe }) => severe) ? 1 : 0;

/** The JSON that npm prints about all packages. Its exit code is 1 for findings as well as for failures. */
function npmAudit(): Promise<string> {
  const started = process.env.npm_execpath;
  const [file, args] = started ? [process.env.npm_node_execpath ?? process.execPath, [started]] : ['npm', []];
  const all = [...args, 'audit', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
  return new Promise((done) => {
    execFile(file, all, { cwd: root, timeout: 60_000, maxBuffer: 2 ** 26 }, (_error, stdout) => done(stdout));
  });
}
