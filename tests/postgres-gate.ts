/** A proxy in front of PostgreSQL: closed, it rejects connections; full, it answers like a server without a free connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface PostgresGate {
  /** The database's address through the gate. */
  url: string;
  /** Ends all connections; further ones are treated as `state` says. */
  set(state: 'open' | 'closed' | 'full'): void;
  close(): Promise<void>;
}

export async function openPostgresGate(databaseUrl: string): Promise<PostgresGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'closed' | 'full' = 'open';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    if (state === 'closed') return socket.destroy();
    if (state === 'full') return socket.once('data', () => socket.end(tooManyClients()));
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    set(next) {
      state = next;
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An ErrorResponse of the protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function tooManyClients(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
