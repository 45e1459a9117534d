/** By argon2id, off the main thread, a few at a time. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { rateLimited } from '#server/platform/errors.ts';

/** OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const argon2Now: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const saltLength = 16;
/** Leaves one core free for other work. */
const concurrentHashes = Math.max(1, Math.min(4, availableParallelism() - 1));
/** With more waiting, the wait would exceed a browser's time-out for signing in (5 s, SPEC §9). */
const longestQueue = 40;

export type Passwords = ReturnType<typeof createPasswords>;

/** `hash` and `verify` throw AppError RATE_LIMITED while too many calls wait, in total or for one caller. */
export function createPasswords(lane = createHashQueue(concurrentHashes, longestQueue), cost = argon2Now) {
  const nobodys = { ...cost, salt: randomBytes(saltLength), tag: randomBytes(tagLength) };

  return {
    /** Returns a PHC string that names its parameters. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(saltLength);
      const tag = await lane(() => derive(password, salt, cost));
      return encodeHash({ ...cost, salt, tag });
    },
    /** Null stands for an account that does not exist: returns false after the same amount of work. */
    async verify(hash: string | null, password: string, turn?: QueueTicket): Promise<boolean> {
      const { salt, tag, ...parameters } = (hash === null ? null : decodeHash(hash)) ?? nobodys;
      const derived = await lane(() => derive(password, salt, parameters), turn);
      return derived.length === tag.length && timingSafeEqual(derived, tag) && hash !== null;
    },
    /** By its parameters. */
    isOutdated(hash: string): boolean {
      const stored = decodeHash(hash);
      return (
        stored === null ||
        stored.memory !== cost.memory ||
        stored.passes !== cost.passes ||
        stored.parallelism !== cost.parallelism
      );
    },
  };
}

type Argon2Cost = { memory: number; passes: number; parallelism: number };
type StoredHash = Argon2Cost & { salt: Buffer; tag: Buffer };

function derive(password: string, nonce: Buffer, cost: Argon2Cost): Promise<Buffer> {
  const parameters: Argon2Parameters = { message: password, nonce, tagLength, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}

function encodeHash({ memory, passes, parallelism, salt, tag }: StoredHash): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

function decodeHash(hash: string): StoredHash | null {
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

/** `first` selects the priority queue; `who` is one caller, of whom only a few jobs are accepted at a time. */
export interface QueueTicket {
  first?: boolean;
  who?: string;
}

export type HashQueue = <T>(work: () => Promise<T>, turn?: QueueTicket) => Promise<T>;

/** At a time. */
const maxPerCaller = 3;

/** `size` jobs at once, `longest` waiting in each of two queues, which take turns. @throws {AppError} RATE_LIMITED */
export function createHashQueue(size: number, longest: number): HashQueue {
  const queues = { first: [] as (() => void)[], others: [] as (() => void)[] };
  const taken = new Map<string, number>();
  let running = 0;
  let last: keyof typeof queues = 'others';

  function goOn(): void {
    const turn = last === 'first' ? 'others' : 'first';
    last = queues[turn].length > 0 ? turn : last;
    const next = queues[last].shift();
    if (next) next();
    else running -= 1;
  }

  function take(who: string, by: number): void {
    const left = (taken.get(who) ?? 0) + by;
    if (left > 0) taken.set(who, left);
    else taken.delete(who);
  }

  return async (work, { first = false, who } = {}) => {
    const queue = queues[first ? 'first' : 'others'];
    if (queue.length >= longest || (who !== undefined && (taken.get(who) ?? 0) >= maxPerCaller))
      throw rateLimited(2000);
    if (who !== undefined) take(who, 1);
    try {
      if (running < size) running += 1;
      else await new Promise<void>((start) => queue.push(start));
      try {
        return await work();
      } finally {
        goOn();
      }
    } finally {
      if (who !== undefined) take(who, -1);
    }
  };
}
