/** An SMTP server for tests that stores received emails and fails on request. */
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export type SmtpStep = 'connect' | 'AUTH' | 'RCPT' | 'DATA' | 'end';

export interface FakeSmtp {
  url: string;
  /** What was taken over, raw. */
  received: { to: string; source: string }[];
  /**
   * The next `times` times at this step: answers with `code`, or with null says nothing and hangs up.
   * At 'end' null means: takes the mail over, and hangs up before saying so.
   */
  fail(step: SmtpStep, code: number | null, times?: number): void;
  close(): Promise<void>;
}

export async function fakeSmtp(): Promise<FakeSmtp> {
  const received: FakeSmtp['received'] = [];
  const failures: { step: SmtpStep; code: number | null; times: number }[] = [];
  const sockets = new Set<Socket>();

  /** The answer to give instead, if one was asked for. */
  function failure(step: SmtpStep): { code: number | null } | null {
    const found = failures.find((each) => each.step === step && each.times > 0);
    if (!found) return null;
    found.times -= 1;
    return found;
  }

  function talk(socket: Socket): void {
    let buffer = '';
    let to = '';
    let inData = false;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const say = (line: string) => socket.write(`${line}\r\n`);
    const or = (step: SmtpStep, otherwise: () => void) => {
      const wrong = failure(step);
      if (!wrong) otherwise();
      else if (wrong.code === null) socket.destroy();
      else say(`${wrong.code} no, not ${to || 'you'}`);
    };
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO' || verb === 'HELO') say('250-fake\r\n250 AUTH PLAIN');
      else if (verb === 'AUTH') or('AUTH', () => say('235 ok'));
      else if (verb === 'MAIL') say('250 ok');
      else if (verb === 'RCPT') {
        to = /<([^>]*)>/.exec(line)?.[1] ?? '';
        or('RCPT', () => say('250 ok'));
      } else if (verb === 'DATA')
        or('DATA', () => {
          inData = true;
          say('354 go on');
        });
      else if (verb === 'STAR') say('502 no TLS here');
      else if (verb === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    };
    const finish = (source: string) => {
      const wrong = failure('end');
      if (!wrong || wrong.code === null) received.push({ to, source });
      if (!wrong) say('250 taken');
      else if (wrong.code === null) socket.destroy();
      else say(`${wrong.code} no`);
    };
    socket.on('data', (chunk) => {
      buffer += chunk.toString('utf8');
      for (;;) {
        const end = inData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const text = buffer.slice(0, end);
        buffer = buffer.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          finish(`${text}\r\n`);
        } else command(text);
      }
    });
    or('connect', () => say('220 fake'));
  }

  const server = createServer(talk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    fail: (step, code, times = 1) => void failures.push({ step, code, times }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
