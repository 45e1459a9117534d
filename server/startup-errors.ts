import { join } from 'node:path';
import { sqlState } from '#db/engines/postgres.ts';
import { resultCode } from '#db/engines/sqlite.ts';
import { NewerDatabaseError } from '#db/migrate.ts';
import { NoPrimaryError, parsePostgresUrl } from '#db/postgres/url.ts';
import { EmptyDatabaseFileError, ForeignDatabaseError, sqliteFileName } from '#db/sqlite/open.ts';
import { ConfigurationError, type Env } from '#server/env.ts';
import { MetricsPortError } from '#server/platform/telemetry/metric.ts';

type Place = Pick<Env, 'dataDir' | 'databaseUrl' | 'host' | 'port'>;

/** Null for an unexpected error. `place` is null before the configuration is read. */
export function startupErrorMessage(error: unknown, place: Place | null): string | null {
  const foreseen = [
    ConfigurationError,
    NewerDatabaseError,
    ForeignDatabaseError,
    EmptyDatabaseFileError,
    MetricsPortError,
  ];
  if (!(error instanceof Error)) return null;
  if (foreseen.some((kind) => error instanceof kind)) return error.message;
  if (!place) return null;
  return (
    listenProblem(error, place) ??
    (place.databaseUrl ? postgresProblem(error, place.databaseUrl) : fileProblem(error, place))
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function listenProblem(error: Error, { host, port }: Place): string | null {
  // Workers are told that the primary process could not bind.
  if (!('syscall' in error) || !['bind', 'listen'].includes(String(error.syscall))) return null;
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop the other program, or set PORT to another port.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user. Set PORT to 1024 or higher.`;
  return `The shop cannot listen on ${host}, port ${port} (${code}). Set HOST to an address of this machine.`;
}

function fileProblem(error: Error, { dataDir }: Place): string | null {
  const file = join(dataDir, sqliteFileName);
  switch ((resultCode(error) ?? 0) & 0xff) {
    case 5:
      return `Another program holds ${file} locked. Stop it, and start the shop again.`;
    case 8:
    case 14:
      return `${file} cannot be opened for writing. Give the shop's user write access to it and to its folder.`;
    case 10:
      return `${file} cannot be read or written: the disk reports an error. Check the disk, then start the shop again.`;
    case 11:
      return `${file} is damaged. Restore a backup in its place (docs/how-to/operate-a-shop.md, "Restore a backup").`;
    case 13:
      return `The disk that holds ${file} is full. Free some space, and start the shop again.`;
    case 26:
      return `${file} is not a database. Restore a backup in its place, or set DATA_DIR to the right folder.`;
  }
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk that holds ${dataDir} is full. Free some space, and start the shop again.`;
  if (/^(?:EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|ELOOP|ENAMETOOLONG)$/.test(code) && 'path' in error)
    return `The data folder ${dataDir} cannot be used (${code}: ${error.path}). Give the shop's user write access to it, or set DATA_DIR.`;
  return null;
}

function postgresProblem(error: Error, databaseUrl: string): string | null {
  // Without user and password.
  const { names = [], database = '' } = parsePostgresUrl(databaseUrl) ?? {};
  const server = `PostgreSQL at ${names.join(', ') || 'this machine'}`;
  if (error instanceof NoPrimaryError) return `${error.message}. Start the primary, or correct DATABASE_URL.`;
  const code = sqlState(error) ?? '';
  if (code.startsWith('28')) return `${server} rejects the user or the password. Correct DATABASE_URL.`;
  if (code === '3D000') return `${server} has no database ${database}. Create it, or correct DATABASE_URL.`;
  if (code === '53300')
    return `${server} has no free connection. Raise its max_connections, or stop other programs.`;
  if (code === '42501')
    return `${server} does not let this user create tables in ${database}. Grant it, or correct DATABASE_URL.`;
  const lost = /^(?:Connection terminated|timeout exceeded)/.test(error.message);
  if (/^(?:E[A-Z_]+|08...|57P0.)$/.test(code) || lost)
    return `${server} cannot be reached (${code || error.message}). Start it, or correct DATABASE_URL.`;
  return null;
}
