import { expect, test } from 'vitest';
import { createRounds } from './rounds.ts';

/** A database whose rounds end when told. */
function database() {
  const log: string[] = [];
  const ends: PromiseWithResolvers<string>[] = [];
  let connections = 0;
  let isDown = false;
  const next = createRounds({
    async connect() {
      if (isDown) throw new Error('away');
      connections += 1;
      const name = `connection ${connections}`;
      return { name, release: (broken?: boolean) => log.push(`${broken ? 'close' : 'return'} ${name}`) };
    },
    run({ name }) {
      log.push(`send on ${name}`);
      const end = Promise.withResolvers<string>();
      ends.push(end);
      return end.promise;
    },
  });
  const setDown = (down: boolean) => {
    isDown = down;
  };
  return { next, log, ends, setDown };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('callers of one turn of the event loop share a round that is sent at its end', async () => {
  const { next, log, ends } = database();
  const callers = [next(), next()];
  await Promise.resolve();
  callers.push(next());
  expect(log).toEqual([]);
  await turn();
  expect(log).toEqual(['send on connection 1']);
  ends[0]?.resolve('a');
  expect(await Promise.all(callers)).toEqual(['a', 'a', 'a']);
  await turn();
  expect(log).toEqual(['send on connection 1', 'return connection 1']);
});

test('callers during a round share the next, which is sent before those of the first go on', async () => {
  const { next, log, ends } = database();
  const first = next().then((result) => log.push(`first got ${result}`));
  await turn();
  const later = [next(), next()];
  ends[0]?.resolve('a');
  await first;
  expect(log).toEqual(['send on connection 1', 'send on connection 1', 'first got a']);
  ends[1]?.resolve('b');
  expect(await Promise.all(later)).toEqual(['b', 'b']);
});

test('a round that fails fails for its own callers, and the next has another connection', async () => {
  const { next, log, ends } = database();
  const first = next();
  await turn();
  const second = next();
  ends[0]?.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await turn();
  ends[1]?.resolve('b');
  expect(await second).toBe('b');
  expect(log.slice(0, 3)).toEqual(['send on connection 1', 'close connection 1', 'send on connection 2']);
});

test('callers learn that no connection can be had, and later callers get one again', async () => {
  const { next, ends, setDown } = database();
  setDown(true);
  await expect(Promise.all([next(), next()])).rejects.toThrow('away');
  setDown(false);
  const again = next();
  await turn();
  ends[0]?.resolve('a');
  expect(await again).toBe('a');
});
