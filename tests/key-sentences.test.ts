/** The sentences that shoppers rely on, written out in both languages and read where the shop sends them: answers and emails. */
import { describe, expect, it } from 'vitest';
import { goodPassword, mailsFor, subjectOf } from './accounts.ts';
import { enter } from './coupons.ts';
import {
  add,
  address,
  card,
  cards,
  contact,
  deliver,
  setUnits,
  shopperWithCart,
  visit,
} from './shop-actions.ts';
import { createTestApp, type Shopper } from './test-app.ts';

const mug = 'MC-CM-01-OAT';
/** Served in the stores only. */
const tarts = 'MC-SW-02';
const store = 'toronto-queen-west';
const languages = ['en', 'zh'] as const;

/** Address fields of a form, under the name that the call gives the address. */
const missingAddress = {
  en: {
    streetNumberAndNameDetails: 'Your address is missing',
    city: 'Your city is missing',
    postCode: 'Your zipcode is missing',
    countryISOCode: 'Your country is missing',
    province: 'Your state/province is missing',
  },
  zh: {
    streetNumberAndNameDetails: '请填写详细地址',
    city: '请填写城市',
    postCode: '请填写邮编',
    countryISOCode: '请选择国家',
    province: '请选择州/省',
  },
};
const missingContact = {
  en: { 'contact.phoneNumber': 'Your phone number is missing', 'contact.email': 'Your email is missing' },
  zh: { 'contact.phoneNumber': '请填写电话号码', 'contact.email': '请填写邮箱地址' },
};
const missingName = {
  en: { 'contact.firstName': 'Your first name is missing', 'contact.lastName': 'Your last name is missing' },
  zh: { 'contact.firstName': '请填写名字', 'contact.lastName': '请填写姓氏' },
};

function under(name: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [`${name}.${field}`, text]));
}

