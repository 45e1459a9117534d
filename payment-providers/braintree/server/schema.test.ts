/** Every request that the shop can send to Braintree, checked against the installed SDK's definition of the API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { errorNames, requestProblem } from '#tests/fakes/braintree/sdk.ts';
import { createBraintreeClient } from './client.ts';
import { readBraintreeConfig } from './config.ts';
import { earlyRefundErrors, finalRefundErrors, saleErrors } from './sales.ts';

describe('requests to Braintree', () => {
  let fake: BraintreeFake;
  beforeAll(async () => {
    fake = await startBraintreeFake();
  });
  afterAll(() => fake.close());

  it('every request of the client, with every field it can carry, fits the signatures of the SDK', async () => {
    const { config } = readBraintreeConfig(fake.env);
    if (!config) throw new Error('The fake is no configuration');
    const client = createBraintreeClient(config, 5000);
    await client.clientToken('shop_cad');
    expect(await client.merchantAccountFor('CAD')).toBe('shop_cad');
    const sell = async (threeDSecureRequired: boolean) => {
      const sale = {
        amount: '49.72',
        merchantAccountId: 'shop_cad',
        orderId: randomUUID(),
        deviceData: '{"correlation_id":"1"}',
      };
      const answer = await client.sale({
        ...sale,
        paymentMethodNonce: fake.nonce('verified'),
        threeDSecureRequired,
      });
      return answer.transaction ?? expect.fail('no transaction');
    };
    const [sale, required] = [await sell(false), await sell(true)];
    expect((await client.salesOf(sale.orderId ?? '')).map(({ id }) => id)).toEqual([sale.id]);
    expect(await client.find(sale.id)).toMatchObject({
      orderId: sale.orderId,
      amount: '49.72',
      status: 'settled',
    });
    expect(await client.refund(sale.id, '10.00', randomUUID())).toMatchObject({ success: true });
    expect(await client.void(required.id)).toMatchObject({ success: false });

    expect(fake.problems).toEqual([]);
    const sent = new Set(
      fake.asked.map((request) => request.replace(/\/merchants\/\w+/, '').replace(/(tx|rf)\d+/, ':id')),
    );
    expect([...sent].sort()).toEqual([
      'GET /merchant_accounts',
      'GET /transactions/:id',
      'POST /client_token',
      'POST /transactions',
      'POST /transactions/:id/refund',
      'POST /transactions/advanced_search',
      'POST /transactions/advanced_search_ids',
      'PUT /transactions/:id/void',
    ]);
  });

  it.each([
    [
      'POST /transactions',
      { transaction: { amount: '1.00', device_fingerprint: 'x' } },
      'device_fingerprint',
    ],
    [
      'POST /transactions',
      { transaction: { options: { three_d_secure: { wanted: true } } } },
      'three_d_secure',
    ],
    ['POST /transactions/tx1/refund', { transaction: { amount: '1.00', reason: 'x' } }, 'reason'],
    ['POST /transactions/advanced_search_ids', { search: { order_number: { is: 'x' } } }, 'order_number'],
    ['POST /client_token', { client_token: { currency: 'CAD' } }, 'currency'],
    ['POST /transactions', { sale: {} }, 'has no transaction'],
    ['POST /transactions/tx1/void', { transaction: {} }, 'is not in the SDK'],
  ])('a request that the SDK does not know is reported: %s %o', (request, body, named) => {
    expect(requestProblem(request, body)).toContain(named);
  });

  it('the codes of declines have the names that the SDK gives them', () => {
    const tables = [...saleErrors.map(({ codes }) => codes), finalRefundErrors, earlyRefundErrors];
    for (const [name, code] of tables.flatMap((codes) => Object.entries(codes)))
      expect(errorNames(code), `${name} ${code}`).toContain(name);
  });
});
