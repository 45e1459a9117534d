/** A merchant's agent does what it is asked for by tools alone: the list of tasks, one after the other, in one shop. */
import { beforeAll, expect, it } from 'vitest';
import { keyPermissions } from '#contract/staff/permissions.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { type Begun, officeTasks } from '#tests/agents/office-tasks.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { makeKey, type Program, programOf } from '#tests/programs.ts';
import { add, address, choosePickup, deliver, setUnits, visit } from '#tests/shop-actions.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const sku = 'MUG-TASK';
const store = 'toronto-queen-west';

it('the list has thirty tasks or more, each with a wish of its own', () => {
  expect(officeTasks.length).toBeGreaterThanOrEqual(30);
  expect(new Set(officeTasks.map(({ wish }) => wish)).size).toBe(officeTasks.length);
});

forEachEngine((engine) => {
  let testApp: TestApp;
  let agent: Program;
  let begun: Begun;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { stripe: new FakeProvider('Stripe') } });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, 100);
    const [waiting, shipped] = [await paid(deliver), await paid(deliver)];
    let mei = await joinDemo(testApp, 'demo-mei');
    const body = { tracking: '', seen: 0 };
    const answer = await askStaff(testApp, 'shipOrder', { as: mei, params: { number: shipped }, body });
    expect(answer.status).toBe(200);
    testApp.clock.advance(24 * hourMs);
    await setUnits(testApp, sku, 100, store);
    const pickup = await paid(async (shop, session) => {
      await visit(shop, session);
      // 19 May, at noon in Toronto.
      const chosen = await choosePickup(shop, session, Date.UTC(2026, 4, 19, 16));
      expect(chosen).toMatchObject({ status: 200 });
    });
    mei = await joinDemo(testApp, 'demo-mei');
    agent = programOf(testApp, await makeKey(testApp, mei, { permissions: [...keyPermissions] }));
    begun = { waiting, shipped, pickup };
  });

  async function paid(how: (shop: TestApp, session: Shopper) => Promise<unknown>): Promise<string> {
    const session = testApp.shopper();
    await add(testApp, session, sku);
    await how(testApp, session);
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    const { orderID } = await testApp.call('payByStripe', { session, body });
    return (await testApp.call('order', { session, params: { id: orderID ?? '' } })).orderNumber ?? '';
  }

  it.each(officeTasks.map((task) => [task.wish, task] as const))(
    'an agent does by its tools what it is asked for: %s',
    async (_wish, { steps, outcome, expected }) => {
      const answers: unknown[] = [];
      for (const step of steps) {
        if (step === 'wait') {
          await testApp.container.bulkChanges.work();
          continue;
        }
        const [tool, given = () => ({})] = step;
        const { isError, text, value } = await agent.change(tool, given(answers, begun));
        answers.push(isError ? { refused: text } : value);
      }
      expect(outcome(answers, begun), JSON.stringify(answers).slice(0, 3000)).toEqual(expected);
    },
  );
});
