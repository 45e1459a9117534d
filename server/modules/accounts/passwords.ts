/** Passwords at rest: argon2id by Node, off the main thread, a few at a time. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { tooOften } from '#server/errors.ts';

/** OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
export const argon2Now = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const saltLength = 16;
/** Hashing leaves a core to everybody else. */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
/** More than these waiting would wait longer than a browser does for signing on (5 s, SPEC §9). */
const longestQueue = 40;

export interface Passwords {
  /** A PHC string that names its parameters. */
  hash(password: string): Promise<string>;
  /** Null stands for an account that does not exist: false, after as much work. `first` goes before others that wait. */
  verify(hash: string | null, password: string, first?: boolean): Promise<boolean>;
  /** Whether it was made with other parameters than today's. */
  isOutdated(hash: string): boolean;
}

/** @throws Refusal RATE_LIMITED from `hash` and `verify` while too many wait */
export function createPasswords(lane = createLane(atOnce, longestQueue)): Passwords {
  /** Of a password that nobody has. */
  const nobodys = { ...argon2Now, salt: randomBytes(saltLength), tag: randomBytes(tagLength) };

  return {
    async hash(password) {
      const salt = randomBytes(saltLength);
      const tag = await lane(() => derive(password, salt, argon2Now), false);
      return print({ ...argon2Now, salt, tag });
    },
    async verify(hash, password, first = false) {
      const { salt, tag, ...parameters } = (hash === null ? null : parse(hash)) ?? nobodys;
      const derived = await lane(() => derive(password, salt, parameters), first);
      return derived.length === tag.length && timingSafeEqual(derived, tag) && hash !== null;
    },
    isOutdated(hash) {
      const stored = parse(hash);
      return (
        stored === null ||
        stored.memory !== argon2Now.memory ||
        stored.passes !== argon2Now.passes ||
        stored.parallelism !== argon2Now.parallelism
      );
    },
  };
}

type Cost = { memory: number; passes: number; parallelism: number };
type Stored = Cost & { salt: Buffer; tag: Buffer };

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const parameters: Argon2Parameters = { message: password, nonce, tagLength, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}

function print({ memory, passes, parallelism, salt, tag }: Stored): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

function parse(hash: string): Stored | null {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? [];
  if (!memory || !passes || !parallelism || !salt || !tag) return null;
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: bytes(salt),
    tag: bytes(tag),
  };
}

export type Lane = <T>(work: () => Promise<T>, first: boolean) => Promise<T>;

/** Lets `size` run at once and `longest` wait; who is `first` waits before those who are not. */
export function createLane(size: number, longest: number): Lane {
  const waiting: { start: () => void; first: boolean }[] = [];
  let running = 0;
  return async (work, first) => {
    if (running < size) running += 1;
    else {
      if (waiting.length >= longest && !first) throw tooOften(2000);
      await new Promise<void>((start) => {
        const behind = first ? waiting.findIndex((other) => !other.first) : -1;
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { start, first });
      });
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else running -= 1;
    }
  };
}
