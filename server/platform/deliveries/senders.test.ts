/**
 * All that the shop sends, to receivers on real sockets: each is told once, however long the shop goes on trying, and one in trouble
 * delays nobody else.
 */
import { createECDH, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { sellProduct } from '#tests/products.ts';
import {
  httpReceivers,
  type Manner,
  mailReceivers,
  manners,
  printerReceiver,
  type Receiver,
  type Trouble,
} from '#tests/receivers.ts';
import { add, finish, setUnits, visit } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import type { Lane } from './deliveries.repository.ts';

const store = 'toronto-queen-west';
const mails = { well: 'well@kitchen.example', sick: 'sick@kitchen.example' } as const;

/** What one order causes, each for two receivers. A new kind of lane has to be added here. */
const senders = {
  email: 'mail',
  webhook: 'webhook',
  ticket: 'ticket',
  notice: 'ticket',
} as const satisfies Record<string, Lane['of']>;
type SenderName = keyof typeof senders;
const names = Object.keys(senders) as SenderName[];
const untested: Exclude<Lane['of'], (typeof senders)[SenderName]> extends never ? 'nothing' : never =
  'nothing';

const subscription = (endpoint: string) => {
  const keys = createECDH('prime256v1');
  return {
    endpoint,
    p256dh: keys.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
};

forEachEngine((engine) => {
  let testApp: TestApp;
  let well: Record<SenderName, Receiver>;
  let sick: Record<SenderName, Receiver>;
  let close: () => void;
  beforeEach(async () => {
    const [http, mail, one, other] = await Promise.all([
      httpReceivers('/hook/well', '/hook/sick', '/push/well', '/push/sick'),
      mailReceivers(mails.well, mails.sick),
      printerReceiver(),
      printerReceiver(),
    ]);
    const receivers = (which: 'well' | 'sick') => ({
      email: mail.at[mails[which]],
      webhook: http.at[`/hook/${which}`],
      notice: http.at[`/push/${which}`],
      ticket: (which === 'well' ? one : other).state,
    });
    [well, sick] = [receivers('well'), receivers('sick')];
    close = () => {
      for (const each of [http, mail, one, other]) each.close();
    };
    testApp = await createTestApp({
      engine,
      connections: 10,
      demo: true,
      env: {
        SMTP_URL: mail.url,
        WEB_PUSH_CONTACT: 'owner@shop.example',
        WEBHOOKS_ALLOW_PRIVATE: '1',
        TICKET_PRINTERS: `${store}=${one.address} ${store}=${other.address}`,
      },
    });
    const { settings, webhooks } = testApp.services;
    await settings.update({
      newOrderEmails: { enabled: true, addresses: { [store]: [mails.sick, mails.well] } },
    });
    for (const which of ['sick', 'well'] as const) {
      await webhooks.add(http.url(`/hook/${which}`), ['order.placed']);
      const as = await joinStaff(testApp, `${which}@devices.example`, 'assistant', [store]);
      await askStaff(testApp, 'startPush', { as, body: subscription(http.url(`/push/${which}`)) });
    }
    await sellProduct(testApp, 'MUG');
    await setUnits(testApp, 'MUG', 20, store);
  });
  afterEach(() => close());

  async function order(): Promise<void> {
    const session = testApp.shopper();
    await add(testApp, session, 'MUG');
    await visit(testApp, session);
    await finish(testApp, session, { how: 'pay', lang: 'en' });
  }
  const run = () => testApp.services.deliveries.run();
  /** Long enough for every sender to have tried three times more, had it not been told. */
  async function passTime(): Promise<void> {
    for (const pause of [minuteMs, 10 * minuteMs, hourMs, 13 * hourMs]) {
      testApp.clock.advance(pause);
      await run();
    }
  }
  const taken = (receivers: Record<SenderName, Receiver>) =>
    Object.fromEntries(names.map((name) => [name, receivers[name].taken]));
  const each = (count: number) => Object.fromEntries(names.map((name) => [name, count]));

  describe(`what the shop sends (${untested} is left out)`, () => {
    for (const manner of Object.keys(manners) as Manner[])
      it(`a receiver that ${manner} once it was told is told once`, async () => {
        for (const name of names) well[name].manner = manner;
        await order();
        await run();
        await passTime();
        expect([taken(well), taken(sick)]).toEqual([each(1), each(1)]);
      });

    it('a device that follows the feed hears of an order once, however often it asks, and a file is the same each time', async () => {
      const as = await joinStaff(testApp, 'feed@devices.example');
      const feed = async (since: number) =>
        (await askStaff(testApp, 'feed', { as, query: { since: String(since) } })).body;
      const file = async () => {
        let text = '';
        for await (const piece of testApp.container.exports.table({
          table: 'orders',
          origin: 'https://shop.example',
        }))
          text += piece;
        return text;
      };
      testApp.clock.advance(hourMs);
      let { at } = await feed(testApp.clock.now());
      await order();
      await run();
      const heard: number[] = [];
      const files = new Set<string>();
      for (const pause of [minuteMs, minuteMs, hourMs, 3 * hourMs]) {
        testApp.clock.advance(pause);
        await run();
        const { hints, at: next } = await feed(at);
        heard.push(hints.length);
        at = next;
        files.add(await file());
      }
      expect(heard).toEqual([expect.any(Number), 0, 0, 0]);
      expect(heard[0]).toBeGreaterThan(0);
      expect(files.size).toBe(1);
    });

    for (const trouble of ['dead', 'refusing', 'slow'] satisfies Trouble[])
      it(`a receiver that is ${trouble} delays nobody else, and is told once when it is well again`, async () => {
        for (const name of names) sick[name].trouble = trouble;
        await order();
        const { deliveries } = testApp.services;
        // A slow one keeps its lane waiting, so that the lanes are not waited for.
        const settle = async (count: number) => {
          const look = async () => {
            await deliveries.start();
            return taken(well);
          };
          await expect.poll(look).toEqual(each(count));
          if (trouble !== 'slow') await run();
        };
        await settle(1);
        if (trouble !== 'slow')
          for (const pause of [40_000, 2.5 * minuteMs]) {
            testApp.clock.advance(pause);
            await run();
          }
        await order();
        await settle(2);
        for (const name of names) sick[name].release();
        await run();
        for (const pause of [6.2 * minuteMs, 3 * minuteMs, hourMs]) {
          testApp.clock.advance(pause);
          await run();
        }
        await passTime();
        expect([taken(well), taken(sick)]).toEqual([each(2), each(2)]);
      });
  });
});
