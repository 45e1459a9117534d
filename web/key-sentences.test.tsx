/** Checks the texts and amounts of the screens in both languages, in the rendered HTML. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import { ApiError } from '#ui/errors.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { BillView, type BillViewProps } from './features/bill/bill.tsx';
import { orderStateLabel } from './features/orders/order-parts.tsx';
import { paymentFailure, walletFailure } from './features/payment/payment-state.ts';
import { StockLine } from './features/product/stock-line.tsx';
import { loadI18n } from './i18n/messages.ts';

const bill = {
  ...sampleBill,
  discount: 680,
  couponCode: 'TEN',
  shipping: 1200,
  taxLines: [{ label: 'HST 13%', amount: 952 }],
  tax: 952,
  tip: 500,
  total: 8772,
};
const order: BillViewProps['order'] = {
  bill,
  method: 'shipping',
  tips: null,
  tipRate: 0,
  tipAmount: null,
  refunds: [],
  timeZone: 'America/Toronto',
};
const toOntario = { ...order, shippingAddress: { countryISOCode: 'CA' } };

describe.each(['en', 'zh'] as const)('key sentences on the screens in %s', async (lang) => {
  const i18n = await loadI18n(lang);
  /** The sentence of the language under test. */
  const say = <T,>(en: T, zh: T): T => ({ en, zh })[lang];
  /** The text nodes from left to right, as a screen reader reads them. */
  const texts = (node: ReactNode) =>
    renderToStaticMarkup(<I18nProvider i18n={i18n}>{node}</I18nProvider>)
      .split(/<[^>]*>/)
      .map((text) => text.trim())
      .filter(Boolean);

  it('a bill has its rows and amounts', () => {
    expect(texts(<BillView order={toOntario} />)).toEqual(
      say(
        [
          'Subtotal',
          '$68.00',
          'Discount (TEN)',
          '−$6.80',
          'Shipping',
          '$12.00',
          'HST 13%',
          '$9.52',
          'Tip',
          '$5.00',
          'Total',
          '$87.72',
        ],
        [
          '商品小计',
          '$68.00',
          '优惠（TEN）',
          '−$6.80',
          '运费',
          '$12.00',
          'HST 13%',
          '$9.52',
          '小费',
          '$5.00',
          '合计',
          '$87.72',
        ],
      ),
    );
  });

  it('a bill without a destination is an estimate', () => {
    const open = {
      ...bill,
      final: false,
      shipping: 0,
      taxLines: [],
      tax: 0,
      discount: 0,
      couponCode: null,
      tip: 0,
      total: 6800,
    };
    expect(texts(<BillView order={{ ...order, bill: open }} />)).toEqual(
      say(
        [
          'Subtotal',
          '$68.00',
          'Shipping',
          'Calculated at checkout',
          'Tax',
          'Calculated at checkout',
          'Estimated total',
          '$68.00',
          'Shipping and tax are calculated at checkout.',
        ],
        [
          '商品小计',
          '$68.00',
          '运费',
          '结账时计算',
          '税费',
          '结账时计算',
          '预估合计',
          '$68.00\u00a0CAD',
          '运费和税费将在结账时计算。',
        ],
      ),
    );
  });

  it('a refunded bill ends with the refund and what is left', () => {
    const refunds = [{ amount: 1000, tip: 0, done: true, at: Date.UTC(2026, 4, 20, 16) }];
    expect(texts(<BillView order={{ ...toOntario, refunds, paid: 7772, due: 0 }} />).slice(-5)).toEqual(
      say(
        ['Refunded', 'May 20, 2026', '−$10.00', 'Total after refund', '$77.72'],
        ['已退款', '2026年5月20日', '−$10.00', '退款后实付', '$77.72'],
      ),
    );
  });

  it.each([
    ['reserved', 'pickup', 'Reserved', '已预留'],
    ['placed', 'shipping', 'Order placed', '已下单'],
    ['ready', 'pickup', 'Ready for pickup', '待取货'],
    ['ready', 'instore', 'Coming to your table', '即将上桌'],
    ['shipped', 'shipping', 'Shipped', '已发货'],
    ['completed', 'shipping', 'Delivered', '已送达'],
    ['completed', 'pickup', 'Picked up', '已取货'],
    ['completed', 'instore', 'Served', '已上桌'],
    ['cancelled', 'shipping', 'Cancelled', '已取消'],
    ['lapsed', 'pickup', 'Expired', '逾期未取'],
  ] satisfies [OrderState, CheckoutMethod, string, string][])(
    'the order state %s with the method %s has its word',
    (state, method, en, zh) => {
      expect(i18n.t(orderStateLabel(state, method))).toBe(say(en, zh));
    },
  );

  it.each([
    [
      401,
      'AUTHORIZATION_ERROR',
      ['Authorization Error', 'Your session has ended. Please sign in again.'],
      ['授权错误', '登录已失效，请重新登录。'],
    ],
    [
      422,
      'VALIDATION_ERROR',
      ['Validation Error', 'Please check the card number.'],
      ['信息有误', '请检查卡号是否正确。'],
    ],
    [
      402,
      'TRANSACTION_ERROR',
      ['Transaction Error', 'The payment was declined. Please try another card.'],
      ['交易失败', '付款未成功，请换一张卡再试。'],
    ],
    [503, 'SYSTEM_ERROR', ['System Error', 'Please try again later.'], ['系统错误', '请稍后再试。']],
    [
      502,
      undefined,
      ['Network Error', 'Please make sure network connection is ok.'],
      ['网络错误', '请确认网络连接正常。'],
    ],
  ] as const)(
    'a payment answered with status %i and type %s has the popup of SPEC §8',
    (status, errorType, en, zh) => {
      const failure = paymentFailure(
        new ApiError(status, { ...(errorType ? { errorType } : {}) } as ConstructorParameters<
          typeof ApiError
        >[1]),
      );
      expect(failure.kind === 'popup' && [i18n.t(failure.title), i18n.t(failure.text)]).toEqual(
        say<readonly string[]>(en, zh),
      );
    },
  );

  it('a PayPal payment without a token has the sentence of SPEC §8', () => {
    const failure = walletFailure(
      new ApiError(503, { errorType: 'SYSTEM_ERROR' }),
      i18n.t('payment.paypal.invalid'),
    );
    expect(failure).toEqual({
      kind: 'notice',
      words: say(
        'The PayPal settings for this store is invalid, please use another method of payment',
        '本店的 PayPal 设置无效，请使用其他付款方式',
      ),
    });
  });

  it.each([
    ['InStock', 'In Stock', '有货'],
    ['OutOfStock', 'Out of Stock', '缺货'],
    ['NotAvailable', 'Not Available', '暂不供应'],
  ] as const)('the stock status %s has the words of SPEC §8', (status, en, zh) => {
    const stock = { status, live: undefined, sku: 'CUP-1' };
    expect(texts(<StockLine stock={stock} inStoreOnly={false} />)[0]).toBe(say(en, zh));
  });
});
