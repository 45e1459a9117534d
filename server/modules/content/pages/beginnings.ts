/** What a new page can start with, in both languages: words that are true of most shops, for the merchant to make their own. */
import { inLocale, type LocalText, offeredLocales } from '#contract/locales.ts';
import type { StoredBlock } from '#contract/schemas/blocks.ts';
import type { PageBeginning, PageDocument } from '#contract/schemas/page.ts';

/** What they say of the shop. */
export interface BeginningFacts {
  shopName: LocalText;
  contactEmail: string;
}

type Beginning = Omit<PageDocument, 'id' | 'blocks'> & { blocks: readonly StoredBlock[] };
interface Both {
  en: string;
  zh: string;
}
const both = (en: string, zh: string): Both => ({ en, zh });

const text = (id: string, title: Both | null, paragraphs: readonly Both[], items: readonly Both[] = []): StoredBlock => ({
  id,
  type: 'text' as const,
  title,
  paragraphs: [...paragraphs],
  items: [...items],
});

const toContact: StoredBlock = {
  id: 'write',
  type: 'buttons',
  buttons: [{ label: both('Write to us', '给我们留言'), link: '/contact', style: 'secondary' }],
};

const openStores: StoredBlock = { id: 'stores', type: 'stores', title: both('Where to find us', '门店位置') };

function contactForm(email: string): StoredBlock {
  const field = (name: string, nameContent: Both, fieldType: 'text' | 'email' | 'textarea', isRequired = true) => ({
    name,
    nameContent,
    fieldType,
    isRequired,
    options: [],
    content: '',
  });
  return {
    id: 'form',
    type: 'form' as const,
    title: both('Write to us', '给我们留言'),
    uiFormName: 'contact',
    uiMailTo: email,
    fields: [
      field('contactName', both('Your name', '您的称呼'), 'text'),
      field('email', both('Email', '电子邮箱'), 'email'),
      field('orderNumber', both('Order number, if you have one', '订单号（如有）'), 'text', false),
      field('message', both('Your message', '留言内容'), 'textarea'),
    ],
    submitLabel: both('Send', '提交'),
    submittedMessage: both('Thank you. We’ll reply as soon as we can.', '已收到，谢谢。我们会尽快回复您。'),
  };
}

