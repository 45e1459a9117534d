/** Checks the packages, from the lockfile and from npm's report. */
import packageJson from '../package.json' with { type: 'json' };

export interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

export interface LockedPackage extends Manifest {
  version?: string;
  /** Absent for the registry that npm is configured with. */
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  /** A link to another manifest of this project. */
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

/** `package-lock.json`, version 3. Keys of `packages` are paths; '' is the project itself. */
export interface Lockfile {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

const registry = 'https://registry.npmjs.org/';
const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/** Licences that allow a shop under MIT to be distributed. */
const goodLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);
/** Used as separate libraries beside the program, or in development only. */
const alsoGood = new Set(['LGPL-3.0-or-later', 'MPL-2.0']);

/** The licences of packages that state them where npm does not look: in the old field `licenses`, or in their README. */
const statedElsewhere = new Map([
  ['node_modules/busboy', 'MIT'],
  ['node_modules/humanize-number', 'MIT'],
  ['node_modules/streamsearch', 'MIT'],
]);

/** Where the manifest of the tests' packages is, and its entry of the lockfile; the root's is ''. */
export const testPackages = 'tests/packages';

/** Problems of the lockfile with the manifest in `folder`, a line each. */
export function wrongLockfile(
  manifest: Manifest,
  lockfile: Lockfile,
  folder: '' | typeof testPackages = '',
): string[] {
  const problems: string[] = [];
  const root = lockfile.packages[folder] ?? {};
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'] as const) {
    const wanted = manifest[kind] ?? {};
    const locked = root[kind] ?? {};
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
      // A package may be installed under another name: npm:typescript@5.9.3.
      const version = wanted[name]?.replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+@/, '') ?? '';
      if (wanted[name] !== locked[name])
        problems.push(`${name}: package.json and package-lock.json disagree. Run npm install.`);
      else if (!exactVersion.test(version)) problems.push(`${name}: ${wanted[name]} is not an exact version`);
      else if (lockfile.packages[`node_modules/${name}`]?.version !== version)
        problems.push(`${name}: the lockfile has another version than ${wanted[name]}`);
    }
  }
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    // A bundled package lies in the archive of the package around it.
    if (isOwn(path, entry) || entry.inBundle) continue;
    // A package without an address comes from the registry that npm is configured with.
    if (entry.resolved !== undefined && !entry.resolved.startsWith(registry))
      problems.push(`${path}: does not come from ${registry}`);
    if (!entry.integrity?.startsWith('sha512-')) problems.push(`${path}: has no sha512 checksum`);
  }
  return problems;
}

/** Packages whose licence has not been reviewed, a line each. */
export function wrongLicences(lockfile: Lockfile): string[] {
  return Object.entries(lockfile.packages).flatMap(([path, entry]) => {
    const { license = statedElsewhere.get(path) } = entry;
    return isOwn(path, entry) || isGood(license ?? '')
      ? []
      : [`${path}: the licence ${license ?? '(none)'} is not on the list`];
  });
}

const isOwn = (path: string, { link }: LockedPackage) =>
  path === '' || path === testPackages || link === true;

/** The paths of the packages that a shop runs on, those that only some environments ask for included. */
export function shopPackages(lockfile: Lockfile): Set<string> {
  const found = new Set<string>();
  /** Node's way: the folder beside, else the one of each package around it. */
  const find = (from: string, name: string): string | undefined => {
    const path = `${from ? `${from}/` : ''}node_modules/${name}`;
    if (lockfile.packages[path]) return path;
    return from ? find(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name) : undefined;
  };
  const add = (from: string, { dependencies, optionalDependencies }: LockedPackage) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = find(from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path, lockfile.packages[path] ?? {});
    }
  };
  add('', lockfile.packages[''] ?? {});
  add('', {
    dependencies: Object.fromEntries(
      Object.values(packageJson.config.packagesOfVariables).flatMap((names) => names.map((n) => [n, ''])),
    ),
  });
  return found;
}

/** Evaluates an expression such as `(MIT OR GPL-3.0)` or `Apache-2.0 AND LGPL-3.0-or-later`. */
function isGood(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((all) =>
    all.split(' AND ').every((name) => goodLicences.has(name) || alsoGood.has(name)),
  );
}

export interface AuditResult {
  /** A printable line each; `severe` means high severity or worse. */
  vulnerable: { line: string; severe: boolean }[];
  /** Why nothing could be checked; null if the check succeeded. */
  unchecked: string | null;
}

/** Parses the output of `npm audit --json`, as far as it concerns the packages with these paths. */
export function readAudit(printed: string, paths: ReadonlySet<string>): AuditResult {
  let report: {
    error?: { summary?: string; code?: string };
    message?: string;
    vulnerabilities?: Record<string, { name: string; severity: string; range: string; nodes: string[] }>;
  };
  try {
    report = JSON.parse(printed);
  } catch {
    return { vulnerable: [], unchecked: 'npm audit gave no report' };
  }
  if (!report.vulnerabilities) {
    const reason =
      report.error?.summary || report.error?.code || report.message || 'the registry did not answer';
    return { vulnerable: [], unchecked: reason };
  }
  const concerned = Object.values(report.vulnerabilities).filter(({ nodes }) =>
    nodes.some((path) => paths.has(path)),
  );
  const vulnerable = concerned.map(({ name, severity, range }) => {
    const severe = severity === 'high' || severity === 'critical';
    return {
      line: `${severe ? 'FAIL' : 'WARN'}  ${name} ${range}: known vulnerability, ${severity}`,
      severe,
    };
  });
  return { vulnerable, unchecked: null };
}
