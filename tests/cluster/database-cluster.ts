/** Three PostgreSQL servers under three Patroni, with three etcd; HAProxy and PgBouncer in front of them. */
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  childrenOf,
  freePorts,
  type Programs,
  type Started,
  signal,
  start,
  until,
  user,
} from './programs.ts';

const superuser = 'cluster-test';
/** How long starting may take on a busy machine, ms. */
const startMs = 120_000;

export interface Node {
  name: string;
  port: number;
  /** Of Patroni's REST interface. */
  rest: number;
  folder: string;
}

export interface DatabaseCluster {
  nodes: readonly Node[];
  /** The shop's database on all hosts, of which one accepts writes. */
  severalHosts: string;
  /** The shop's database through PgBouncer in transaction mode and HAProxy. */
  throughPgBouncer: string;
  /** The node whose PostgreSQL accepts writes. */
  leader(): Promise<Node>;
  /** Resolves when one node leads, one is its synchronous standby, and all run. Returns the leader. */
  settled(ms: number): Promise<Node>;
  /** Kills PostgreSQL; `withPatroni`: and what watches over it, as if the machine were lost. */
  kill(node: Node, withPatroni: boolean): Promise<void>;
  /** Starts a machine again whose Patroni was killed. */
  restart(node: Node): void;
  end(): Promise<void>;
}

