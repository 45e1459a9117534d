/** With several hosts as libpq writes them. */

export interface PostgresHosts {
  /** In the order given. */
  urls: string[];
  /** Host and port of each, without user and password; '' is this machine's socket. */
  names: string[];
  /** '' if the URL has none. */
  database: string;
  /** The connection must be to the server that accepts writes. */
  writable: boolean;
}

const parts = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const host = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.%-]*)(?::(\d{1,5}))?$/;
/** What libpq calls a server that accepts writes. Others make no sense for a shop, which writes. */
const writableAttributes = new Set(['read-write', 'primary']);

/** As libpq has them. Several hosts always mean: the one that accepts writes. Null for anything else. */
export function parsePostgresUrl(text: string): PostgresHosts | null {
  const [, scheme = '', credentials, hostList = '', path = '', query = ''] = parts.exec(text) ?? [];
  if (!scheme) return null;
  const names = hostList.split(',');
  if (!names.every(isHost) || (names.length > 1 && names.includes(''))) return null;
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get('target_session_attrs');
  if (attributes !== null && !writableAttributes.has(attributes)) return null;
  // libpq's: the driver does not know it.
  parameters.delete('target_session_attrs');
  const rest = parameters.size > 0 ? `?${attributes === null ? query : parameters}` : '';
  const urls = names.map(
    (name) => `${scheme}${credentials === undefined ? '' : `${credentials}@`}${name}${path}${rest}`,
  );
  if (!urls.every((url) => URL.canParse(url))) return null;
  return { urls, names, database: path.slice(1), writable: names.length > 1 || attributes !== null };
}

function isHost(name: string): boolean {
  const match = host.exec(name);
  return match !== null && Number(match[1] ?? 1) >= 1 && Number(match[1] ?? 1) <= 65535;
}

/** No host accepts writes at present. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
  /** SQLSTATE: a connection could not be established. */
  readonly code = '08001';

  /** `states`: why each host is not usable, such as `db1:5432 (read-only)`. */
  constructor(states: readonly string[]) {
    super(`No PostgreSQL host accepts writes: ${states.join(', ')}`);
  }
}
