import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createRateLimitsService, networkOf, pauseAfter, rateLimits } from './rate-limits.service.ts';

const hour = 3_600_000;

it('rate limit pauses double up to the longest', () => {
  const limit = { free: 3, firstMs: 1000, longestMs: 10_000 };
  expect([1, 2, 3, 4, 5, 6, 7, 8, 10_000].map((count) => pauseAfter(count, limit))).toEqual([
    0, 0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
  ]);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['forged', 'unknown'],
  ['3221225985', 'unknown'],
  ['', 'unknown'],
])('the address %s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine });
  });
  const service = () => createRateLimitsService({ db: testApp.db, now: testApp.clock.now });

  describe('rate limits', () => {
    it('attempts are counted across processes, however many arrive at once', async () => {
      const processes = [service(), service(), service()];
      const tries = Array.from({ length: 30 }, (_, n) =>
        processes[n % 3]?.count([['signOnAccount', 'a@example.com']]).then(
          () => true,
          () => false,
        ),
      );
      const allowed = (await Promise.all(tries)).filter(Boolean);
      expect(allowed).toHaveLength(rateLimits.signOnAccount.free);
    });

    it('attempts that many may make at once are recorded afterwards, and counted afresh each hour', async () => {
      const { allow, record: note } = service();
      const made = [['reserveAddress', '192.0.2.7']] as const;
      await allow(made);
      await Promise.all(Array.from({ length: rateLimits.reserveAddress.free }, () => note(made)));
      await expect(allow(made)).rejects.toMatchObject({ errorType: 'RATE_LIMITED' });
      // Attempts already under way are allowed.
      await note(made);
      testApp.clock.advance(hour);
      await allow(made);
    });

    it('a caller with a whole IPv6 site has sixteen times the attempts of one network, and its neighbours theirs', async () => {
      const { count } = service();
      const allowed = async (networks: number, from: (n: number) => string) => {
        let passed = 0;
        for (let n = 0; n < networks; n++)
          await count([['signOnAddress', networkOf(from(n))]]).then(
            () => (passed += 1),
            () => {},
          );
        return passed;
      };
      const { free } = rateLimits.signOnAddress;
      expect(await allowed(6 * free, (n) => `2001:db8:5:${(n % 200).toString(16)}::1`)).toBe(4 * free);
      expect(await allowed(20 * free, (n) => `2001:db8:5:${(n * 100 + 256).toString(16)}::1`)).toBe(
        12 * free,
      );
      expect(await allowed(1, () => '2001:db8:6::1')).toBe(1);
      // The count of a site starts anew each day, although somebody there tries every day.
      testApp.clock.advance(24 * hour);
      expect(await allowed(1, () => '2001:db8:5:7777::1')).toBe(1);
    });

    it('an attempt of one IPv6 network that was right is taken back from the networks around it', async () => {
      const { count, undo } = service();
      for (let n = 0; n < 20 * rateLimits.resetAddress.free; n++) {
        const tried = [['resetAddress', networkOf(`2001:db8:7:${n.toString(16)}::1`)]] as const;
        await count(tried);
        await testApp.db.transaction((trx) => undo(trx, tried));
      }
    });

    it('a day of guessing gets few attempts', async () => {
      const { count } = service();
      let allowed = 0;
      for (let minute = 0; minute < 24 * 60; minute++) {
        await count([['signOnAccount', 'patient@example.com']]).then(
          () => (allowed += 1),
          () => {},
        );
        testApp.clock.advance(60_000);
      }
      expect(allowed).toBeLessThan(120);
    });

    it('successful attempts are undone and do not offset wrong ones', async () => {
      const { count, undo: takeBack } = service();
      const mine = [['signOnAddress', '192.0.2.77']] as const;
      for (let n = 1; n < rateLimits.signOnAddress.free; n++) await count(mine);
      for (let n = 0; n < 10; n++) {
        await count(mine);
        await testApp.db.transaction((trx) => takeBack(trx, mine));
      }
      await count(mine);
      await expect(count(mine)).rejects.toMatchObject({ errorType: 'RATE_LIMITED' });
    });

    it('attempts of one kind do not count for another, and a rejected one counts under no limit', async () => {
      const { count } = service();
      const who = 'b@example.com';
      for (let n = 0; n < rateLimits.signOnAccount.free; n++) await count([['signOnAccount', who]]);
      await expect(
        count([
          ['signOnAccount', who],
          ['signOnAddress', '192.0.2.5'],
        ]),
      ).rejects.toThrow();
      await count([['forgotAccount', who]]);
      for (let n = 1; n < rateLimits.signOnAddress.free; n++) await count([['signOnAddress', '192.0.2.5']]);
      await count([['signOnAddress', '192.0.2.5']]);
    });

    it('stored attempts do not name who made them, and are deleted in the end', async () => {
      const { count, deleteExpired: sweep } = service();
      await count([
        ['signOnAccount', 'named@example.com'],
        ['signOnAddress', '192.0.2.123'],
      ]);
      const rows = await testApp.db.read.selectFrom('rate_limits').selectAll().execute();
      expect(JSON.stringify(rows)).not.toMatch(/named|192\.0/);
      testApp.clock.advance(25 * hour);
      await sweep();
      expect(await testApp.db.read.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
    });
  });
});
