/** Receivers of all that the shop sends, on real sockets, well or in trouble: an HTTP server, a mail server and a printer. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How a receiver that takes everything treats the connection afterwards. */
export const manners = {
  closes: (socket: Socket) => socket.destroySoon(),
  'half-closes': (socket: Socket) => socket.end(),
  'keeps the connection open': () => undefined,
} as const;
export type Manner = keyof typeof manners;

/** `dead` hangs up, `slow` takes everything and answers once it is released, `refusing` answers that it cannot. */
export type Trouble = 'dead' | 'slow' | 'refusing';

interface State {
  manner: Manner;
  trouble: Trouble | null;
  /** What was taken and answered. */
  taken: number;
  /** Ends the waiting of those that a slow receiver keeps waiting. */
  waiting: (() => void)[];
}

export interface Receiver extends State {
  release(): void;
}

function receiver(): Receiver {
  const state: Receiver = {
    manner: 'closes',
    trouble: null,
    taken: 0,
    waiting: [],
    release() {
      state.trouble = null;
      for (const answer of state.waiting.splice(0)) answer();
    },
  };
  return state;
}

/** Takes it, or shows the receiver's trouble. */
function receive(state: Receiver, socket: Socket, answers: { taken: () => void; refused: () => void }): void {
  const take = () => {
    state.taken += 1;
    answers.taken();
  };
  if (state.trouble === 'dead') socket.destroy();
  else if (state.trouble === 'refusing') answers.refused();
  else if (state.trouble === 'slow') state.waiting.push(take);
  else take();
}

async function listen(talk: (socket: Socket) => void): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** An HTTP server with a receiver at each of these paths. */
export async function httpReceivers<P extends string>(...paths: P[]) {
  const at = Object.fromEntries(paths.map((path) => [path, receiver()])) as Record<P, Receiver>;
  const server = await listen((socket) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      if (end === -1 || text.length < end + 4 + length) return;
      const path = text.split(' ')[1] as P;
      text = '';
      const answer = (status: string) => {
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nok`);
        manners[at[path].manner](socket);
      };
      receive(at[path], socket, {
        taken: () => answer('200 OK'),
        refused: () => answer('500 Internal Server Error'),
      });
    });
  });
  return { at, url: (path: P) => `http://127.0.0.1:${server.port}${path}`, close: server.close };
}

/** A mail server with a receiver for each of these addresses. Others are taken. */
export async function mailReceivers<A extends string>(...addresses: A[]) {
  const at = Object.fromEntries(addresses.map((address) => [address, receiver()])) as Record<A, Receiver>;
  const server = await listen((socket) => {
    let text = '';
    let to = receiver();
    let isData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 mail.example ESMTP');
    socket.setEncoding('latin1');
    const hear = (line: string) => {
      const recipient = /^RCPT TO:<([^>]+)>/i.exec(line)?.[1] as A | undefined;
      if (isData) {
        if (line !== '.') return;
        isData = false;
        const taken = () => {
          say('250 taken');
          manners[to.manner](socket);
        };
        receive(to, socket, { taken, refused: () => say('451 not now') });
      } else if (recipient) {
        to = at[recipient] ?? receiver();
        say('250 fine');
      } else if (/^DATA/i.test(line)) {
        isData = true;
        say('354 go on');
      } else if (/^QUIT/i.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 fine');
    };
    socket.on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\r\n');
      text = lines.pop() ?? '';
      lines.forEach(hear);
    });
  });
  return { at, url: `smtp://127.0.0.1:${server.port}`, close: server.close };
}

/** A printer that speaks ESC/POS: it tells the state of its paper, and prints what it got once the other side ends. */
export async function printerReceiver() {
  const state = receiver();
  const { port, close } = await listen((socket) => {
    if (state.trouble === 'dead') return void socket.destroy();
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      const asks = chunk.subarray(0, 3).equals(Buffer.from([0x10, 4, 4]));
      length += chunk.length - (asks ? 3 : 0);
      if (asks && state.trouble !== 'slow')
        socket.write(Buffer.from([state.trouble === 'refusing' ? 0x72 : 0x12]));
    });
    socket.on('end', () => {
      if (length === 0) return void socket.destroy();
      state.taken += 1;
      manners[state.manner](socket);
    });
  });
  return { state, address: `tcp://127.0.0.1:${port}`, close };
}
