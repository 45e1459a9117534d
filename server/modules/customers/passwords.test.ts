import { describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { goodPassword, register } from '#tests/accounts.ts';
import { createTestApp } from '#tests/test-app.ts';
import { createAccountsService } from './accounts.service.ts';
import { randomPassword, temporaryHashOf } from './customer.ts';
import { createHashQueue, createPasswords } from './passwords.ts';

describe('stored passwords', () => {
  it('a stored password is hashed by argon2id with OWASP’s parameters and its own salt', async () => {
    const passwords = createPasswords();
    const [one, two] = await Promise.all([passwords.hash(goodPassword), passwords.hash(goodPassword)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, goodPassword)).toBe(true);
    expect(await passwords.verify(one, `${goodPassword} `)).toBe(false);
    expect(await passwords.verify(one, goodPassword.toUpperCase())).toBe(false);
    expect(passwords.isOutdated(one)).toBe(false);
    expect(passwords.isOutdated(one.replace('t=2', 't=1'))).toBe(true);
  });

  it('a password without an account is compared with a dummy hash, so that it takes as long', async () => {
    let derived = 0;
    const passwords = createPasswords((work) => {
      derived += 1;
      return work();
    });
    expect(await passwords.verify(null, goodPassword)).toBe(false);
    expect(derived).toBe(1);
    expect(await passwords.verify('something else', goodPassword)).toBe(false);
    expect(derived).toBe(2);
  });

  it('a sign-in with an unknown email costs as much work as a wrong password', async () => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    const { email } = await register(testApp);
    const validated: (string | null)[] = [];
    const real = createPasswords();
    const { sessions, settings } = createContainer({
      db: testApp.db,
      env: testApp.env,
      now: testApp.clock.now,
    });
    const nothing = async () => {};
    const attempts = {
      count: nothing,
      countIn: nothing,
      allow: nothing,
      record: nothing,
      undo: nothing,
      reset: nothing,
      deleteExpired: nothing,
    };
    const mail = {
      enqueue: async () => 0,
      to: async () => [],
      forget: async () => {},
      sweep: async () => {},
    };
    const data = {
      orders: {
        ...testApp.services.orders.customers,
        prepareSignIn: async () => nothing,
        cart: testApp.services.cart.get,
      },
      content: {
        signedIn: nothing,
        likedPosts: async () => [],
        forgetLikes: nothing,
        messages: async () => [],
        forgetMessages: async () => 0,
      },
      imports: { about: async () => [], forget: nothing },
    };
    const passwords = {
      ...real,
      verify: (hash: string | null, password: string) => {
        validated.push(hash);
        return real.verify(hash, password);
      },
    };
    const accounts = createAccountsService({
      db: testApp.db,
      now: testApp.clock.now,
      sessions,
      attempts,
      mail,
      data,
      settings,
      env: testApp.env,
      passwords,
    });
    for (const userID of [email, 'nobody@example.com'])
      await expect(
        accounts.signOn(
          sessions.open(null, '192.0.2.1'),
          { userID, password: 'wrong password' },
          '192.0.2.1',
          'en',
        ),
      ).rejects.toMatchObject({
        errorType: 'AUTHORIZATION_ERROR',
      });
    expect(validated).toEqual([expect.stringContaining('$argon2id$'), null]);
  });
});

describe('the hash queue', () => {
  /** Work that ends when the test says so. */
  function steps() {
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string) => () =>
      new Promise<string>((resolve) => {
        order.push(name);
        ends.set(name, () => resolve(name));
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { order, work, end };
  }

  it('the hash queue runs a few at once, and known browsers need not wait for all others', async () => {
    const { order, work, end } = steps();
    const lane = createHashQueue(2, 10);
    const all = [
      lane(work('a')),
      lane(work('b')),
      lane(work('c')),
      lane(work('d'), { first: true }),
      lane(work('e'), { first: true }),
    ];
    await end('');
    expect(order).toEqual(['a', 'b']);
    for (const name of ['a', 'b', 'd', 'c', 'e']) await end(name);
    expect(order).toEqual(['a', 'b', 'd', 'c', 'e']);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('the hash queue rejects whoever would wait too long, known browsers included', async () => {
    const { order, work, end } = steps();
    const lane = createHashQueue(1, 1);
    const waiting = [lane(work('a')), lane(work('b'))];
    await expect(lane(work('c'))).rejects.toMatchObject({ errorType: 'RATE_LIMITED' });
    waiting.push(lane(work('d'), { first: true }));
    await expect(lane(work('e'), { first: true })).rejects.toMatchObject({ errorType: 'RATE_LIMITED' });
    for (const name of ['', 'a', 'd', 'b']) await end(name);
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'd', 'b']);
  });

  it('the hash queue takes a few of one client, who cannot make others wait', async () => {
    const { order, work, end } = steps();
    const lane = createHashQueue(1, 40);
    const mine = { first: true, who: 'me' };
    const all = ['a', 'b', 'c'].map((name) => lane(work(name), mine));
    await expect(lane(work('d'), mine)).rejects.toMatchObject({ errorType: 'RATE_LIMITED' });
    all.push(lane(work('e'), { first: true, who: 'another' }), lane(work('f')));
    for (const name of ['', 'a', 'b', 'f', 'c', 'e']) await end(name);
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'f', 'c', 'e']);
    expect(await Promise.all([lane(async () => 'again', mine), lane(async () => 'again', mine)])).toEqual([
      'again',
      'again',
    ]);
  });

  it('the hash queue goes on after a job that fails', async () => {
    const lane = createHashQueue(1, 5);
    const failing = lane(() => Promise.reject(new Error('no')));
    const next = lane(async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});

it('temporary passwords are random, and read the same however they are typed', () => {
  const made = new Set(Array.from({ length: 1000 }, randomPassword));
  expect(made.size).toBe(1000);
  for (const password of made) expect(password).toMatch(/^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){3}$/);
  expect(temporaryHashOf('abcd-efgh-jkmn-pqrs')).toBe(temporaryHashOf(' ABCD efgh jkmnpqrs '));
});
