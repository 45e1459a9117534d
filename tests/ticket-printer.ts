/** Printers of tickets for tests, on real sockets. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What a printer does with a connection once it has printed, or before. */
export const manners = {
  'closes after the ticket': (socket) => socket.end(),
  'stays silent and keeps the connection open': () => undefined,
  'resets the connection after the ticket': (socket) => socket.resetAndDestroy(),
  'ends its own side as soon as it is reached': () => undefined,
} satisfies Record<string, (socket: Socket) => void>;
export type Manner = keyof typeof manners;

/** A printer that tells the state of its paper, or says nothing, and keeps what it is sent. */
export async function fakePrinter(port = 0, manner: Manner = 'closes after the ticket') {
  const printed: Buffer[] = [];
  const printer = {
    printed,
    manner,
    paper: 0x12 as number | null,
    isBusy: false,
    close: () => server.close(),
    port: 0,
  };
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    if (printer.isBusy) return void socket.destroy();
    if (printer.manner === 'ends its own side as soon as it is reached') socket.end();
    const bytes: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const asks = chunk.subarray(0, 3).equals(Buffer.from([0x10, 4, 4]));
      if (asks && printer.paper !== null && socket.writable) socket.write(Buffer.from([printer.paper]));
      bytes.push(asks ? chunk.subarray(3) : chunk);
    });
    socket.on('end', () => {
      const ticket = Buffer.concat(bytes);
      if (ticket.length > 0) printed.push(ticket);
      manners[printer.manner](socket);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  printer.port = (server.address() as AddressInfo).port;
  return printer;
}
