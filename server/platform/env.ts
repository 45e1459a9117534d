import { printerEncodings } from '#contract/connection-fields.ts';
import { parsePostgresUrl } from '#db/postgres/url.ts';

export interface MediaStoreTarget {
  bucket: string;
  /** '' or a path that ends in a slash. */
  prefix: string;
  /** Null is Amazon S3. */
  endpoint: string | null;
  region: string;
}

/** A printer that speaks ESC/POS over the network, and the store whose orders it prints. */
export interface TicketPrinter {
  store: string;
  /** The store's id, with a number for its second printer and further ones. */
  lane: string;
  host: string;
  port: number;
  /** Characters on a line. */
  columns: number;
  /** The character set that the printer is set to. */
  encoding: (typeof printerEncodings)[number];
}

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** By provider; null for one that is not set up. The payments module defines their shape. */
export type ProviderKeys = Readonly<Record<string, object | null>>;

export interface Env<Keys extends ProviderKeys = ProviderKeys> {
  host: string;
  /** 0 lets the operating system choose. */
  port: number;
  dataDir: string;
  /** Relative to the program's folder. Null: the demo's. */
  brand: string | null;
  /** Null stores images and videos in `dataDir`. */
  mediaStore: MediaStoreTarget | null;
  /** Null selects the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** Without a trailing slash. Null uses the address the server listens on. */
  publicUrl: string | null;
  /** Without a trailing slash. Null: the shop's own. */
  officeUrl: string | null;
  /** Whether HSTS also covers every subdomain of the shop's host. */
  hstsSubdomains: boolean;
  smtpUrl: string | null;
  /** Null shows the shop's own gallery. */
  instagram: { apiUrl: string; token: string } | null;
  ticketPrinters: readonly TicketPrinter[];
  /** Whom push services can write to, `mailto:…`; null: no device is notified of new orders. */
  pushContact: string | null;
  /** Speaks as Nominatim does. Null: zones know addresses by their postal codes. */
  geocoderUrl: string | null;
  /** With {z}, {x} and {y}; a path refers to this shop. */
  mapTilesUrl: string;
  mapAttribution: string;
  /** Fills an empty database; the demo customer may exist. Off by default with a public address or a provider's keys. */
  demo: boolean;
  /** Whether a demo that is loaded gets a past. Null: as the start says. */
  demoPast: boolean | null;
  /** Whether the demo's people may enter the office by a click: a demo that only this machine reaches. */
  demoStaff: boolean;
  /** They take no money: only in the demo, and in production only if DEMO=1 says so. */
  simulatedPayments: boolean;
  payments: Keys;
  /** Also over plain http and to any port. */
  webhooksAllowPrivate: boolean;
  logLevel: LogLevel;
  workers: number;
  production: boolean;
  /** 32 bytes, which encrypt what owners set in the office. Null: those of a file in `dataDir`. */
  connectionsKey: Buffer | null;
  /** What the rest was read from: what owners set in the office is read as if it stood there, too. */
  variables: EnvSource;
  /** For the client's address and protocol. 0 trusts none. */
  proxyHops: number;
  /** At a time: in total, and of one network (behind a proxy: its requests under way). */
  maxConnections: number;
  maxConnectionsPerNetwork: number;
  /** Null: nothing is counted. Port 0 lets the operating system choose. */
  metrics: { host: string; port: number } | null;
  /** Without a trailing slash; the share of requests is 0 to 1. Null: nothing is traced. */
  traces: { endpoint: string; ratio: number } | null;
}

/** What an owner may also set in the office, while the shop runs. */
export type Connected<Keys extends ProviderKeys = ProviderKeys> = Pick<
  Env<Keys>,
  (typeof connectedKeys)[number]
>;
const connectedKeys = [
  ...(['smtpUrl', 'instagram', 'geocoderUrl', 'ticketPrinters', 'mapTilesUrl', 'mapAttribution'] as const),
  ...(['payments', 'simulatedPayments', 'demo'] as const),
] as const;