const beginnings: Readonly<Record<PageBeginning, (facts: { shop: Both; contactEmail: string }) => Beginning>> = {
  blank: () => ({ title: {}, metaDescription: both('', ''), blocks: [] }),
  about: ({ shop }) => ({
    title: both('About us', '关于我们'),
    metaDescription: both(`Who is behind ${shop.en}, and how we work.`, `${shop.zh}背后的人和做事的方式。`),
    blocks: [
      text('beginning', both('How it started', '缘起'), [
        both(
          'Tell your customers how the shop began: the year, the place, and what you couldn’t find anywhere else. A true detail says more than a promise.',
          '讲讲店是怎么开起来的：哪一年，在哪里，当初想找却没找到的是什么。一个真实的细节，胜过一句承诺。',
        ),
      ]),
      text(
        'work',
        both('How we work', '我们怎么做'),
        [both(`What you can expect of ${shop.en}:`, `在${shop.zh}，您可以放心：`)],
        [
          both('We sell only what we use ourselves.', '只卖自己也在用的东西。'),
          both('We say where things come from.', '东西从哪里来，写得清清楚楚。'),
          both('If something is wrong, we put it right.', '出了差错，我们负责到底。'),
        ],
      ),
      openStores,
      toContact,
    ],
  }),
  contact: ({ contactEmail }) => ({
    title: both('Contact', '联系我们'),
    metaDescription: both('How to reach us, and when we are open.', '联系方式与营业时间。'),
    blocks: [contactForm(contactEmail)],
  }),
  faq: () => ({
    title: both('Questions and answers', '常见问题'),
    metaDescription: both('Answers about orders, payment, shipping and returns.', '关于订单、付款、配送和退换的解答。'),
    blocks: [
      text('change', both('Can I change or cancel my order?', '下单后可以修改或取消吗？'), [
        both(
          'Yes, until we start to pack it. Write to us with your order number, and we’ll do what we can.',
          '开始打包之前都可以。请告诉我们订单号，我们会尽力处理。',
        ),
      ]),
      text('pay', both('How can I pay?', '有哪些付款方式？'), [
        both(
          'You see all the ways to pay at checkout, before you place your order. Prices include no hidden fees.',
          '结账页会列出全部付款方式，提交订单前即可看到。价格不含任何隐藏费用。',
        ),
      ]),
      text('when', both('When will my order arrive?', '多久能收到？'), [
        both(
          'Checkout shows the expected time for your address. We email you as soon as your order is on its way.',
          '结账页会按您的地址显示预计时间。发货后我们会立即发邮件通知您。',
        ),
      ]),
      text('back', both('Can I return something?', '可以退货吗？'), [
        both(
          'You can start a return from your order. Our page on shipping and returns says how long you have, and who pays for the way back.',
          '可以从订单发起退货。退货期限和运费由谁承担，见“配送与退换”页面。',
        ),
      ]),
      toContact,
    ],
  }),
  shipping: () => ({
    title: both('Shipping and returns', '配送与退换'),
    metaDescription: both('What shipping costs, how long it takes, and how to return something.', '运费、时效与退换方式。'),
    blocks: [
      text('shipping', both('Shipping', '配送'), [
        both(
          'Checkout shows what shipping to your address costs and when it should arrive, before you pay. Your email confirmation has a link to follow your order.',
          '付款前，结账页会显示寄到您地址的运费和预计送达时间。确认邮件里有查看订单进度的链接。',
        ),
      ]),
      text('pickup', both('Pickup', '自提'), [
        both(
          'You can pick up your order where checkout offers it. We email you when it’s ready; please bring your order number.',
          '结账页提供自提时，您可以到店取货。备好后我们会发邮件通知，请带上订单号。',
        ),
      ]),
      text('returns', both('Returns', '退换'), [
        both(
          'Something doesn’t fit, or isn’t what you expected? Tell us within the time that your order shows. Send it back unused, and we’ll refund your original payment method.',
          '尺寸不合适，或与预期不符？请在订单显示的期限内告诉我们。未使用的商品寄回后，我们会原路退款。',
        ),
      ]),
      text('damaged', both('Arrived damaged?', '收到时已破损？'), [
        both(
          'Send us a photo of the item and the box. We’ll replace it or refund you.',
          '请发来商品和外箱的照片，我们会补发或退款。',
        ),
      ]),
      toContact,
    ],
  }),
  privacy: ({ shop, contactEmail }) => ({
    title: both('Privacy', '隐私政策'),
    metaDescription: both('What we store about you, and why.', '我们保存哪些信息，以及用途。'),
    blocks: [
      text('stored', both('What we store', '我们保存的信息'), [
        both(
          `When you order from ${shop.en}, we store your name, address, email, phone number and what you bought. We need them to deliver your order, and the law asks us to keep records of sales.`,
          `您在${shop.zh}下单时，我们会保存您的姓名、地址、电子邮箱、电话和所购商品，用于完成订单；法律也要求我们保留销售记录。`,
        ),
        both('Your card number goes to the payment provider and never reaches us.', '银行卡号由支付服务商处理，我们不会接触到。'),
      ]),
      text('cookies', both('Cookies', 'Cookie'), [
        both(
          'The shop uses only the cookies that it needs: for your cart and for staying signed in. They don’t follow you to other websites.',
          '本店只使用必要的 Cookie：保存购物车和登录状态，不会跨网站跟踪。',
        ),
      ]),
      text('rights', both('Your rights', '您的权利'), [
        contactEmail === ''
          ? both(
              'You can see, correct and delete your data in your account. You can also ask us to do it.',
              '您可以在账户中查看、更正和删除自己的信息，也可以请我们代办。',
            )
          : both(
              `You can see, correct and delete your data in your account. You can also write to ${contactEmail}.`,
              `您可以在账户中查看、更正和删除自己的信息，也可以发邮件至 ${contactEmail}。`,
            ),
      ]),
    ],
  }),
  opening: ({ shop }) => ({
    title: both('Opening soon', '即将开业'),
    metaDescription: both(`${shop.en} opens soon.`, `${shop.zh}即将开业。`),
    blocks: [
      {
        ...text('soon', null, [
          both(`${shop.en} opens soon.`, `${shop.zh}即将开业。`),
          both('We’re unpacking the last boxes.', '最后几箱货正在拆封。'),
        ]),
        style: 'statement',
      } as StoredBlock,
      openStores,
      toContact,
    ],
  }),
};

/** In the languages of the shop. */
export function beginningOf(kind: PageBeginning, { shopName, contactEmail }: BeginningFacts): Beginning {
  const shop = both(inLocale(shopName, 'en'), inLocale(shopName, 'zh'));
  return inOffered(beginnings[kind]({ shop, contactEmail }));
}

/** Texts of other languages are left out, in which nobody would look after them. */
function inOffered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inOffered) as T;
  if (typeof value !== 'object' || value === null) return value;
  const isText = 'en' in value && 'zh' in value;
  const offered: readonly string[] = offeredLocales();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isText || offered.includes(name))
      .map(([name, each]) => [name, inOffered(each)]),
  ) as T;
}