describe.each(languages)('key sentences in %s', async (lang) => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { checkoutConfig } = await testApp.services.settings.all();
  await testApp.services.settings.update({ checkoutConfig: { ...checkoutConfig, requireMobile: true } });
  /** The sentence of the language under test. */
  const say = <T>(en: T, zh: T): T => ({ en, zh })[lang];

  async function withMug(): Promise<Shopper> {
    const session = testApp.shopper();
    await add(testApp, session, mug);
    return session;
  }

  const payWith = async (session: Shopper, paymentInstrucment: object, billingAddress: object = address) =>
    (
      await testApp.ask('postBilling', {
        session,
        lang,
        params: { gatewayName: '{host}' },
        body: { paymentInstrucment, billingAddress },
      })
    ).body;

  describe('checkout forms', () => {
    it('an empty shipping form names each missing field', async () => {
      const body = { contact: {}, address: { countryISOCode: '', province: '' } };
      const { errors } = (await testApp.ask('orderDeliverInfo', { session: await withMug(), lang, body }))
        .body;
      expect(errors).toEqual({
        ...missingName[lang],
        ...missingContact[lang],
        ...under('address', missingAddress[lang]),
      });
    });

    it('an invalid shipping form says what is wrong with each field', async () => {
      const body = {
        contact: { email: 'x', phoneNumber: 'y' },
        address: { ...address, province: 'Nowhere' },
      };
      const { errors } = (await testApp.ask('orderDeliverInfo', { session: await withMug(), lang, body }))
        .body;
      expect(errors).toEqual({
        ...missingName[lang],
        'contact.phoneNumber': say('Please enter a valid phone number', '请填写有效的电话号码'),
        'contact.email': say('Please enter a valid email', '请填写有效的邮箱地址'),
        'address.province': say('Please choose a state/province from the list', '请从列表中选择州/省'),
      });
    });

    it.each([
      ['pickup', {}, 'localStoreName', 'Please select a store location for pickup', '请选择自提门店'],
      ['instore', { localStoreName: store }, 'tableNumber', 'Table number is missing', '请填写桌号'],
    ])('an empty form for %s names what is missing', async (methodName, query, field, en, zh) => {
      const { errors } = (
        await testApp.ask('orderContactInfo', {
          session: await withMug(),
          lang,
          query: { methodName, ...query },
          body: { contact: {} },
        })
      ).body;
      const contact: Record<string, string> = { ...missingContact[lang] };
      if (methodName === 'instore') delete contact['contact.email'];
      expect(errors).toEqual({ ...contact, [field]: say(en, zh) });
    });

    it('an order without a delivery method says so', async () => {
      const { errors } = (await testApp.ask('reserve', { session: await withMug(), lang })).body;
      expect(errors).toEqual({ methodName: say('Checkout method is missing', '请选择收货方式') });
    });

    it('a shipped order cannot be paid in store', async () => {
      const { errors } = (
        await testApp.ask('reserve', { session: await shopperWithCart(testApp, mug), lang })
      ).body;
      expect(errors).toEqual({
        paymentMethod: say('Payment method has not been setup', '该付款方式尚未设置'),
      });
    });

    it('an item for stores only cannot be shipped, and is delivered near stores that deliver', async () => {
      const session = await withMug();
      await add(testApp, session, tarts);
      const sentence = async () =>
        (await testApp.ask('orderDeliverInfo', { session, lang, body: { contact, address } })).body.errors;
      expect(await sentence()).toEqual({
        [`lineItems.${tarts}`]: say(
          'Egg Tarts, Two Pieces is only sold in store and delivered near our stores',
          '酥皮蛋挞（两只）仅限门店，只能配送到门店附近的地址',
        ),
      });
      const note = async () => (await testApp.call('product', { params: { id: 'egg-tart' }, lang })).howToGet;
      expect(await note()).toContain(say('deliver it near our stores', '由门店配送到附近地址'));
      const stores = await testApp.services.stores.all();
      await testApp.services.stores.upsert(stores.map((store) => ({ ...store, deliveryZones: [] })));
      expect(await sentence()).toEqual({
        [`lineItems.${tarts}`]: say(
          'Egg Tarts, Two Pieces is only available in store and can’t be shipped',
          '酥皮蛋挞（两只）仅限门店，无法配送',
        ),
      });
      expect(await note()).toContain(say('can’t ship it', '不支持配送'));
      await testApp.services.stores.upsert(stores);
    });
  });

  describe('payment', () => {
    it('an empty card form names each missing field', async () => {
      expect((await payWith(await shopperWithCart(testApp, mug), {}, {})).errors).toEqual({
        'paymentInstrucment.cardHolderName': say('Card holder name is missing', '请填写持卡人姓名'),
        'paymentInstrucment.creditCardNumber': say('Card number is missing', '请填写卡号'),
        'paymentInstrucment.cardCode': say('Card CSV code is missing', '请填写卡片安全码'),
        'paymentInstrucment.expirationMonth': say('Expiration month is missing', '请选择有效期月份'),
        'paymentInstrucment.expirationYear': say('Expiration year is missing', '请选择有效期年份'),
        ...under('billingAddress', missingAddress[lang]),
      });
    });

    it('an invalid card form says what is wrong with each field', async () => {
      const wrong = { ...card(), creditCardNumber: '4242', cardCode: '1', expirationYear: 2020 };
      expect((await payWith(await shopperWithCart(testApp, mug), wrong)).errors).toEqual({
        'paymentInstrucment.creditCardNumber': say('Card number is invalid', '卡号无效'),
        'paymentInstrucment.cardCode': say('Card CSV code is invalid', '卡片安全码无效'),
        'paymentInstrucment.expirationMonth': say('Card has expired', '该卡已过期'),
      });
    });

    it.each([
      [
        'decline',
        'TRANSACTION_ERROR',
        'Your card was declined. You weren’t charged. Please try another card.',
        '该卡被拒绝，未扣款。请换一张卡。',
      ],
      ['numberInvalid', 'VALIDATION_ERROR', 'Card number is invalid', '卡号无效'],
      ['codeInvalid', 'VALIDATION_ERROR', 'Card CSV code is invalid', '卡片安全码无效'],
      [
        'notAuthorized',
        'AUTHORIZATION_ERROR',
        'We couldn’t authorize the payment. Please sign in and try again.',
        '付款未获授权，请重新登录后再试。',
      ],
      ['unavailable', 'SYSTEM_ERROR', 'Please try again later.', '请稍后再试。'],
    ] as const)(
      'a payment that fails with the card %s is %s with its sentence',
      async (kind, errorType, en, zh) => {
        const body = await payWith(await shopperWithCart(testApp, mug), card(cards[kind]));
        expect(body).toMatchObject({ errorType, message: say(en, zh) });
      },
    );

    it('an unknown payment gateway is not set up', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { body } = await testApp.ask('getBilling', {
        session,
        lang,
        params: { gatewayName: 'nonsense' },
      });
      expect(body.message).toBe(say('Payment gateway has not been setup', '支付网关尚未设置'));
    });
  });

  describe('the cart and the account', () => {
    it.each([
      [0, 'Quantity is invalid', '数量无效'],
      [99, 'You can order up to 98 of this item', '每款商品最多可订购 98 件'],
    ])('a quantity of %i is rejected with its sentence', async (quantity, en, zh) => {
      const { body } = await testApp.ask('addToCart', {
        lang,
        params: { itemName: mug },
        body: { quantity },
      });
      expect([body.message, body.errors]).toEqual([
        say('Please check the highlighted fields', '请检查标出的内容'),
        { quantity: say(en, zh) },
      ]);
    });

    it.each([
      [' ', 'Promo code is missing', '请输入优惠码'],
      ['none', 'Code “none” isn’t valid. Check the spelling.', '优惠码“none”无效，请核对后重试'],
    ])('the promo code "%s" is rejected with its sentence', async (code, en, zh) => {
      expect((await enter(testApp, await withMug(), code, { lang })).body.errors).toEqual({
        code: say(en, zh),
      });
    });

    it.each([
      ['', 'Email is missing', '请填写邮箱'],
      ['x', 'Please enter a valid email', '请填写有效的邮箱地址'],
    ])('the email "%s" of a forgotten password is rejected with its sentence', async (emailID, en, zh) => {
      const { errors } = (await testApp.ask('forgotPassword', { lang, query: { emailID } })).body;
      expect(errors).toEqual({ emailID: say(en, zh) });
    });

    it('a wrong password does not say whether the account exists', async () => {
      const { body } = await testApp.ask('signon', {
        lang,
        body: { userID: 'nobody@example.com', password: 'wrong password' },
      });
      expect(body.message).toBe(say('Incorrect email or password', '邮箱或密码不正确'));
    });

    it('a sold-out item can neither be added nor ordered', async () => {
      const session = await withMug();
      await visit(testApp, session);
      await setUnits(testApp, mug, 0);
      const added = await testApp.ask('addToCart', {
        lang,
        params: { itemName: mug },
        body: { quantity: 1 },
      });
      expect(added.body.message).toBe(say('This product is currently out of stock.', '该商品暂时缺货。'));
      const ordered = await testApp.ask('reserve', { session, lang });
      expect(ordered.body.message).toBe(say('Speckled Stoneware Mug is out of stock', '雀斑马克杯已售罄'));
    });
  });

  describe('features that the merchant has switched off', async () => {
    const other = await createTestApp({ engine: 'sqlite', demo: true });
    const { checkoutConfig, paymentConfig } = await other.services.settings.all();
    const changeStores = async (change: { allowPickup?: boolean; tables?: number }) => {
      const stores = await other.services.stores.all();
      await other.services.stores.upsert(stores.map((each) => ({ ...each, ...change })));
    };
    const filled = async () => {
      const session = other.shopper();
      await add(other, session, mug);
      return session;
    };
    const visited = async (session: Shopper, query: object = {}) => {
      const input = {
        session,
        lang,
        query: { methodName: 'pickup', localStoreName: store, ...query },
        body: { contact },
      };
      return (await other.ask('orderContactInfo', input)).body.errors;
    };

    it('a pickup that is switched off is not available', async () => {
      await other.services.settings.update({ checkoutConfig: { ...checkoutConfig, enablePickup: false } });
      expect(await visited(await filled())).toEqual({
        methodName: say('Pickup is not available', '暂不提供自提'),
      });
    });

    it('a shop without a payment method says so', async () => {
      await other.services.settings.update({
        checkoutConfig,
        paymentConfig: { ...paymentConfig, payAtStoreEnabled: false, paymentOnline: false },
      });
      const session = await filled();
      await visit(other, session);
      const { errors } = (await other.ask('reserve', { session, lang })).body;
      expect(errors).toEqual({
        paymentMethod: say(
          'Payment methods have not been setup. Please visit us again later',
          '本店尚未设置付款方式，请稍后再来',
        ),
      });
    });

    it('a shop whose stores offer no pickup says so', async () => {
      await other.services.settings.update({ checkoutConfig, paymentConfig });
      await changeStores({ allowPickup: false });
      expect(await visited(await filled(), { localStoreName: undefined })).toEqual({
        localStoreName: say('No stores available for pickup', '暂无可自提的门店'),
      });
    });

    it('a shop without a delivery method says so', async () => {
      await other.services.settings.update({ checkoutConfig, paymentConfig });
      const session = await filled();
      await other.services.settings.update({
        checkoutConfig: { ...checkoutConfig, enablePickup: false, domesticShippingEnabled: false },
      });
      await changeStores({ tables: 0 });
      expect(await visited(session)).toEqual({
        methodName: say('Checkout method has not been setup', '本店尚未设置收货方式'),
      });
    });
  });

  describe('emails', async () => {
    const mailed = await createTestApp({ engine: 'sqlite', demo: true });
    await setUnits(mailed, mug, 20);
    await mailed.services.stock.count([{ sku: mug, place: store, units: 20 }]);

    const numberOf = async (session: Shopper, id: string) =>
      (await mailed.call('order', { session, params: { id } })).orderNumber ?? '';

    async function shippedOrder(email: string): Promise<string> {
      const session = mailed.shopper();
      await add(mailed, session, mug);
      await deliver(mailed, session, { contact: { ...contact, email } });
      const body = { paymentInstrucment: card(), billingAddress: address };
      const { orderID } = await mailed.call('postBilling', {
        session,
        lang,
        params: { gatewayName: '{host}' },
        body,
      });
      return numberOf(session, orderID ?? '');
    }

    async function reservation(email: string): Promise<string> {
      const session = mailed.shopper();
      await add(mailed, session, mug);
      const query = { methodName: 'pickup', localStoreName: store };
      await mailed.call('orderContactInfo', { session, query, body: { contact: { ...contact, email } } });
      const { orderID } = await mailed.call('reserve', { session, lang });
      return numberOf(session, orderID);
    }

    const subjects = async (email: string) => (await mailsFor(mailed, email)).map(subjectOf).sort();

    it('the emails about a shipped and refunded order have their subjects', async () => {
      const number = await shippedOrder('shipped@example.com');
      await mailed.services.fulfilment.move(number, 'shipped');
      await mailed.services.orderRefunds.refund(number, { amount: 100, reason: '' });
      expect(await subjects('shipped@example.com')).toEqual(
        [
          say(`Order ${number} is confirmed – Maple & Clay`, `【枫土】订单 ${number} 已确认`),
          say(`Order ${number} has shipped – Maple & Clay`, `【枫土】订单 ${number} 已发货`),
          say(`Refund for order ${number} – Maple & Clay`, `【枫土】订单 ${number} 退款通知`),
        ].sort(),
      );
    });

    it('the email about a new order tells the staff how it is handed over, what it costs and whether it is paid', async () => {
      await mailed.services.settings.update({ staffLanguage: lang });
      const staff = async (number: string) => {
        const all = await mailsFor(mailed, 'toronto@maple-and-clay.example', 'newOrder');
        return all.filter(
          (each) =>
            subjectOf(each) === say(`Order ${number} placed – Maple & Clay`, `【枫土】新订单 ${number}`),
        );
      };
      const [paid, ...more] = await staff(await shippedOrder('new@example.com'));
      expect(more).toEqual([]);
      for (const line of say(
        [
          'Delivery method: Shipping',
          'Shipping method: Standard, Canada',
          'Paid $49.72 by card.',
          'SHIPPING ADDRESS',
          'Total: $49.72',
        ],
        [
          '收货方式: 快递配送',
          '配送方式: 加拿大标准配送',
          '已用银行卡付款 $49.72。',
          '收货地址',
          '合计: $49.72',
        ],
      ))
        expect(paid?.text).toContain(line);
      const [unpaid] = await staff(await reservation('reserved@example.com'));
      for (const line of say(
        [
          'Delivery method: Pickup',
          'Not paid yet. The customer pays $36.16 in store.',
          'reserved@example.com',
        ],
        ['收货方式: 到店自提', '尚未付款，顾客将到店支付 $36.16。', 'reserved@example.com'],
      ))
        expect(unpaid?.text).toContain(line);
    });

    it('the email about a cancelled order has its subject and its bill', async () => {
      const number = await shippedOrder('cancelled@example.com');
      await mailed.services.orderRefunds.cancelOrder(number, '');
      const subject = say(
        `Order ${number} has been cancelled – Maple & Clay`,
        `【枫土】订单 ${number} 已取消`,
      );
      const email = (await mailsFor(mailed, 'cancelled@example.com')).find(
        (each) => subjectOf(each) === subject,
      );
      for (const line of say(
        [
          'Subtotal: $32.00',
          'Shipping: $12.00',
          'HST 13%: $5.72',
          'Total: $49.72',
          'Total after refund: $0.00',
        ],
        ['商品小计: $32.00', '运费: $12.00', 'HST 13%: $5.72', '合计: $49.72', '退款后实付: $0.00'],
      ))
        expect(email?.text).toContain(line);
    });

    it('the emails about a reservation that expires have their subjects', async () => {
      const number = await reservation('expired@example.com');
      await mailed.services.fulfilment.move(number, 'ready');
      mailed.clock.advance(100 * 24 * 3_600_000);
      await mailed.services.payments.reconcile();
      const emails = await mailsFor(mailed, 'expired@example.com');
      expect(emails.map(subjectOf).sort()).toEqual(
        [
          say(`Order ${number} is confirmed – Maple & Clay`, `【枫土】订单 ${number} 已确认`),
          say(`Order ${number} is ready for pickup – Maple & Clay`, `【枫土】订单 ${number} 可以取货了`),
          say(`Reservation ${number} has expired – Maple & Clay`, `【枫土】预留订单 ${number} 已过期`),
        ].sort(),
      );
      const notCharged = say('You weren’t charged.', '未产生任何费用');
      expect(emails.filter(({ text }) => text.includes(notCharged))).toHaveLength(1);
    });

    it('the emails about an account have their subjects', async () => {
      const email = 'account@example.com';
      const body = { firstName: 'Mei', lastName: 'Chen', email, password: goodPassword };
      await mailed.call('clientRegistration', { session: mailed.shopper(), lang, body });
      await mailed.call('forgotPassword', { session: mailed.shopper(), lang, query: { emailID: email } });
      expect(await subjects(email)).toEqual(
        [
          say('Welcome to Maple & Clay', '欢迎加入枫土'),
          say('Your temporary Maple & Clay password', '【枫土】您的临时密码'),
        ].sort(),
      );
    });
  });
});