export async function startDatabaseCluster(
  programs: Programs,
  folder: string,
  shops: ShopPorts,
): Promise<DatabaseCluster> {
  const ports = await freePorts(14);
  const take = (count: number) => ports.splice(0, count);
  const [clients, peers, nodePorts, restPorts] = [take(3), take(3), take(3), take(3)];
  const [primaryPort = 0, bouncerPort = 0] = ports;
  const etcds = startEtcd(programs, folder, clients, peers);
  const nodes: Node[] = nodePorts.map((port, index) => {
    const name = `db${index + 1}`;
    return { name, port, rest: restPorts[index] ?? 0, folder: join(folder, name) };
  });
  const patronis = new Map<Node, Started>();
  const startNode = (node: Node) => {
    const env = { PATH: `${programs.postgres}:${process.env.PATH}`, LANG: 'C.UTF-8' };
    const log = join(folder, `${node.name}.log`);
    patronis.set(
      node,
      start(programs.patroni, [join(node.folder, 'patroni.yml')], { ...user, cwd: node.folder, log, env }),
    );
  };
  for (const node of nodes) {
    makeFolder(node.folder);
    write(join(node.folder, 'patroni.yml'), patroniFile(node, programs, clients));
    startNode(node);
  }
  const haproxyFile = join(folder, 'haproxy.cfg');
  write(haproxyFile, haproxyConfig(nodes, primaryPort, shops));
  const haproxy = start(programs.haproxy, ['-db', '-f', haproxyFile], {
    ...user,
    cwd: folder,
    log: join(folder, 'haproxy.log'),
  });
  const bouncerFile = join(folder, 'pgbouncer.ini');
  write(bouncerFile, bouncerConfig(folder, bouncerPort, primaryPort));
  write(join(folder, 'users.txt'), `"shop" "shop"\n`);
  const bouncer = start(programs.pgbouncer, [bouncerFile], {
    ...user,
    cwd: folder,
    log: join(folder, 'pgbouncer.log'),
  });

  const cluster: DatabaseCluster = {
    nodes,
    severalHosts: `postgres://shop:shop@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/shop?target_session_attrs=read-write`,
    throughPgBouncer: `postgres://shop:shop@127.0.0.1:${bouncerPort}/shop`,
    leader: () =>
      until('a node leads', startMs, async () => (await roles(nodes)).find(({ leads }) => leads)?.node),
    settled: (ms) =>
      until('one node leads and has a synchronous standby, and all run', ms, async () => {
        const all = await roles(nodes);
        const leader = all.find(({ leads }) => leads);
        const streaming = all.filter(({ node, role }) => node !== leader?.node && role === 'replica').length;
        const isReady =
          leader && leader.synchronous >= 1 && streaming === 2 && (await hasStandby(leader.node));
        return isReady ? leader.node : null;
      }),
    async kill(node, withPatroni) {
      const postmaster = Number(
        readFileSync(join(node.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
      );
      const children = childrenOf(postmaster);
      if (withPatroni) await patronis.get(node)?.kill();
      for (const pid of [postmaster, ...children]) signal(pid);
    },
    restart: startNode,
    async end() {
      await Promise.all([
        bouncer.kill(),
        haproxy.kill(),
        ...[...patronis.values()].map((patroni) => patroni.kill()),
      ]);
      await Promise.all(nodes.map((node) => cluster.kill(node, false).catch(() => {})));
      await Promise.all(etcds.map((etcd) => etcd.kill()));
    },
  };
  const leader = await cluster.settled(startMs);
  await createDatabase(leader.port);
  return cluster;
}

/** Where the shop's processes listen, and the port of HAProxy in front of them. */
export interface ShopPorts {
  front: number;
  shops: readonly number[];
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

function startEtcd(
  { etcd }: Programs,
  folder: string,
  clients: readonly number[],
  peers: readonly number[],
): Started[] {
  const members = peers.map((port, index) => `etcd${index}=http://127.0.0.1:${port}`).join(',');
  return clients.map((port, index) => {
    const dataDir = join(folder, `etcd${index}`);
    makeFolder(dataDir);
    const [own, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers[index]}`];
    const args = [
      '--name',
      `etcd${index}`,
      '--data-dir',
      dataDir,
      '--listen-client-urls',
      own,
      '--advertise-client-urls',
      own,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      members,
      '--initial-cluster-state',
      'new',
      '--heartbeat-interval',
      '250',
      '--election-timeout',
      '2500',
    ];
    return start(etcd, args, { ...user, cwd: folder, log: join(folder, `etcd${index}.log`) });
  });
}

/** JSON is YAML too. The settings are those of docs/how-to/run-many-machines.md. */
function patroniFile(node: Node, programs: Programs, etcd: readonly number[]): string {
  const address = `127.0.0.1:${node.port}`;
  return JSON.stringify({
    scope: 'shop',
    name: node.name,
    restapi: { listen: `127.0.0.1:${node.rest}`, connect_address: `127.0.0.1:${node.rest}` },
    etcd3: { hosts: etcd.map((port) => `127.0.0.1:${port}`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1048576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            wal_keep_size: '256MB',
            wal_retrieve_retry_interval: '500ms',
            shared_buffers: '64MB',
            synchronous_commit: 'on',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(node.folder, 'data'),
      bin_dir: programs.postgres,
      pgpass: join(node.folder, 'pgpass'),
      remove_data_directory_on_rewind_failure: true,
      authentication: {
        superuser: { username: 'postgres', password: superuser },
        replication: { username: 'replicator', password: superuser },
      },
      parameters: { unix_socket_directories: node.folder },
    },
  });
}

function haproxyConfig(nodes: readonly Node[], primaryPort: number, { front, shops }: ShopPorts): string {
  const servers = nodes
    .map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`)
    .join('\n');
  const checks =
    '  http-check expect status 200\n  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions';
  return `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${primaryPort}
  option httpchk OPTIONS /primary
${checks}
${servers}
listen shops
  mode http
  bind 127.0.0.1:${front}
  option httpchk GET /healthz
  option forwardfor
  option redispatch
  retries 2
${shops.map((port, index) => `  server shop${index + 1} 127.0.0.1:${port} check inter 1s`).join('\n')}
`;
}

function bouncerConfig(folder: string, port: number, primaryPort: number): string {
  return `[databases]
shop = host=127.0.0.1 port=${primaryPort} dbname=shop
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 15
logfile = ${join(folder, 'pgbouncer-own.log')}
`;
}

interface Role {
  node: Node;
  leads: boolean;
  role: string;
  /** How many synchronous standbys it streams to. */
  synchronous: number;
}

interface PatroniState {
  state?: string;
  role?: string;
  replication?: { sync_state: string }[];
}

/** What Patroni says of each node; a node without Patroni does not run. */
async function roles(nodes: readonly Node[]): Promise<Role[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const state = await fetch(`http://127.0.0.1:${node.rest}/patroni`, {
        signal: AbortSignal.timeout(2000),
      })
        .then((answer) => answer.json() as Promise<PatroniState>)
        .catch((): PatroniState => ({}));
      const runs = state.state === 'running' || state.state === 'streaming';
      const synchronous = (state.replication ?? []).filter(({ sync_state }) => sync_state === 'sync').length;
      const role = runs ? (state.role ?? '') : '';
      return { node, leads: role === 'master' || role === 'primary', role, synchronous };
    }),
  );
}

/** Whether etcd names a synchronous standby: only that one may be promoted, and it is named some seconds after it streams. */
async function hasStandby({ rest }: Node): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(2000) });
  const { members } = (await answer.json()) as { members: { role: string }[] };
  return members.some(({ role }) => role === 'sync_standby');
}

async function createDatabase(port: number): Promise<void> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`,
  });
  await client.connect();
  await client.query(`create user shop password 'shop'`);
  await client.query('create database shop owner shop');
  // PgBouncer shares connections, so these limits belong to the user and not to a session.
  await client.query(`alter role shop set statement_timeout = '30s'`);
  await client.query(`alter role shop set idle_in_transaction_session_timeout = '30s'`);
  await client.end();
}