/** As the environment alone says. */
export function connectedOf<Keys extends ProviderKeys>(env: Env<Keys>): Connected<Keys> {
  return Object.fromEntries(connectedKeys.map((key) => [key, env[key]])) as Connected<Keys>;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Names every invalid variable and what was expected of it. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly problems: Record<string, string>;

  constructor(problems: Record<string, string>) {
    super(
      `Invalid configuration:\n${Object.entries(problems)
        .map(([key, expected]) => `  ${key} ${expected}`)
        .join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Empty counts as not set. `readProviderKeys` adds to `problems`. @throws {ConfigurationError} naming every variable */
export function readEnvWith<Keys extends ProviderKeys>(
  source: EnvSource,
  readProviderKeys: (source: EnvSource, problems: Record<string, string>) => Keys,
): Env<Keys> {
  const problems: Record<string, string> = {};
  const value = readerOf(source, problems);
  const production = source.NODE_ENV === 'production';
  const address = (name: string, example: string) =>
    value<string | null>(name, null, `an http:// or https:// address without path, like ${example}`, origin);
  const publicUrl = address('PUBLIC_URL', 'https://shop.example');
  const connected = readConnectedWith(source, readProviderKeys, problems);
  const { payments, demo } = connected;
  const env: Env<Keys> = {
    ...connected,
    host: value('HOST', '127.0.0.1', 'a host name or address', hostName),
    port: value('PORT', 3000, 'a whole number from 0 to 65535', wholeNumber(0, 65535)),
    dataDir: value('DATA_DIR', 'data', 'a folder', (text) => text),
    brand: value<string | null>('BRAND', null, 'a folder', (text) => text),
    mediaStore: value<MediaStoreTarget | null>(
      'MEDIA_URL',
      null,
      'an address like s3://bucket/prefix?region=ca-central-1, with endpoint=https://… for a store other than Amazon S3',
      mediaStoreTarget,
    ),
    ...readDatabase(value),
    publicUrl,
    officeUrl: address('OFFICE_URL', 'https://office.shop.example'),
    hstsSubdomains: value('HSTS_SUBDOMAINS', false, '1 or 0', onOrOff),
    demoPast: value<boolean | null>('DEMO_PAST', null, '1 or 0', onOrOff),
    pushContact: value<string | null>('WEB_PUSH_CONTACT', null, 'an email address', (text) =>
      /^[^\s@]+@[^\s@]+$/.test(text) ? `mailto:${text}` : undefined,
    ),
    demoStaff: false,
    webhooksAllowPrivate: value('WEBHOOKS_ALLOW_PRIVATE', false, '1 or 0', onOrOff),
    logLevel: value<LogLevel>('LOG_LEVEL', 'info', `one of ${logLevels.join(', ')}`, (text) =>
      logLevels.find((level) => level === text),
    ),
    workers: value('WORKERS', 1, 'a whole number from 1 to 64', wholeNumber(1, 64)),
    production,
    connectionsKey: value<Buffer | null>(
      'CONNECTIONS_KEY',
      null,
      '32 bytes in Base64, as of: openssl rand -base64 32',
      key,
    ),
    variables: source,
    proxyHops: value(
      'PROXY_HOPS',
      publicUrl === null ? 0 : 1,
      'a whole number from 0 to 10',
      wholeNumber(0, 10),
    ),
    maxConnections: value(
      'MAX_CONNECTIONS',
      4096,
      'a whole number from 10 to 1000000',
      wholeNumber(10, 1_000_000),
    ),
    maxConnectionsPerNetwork: value(
      'MAX_CONNECTIONS_PER_NETWORK',
      256,
      'a whole number from 1 to 1000000',
      wholeNumber(1, 1_000_000),
    ),
    ...readTelemetry(value),
  };
  if (Object.keys(problems).length > 0) throw new ConfigurationError(problems);
  return { ...env, demoStaff: demo && !isReal(source, payments) && !production && isLoopback(env.host) };
}

/** What owners may also set in the office. `problems` receives what is invalid, by variable. */
export function readConnectedWith<Keys extends ProviderKeys>(
  source: EnvSource,
  readProviderKeys: (source: EnvSource, problems: Record<string, string>) => Keys,
  problems: Record<string, string>,
): Connected<Keys> {
  const value = readerOf(source, problems);
  const production = source.NODE_ENV === 'production';
  const payments = readProviderKeys(source, problems);
  const real = isReal(source, payments);
  return {
    ...readMailServer(value),
    ...readMap(value),
    instagram: readInstagram(value, production),
    ...readNeighbours(value),
    payments,
    demo: value('DEMO', !real, '1 or 0', onOrOff),
    simulatedPayments: value('DEMO', !(real || production), '1 or 0', onOrOff),
  };
}

/** Whether the public reaches the shop, or it can take money. */
function isReal(source: EnvSource, payments: ProviderKeys): boolean {
  return Boolean(source.PUBLIC_URL?.trim()) || Object.values(payments).some((keys) => keys !== null);
}

function readMailServer(value: ReadValue): Pick<Env, 'smtpUrl'> {
  return {
    smtpUrl: value<string | null>('SMTP_URL', null, 'an address like smtp://user:password@host:587', (text) =>
      url(text, ['smtp:', 'smtps:']),
    ),
  };
}

function key(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && /^[\w+/-]{43}=?$/.test(text) ? bytes : undefined;
}

type ReadValue = <T>(key: string, fallback: T, expected: string, parse: (text: string) => T | undefined) => T;

function readerOf(source: EnvSource, problems: Record<string, string>): ReadValue {
  return (key, fallback, expected, parse) => {
    const text = source[key]?.trim();
    if (!text) return fallback;
    const parsed = parse(text);
    // The message does not repeat the value: URLs may contain passwords.
    if (parsed === undefined) problems[key] = `must be ${expected}`;
    return parsed ?? fallback;
  };
}

function readDatabase(value: ReadValue): Pick<Env, 'databaseUrl'> {
  return {
    databaseUrl: value<string | null>(
      'DATABASE_URL',
      null,
      'an address like postgres://user:password@host:5432/shop, or with several hosts like ' +
        'postgres://user:password@host1:5432,host2:5432/shop?target_session_attrs=read-write',
      (text) => (parsePostgresUrl(text) ? text : undefined),
    ),
  };
}

function readInstagram(value: ReadValue, production: boolean): Env['instagram'] {
  const apiUrl = value(
    'INSTAGRAM_API_URL',
    'https://graph.instagram.com',
    'left out, or where a stand-in listens on this machine, like http://127.0.0.1:4010, and not in production',
    (text) => (production ? undefined : loopback(text)),
  );
  return value<Env['instagram']>('INSTAGRAM_TOKEN', null, 'an access token without spaces', (token) =>
    /^[\w.|-]{1,1000}$/.test(token) ? { apiUrl, token } : undefined,
  );
}

/** What the shop asks or tells in its own network, or elsewhere. */
function readNeighbours(value: ReadValue): Pick<Env, 'ticketPrinters' | 'geocoderUrl'> {
  return {
    ticketPrinters: value<readonly TicketPrinter[]>(
      'TICKET_PRINTERS',
      [],
      'a list like main-street=tcp://192.168.1.50:9100?columns=42&encoding=gb18030, with spaces between printers',
      ticketPrinters,
    ),
    geocoderUrl: value<string | null>(
      'GEOCODER_URL',
      null,
      'an address like https://nominatim.example/search',
      (text) => url(text, ['http:', 'https:']),
    ),
  };
}

function readMap(value: ReadValue): Pick<Env, 'mapTilesUrl' | 'mapAttribution'> {
  return {
    mapTilesUrl: value(
      'MAP_TILES_URL',
      'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      'an address of map tiles like https://tiles.example/{z}/{x}/{y}.png',
      tilesUrl,
    ),
    mapAttribution: value(
      'MAP_ATTRIBUTION',
      '© OpenStreetMap contributors',
      'a text of up to 200 characters',
      (text) => (text.length <= 200 ? text : undefined),
    ),
  };
}

function readTelemetry(value: ReadValue): Pick<Env, 'metrics' | 'traces'> {
  const port = value<number | null>(
    'METRICS_PORT',
    null,
    'a whole number from 0 to 65535',
    wholeNumber(0, 65535),
  );
  const host = value('METRICS_HOST', '127.0.0.1', 'a host name or address', hostName);
  const endpoint = value<string | null>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    'the http:// or https:// address of a collector, like http://127.0.0.1:4318',
    (text) => url(text, ['http:', 'https:'])?.replace(/\/$/, ''),
  );
  const ratio = value('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', (text) =>
    /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined,
  );
  return {
    metrics: port === null ? null : { host, port },
    traces: endpoint === null ? null : { endpoint, ratio },
  };
}

/** Parses `store=tcp://host:port?columns=42&encoding=gb18030 …`. Returns undefined if any part is not such an address. */
function ticketPrinters(text: string): TicketPrinter[] | undefined {
  const printers: TicketPrinter[] = [];
  for (const part of text.split(/\s+/)) {
    const [, store = '', address = ''] = /^([\w-]+)=(tcp:\/\/\S+)$/.exec(part) ?? [];
    if (!URL.canParse(address)) return undefined;
    const { hostname: host, port, searchParams } = new URL(address);
    const columns = wholeNumber(20, 96)(searchParams.get('columns') ?? '42');
    const encoding = printerEncodings.find((each) => each === (searchParams.get('encoding') ?? 'gb18030'));
    if (!host || columns === undefined || !encoding) return undefined;
    const before = printers.filter((printer) => printer.store === store).length;
    printers.push({
      store,
      lane: before ? `${store} ${before + 1}` : store,
      host,
      port: Number(port || 9100),
      columns,
      encoding,
    });
  }
  return printers;
}

function hostName(text: string): string | undefined {
  return /^[\w.:-]+$/.test(text) ? text : undefined;
}

function onOrOff(text: string): boolean | undefined {
  return { '1': true, true: true, '0': false, false: false }[text.toLowerCase()];
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;
}

function url(text: string, protocols: string[]): string | undefined {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
}

/** Whether a host name or address is this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[?::1\]?)$/.test(host);
}

/** A fake of an external server is accepted on this machine only. */
function loopback(text: string): string | undefined {
  return origin(text) && isLoopback(new URL(text).hostname) ? origin(text) : undefined;
}

function tilesUrl(text: string): string | undefined {
  const whole = text.startsWith('/') ? `https://shop.example${text}` : text.replace('{s}', 'a');
  return ['{z}', '{x}', '{y}'].every((part) => text.includes(part))
    ? url(whole, ['http:', 'https:']) && text
    : undefined;
}

function origin(text: string): string | undefined {
  if (!url(text, ['http:', 'https:'])) return undefined;
  const { origin, pathname, search, hash, username } = new URL(text);
  return pathname === '/' && !search && !hash && !username ? origin : undefined;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPart = /^[\w.-]{1,200}$/;
const parameterNames = new Set(['endpoint', 'region']);

/** Reads `s3://bucket/prefix?endpoint=https://store.example&region=ca-central-1`; undefined for anything else. */
function mediaStoreTarget(text: string): MediaStoreTarget | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, searchParams, username, hash } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '');
  const endpoint = searchParams.get('endpoint');
  const isValid =
    protocol === 's3:' &&
    bucketName.test(host) &&
    parts.every((part) => prefixPart.test(part)) &&
    [...searchParams.keys()].every((name) => parameterNames.has(name)) &&
    (endpoint === null || isHttp(endpoint)) &&
    !username &&
    !hash;
  if (!isValid) return undefined;
  return {
    bucket: host,
    prefix: parts.map((part) => `${part}/`).join(''),
    endpoint,
    region: searchParams.get('region') ?? 'us-east-1',
  };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
