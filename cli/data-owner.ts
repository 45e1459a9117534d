/** Checks who may write to the data folder: the shop cannot change files that another user creates there. */
import { accessSync, constants, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const superuser = 0;
/** The mode bits that give access to users other than the owner. */
const openToOthers = 0o077;

/** The id of the user who runs this process; undefined on Windows, where files have no such owner. */
export function currentUser(): number | undefined {
  return process.getuid?.();
}

/** Names the command to run instead. `command` is its words, `variables` the environment's. Null for the owner, or before the folder exists. */
export function otherOwner(
  dataDir: string,
  {
    command,
    variables,
    uid,
  }: { command: readonly string[]; variables: readonly string[]; uid: number | undefined },
): string | null {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || uid === undefined || owner === uid) return null;
  const name = userName(owner);
  const user = name ?? `#${owner}`;
  const words = ['npm', 'run', 'shop', '--', ...command.map(quoted)].join(' ');
  // Root needs no sudo, and Debian does not install it.
  const asOwner =
    uid === superuser && name ? `runuser -u ${user} --` : `sudo${preserving(variables)} -u ${quoted(user)}`;
  return `The data folder ${dataDir} belongs to ${name ?? `the user ${user}`}. Run the command as that user: ${asOwner} ${words}`;
}

function preserving(variables: readonly string[]): string {
  return variables.length > 0 ? ` --preserve-env=${variables.join(',')}` : '';
}

/** What stops the folder's owner from writing to it, and other users who can read it, each with the command that fixes it. */
export function dataFolderProblems(dataDir: string): string[] {
  const { uid, mode } = statSync(dataDir);
  // Windows has neither owners nor modes.
  if (currentUser() === undefined) return canWrite(dataDir) ? [] : [`${dataDir} is not writable`];
  const problems: string[] = [];
  if (!canWrite(dataDir)) problems.push(`${dataDir} is not writable: chmod u+rwx ${quoted(dataDir)}`);
  if ((mode & openToOthers) !== 0)
    problems.push(`${dataDir} is open to other users: chmod 700 ${quoted(dataDir)}`);
  const owner = userName(uid) ?? String(uid);
  for (const path of foreignFiles(dataDir, uid)) {
    const other = lstatSync(path, { throwIfNoEntry: false })?.uid;
    if (other === undefined) continue;
    problems.push(
      `${path} belongs to ${userName(other) ?? other}, not to ${owner}: chown -R ${owner} ${quoted(dataDir)}`,
    );
  }
  return problems;
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Files and folders that the owner of the data folder does not own. The contents of a listed folder are not listed again. */
function foreignFiles(folder: string, owner: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // SQLite may delete one of its files while the shop runs.
    if ((lstatSync(path, { throwIfNoEntry: false })?.uid ?? owner) !== owner) return [path];
    return entry.isDirectory() && canWrite(path) ? foreignFiles(path, owner) : [];
  });
}

function userName(uid: number): string | null {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n');
    return users.map((line) => line.split(':')).find(([, , id]) => id === String(uid))?.[0] ?? null;
  } catch {
    return null;
  }
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
