/** What a new page can start with, in both languages: words that are true of most shops, for the merchant to make their own. */
import { inLocale, type LocalText, offeredLocales } from '#contract/locales.ts';
import type { StoredBlock } from '#contract/schemas/blocks.ts';
import type { PageBeginning, PageDocument } from '#contract/schemas/page.ts';

/** What they say of the shop. */
export interface BeginningFacts {
  shopName: LocalText;
  contactEmail: string;
  /** The first category, which menus begin with; null if there is none yet. */
  firstCategory: string | null;
}

type Beginning = Omit<PageDocument, 'id' | 'blocks'> & { blocks: readonly StoredBlock[] };
interface Both {
  en: string;
  zh: string;
}
const both = (en: string, zh: string): Both => ({ en, zh });

const text = (
  id: string,
  title: Both | null,
  paragraphs: readonly Both[],
  items: readonly Both[] = [],
): StoredBlock => ({
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

const toProducts = (label: Both): StoredBlock => ({
  id: 'look',
  type: 'buttons',
  buttons: [
    { label, link: '/productlist', style: 'primary' },
    { label: both('Find us', '门店位置'), link: '/contact', style: 'secondary' },
  ],
});

const statement = (id: string, paragraphs: readonly Both[]): StoredBlock =>
  ({ ...text(id, null, paragraphs), style: 'statement' }) as StoredBlock;

const newProducts = (title: Both, number: number): StoredBlock => ({
  id: 'new',
  type: 'productList',
  title,
  uiAttribute: {
    collectiontype: 'newArrival',
    collectionname: '',
    number,
    numberPerRow: 4,
    numberPerMobileRow: 2,
    sortby: 'default',
  },
});

/** Without a category there is nothing to list yet. */
const menuOf = (category: string | null): StoredBlock[] =>
  category === null
    ? []
    : [{ id: 'menu', type: 'tableMenu', title: both('What we serve', '菜单'), category }];

const hours: StoredBlock = {
  id: 'hours',
  type: 'openingHours',
  title: both('Opening hours', '营业时间'),
  store: '',
};

const paragraph = (words: Both): Both => both(`<p>${words.en}</p>`, `<p>${words.zh}</p>`);
const answers = (
  id: string,
  title: Both,
  entries: readonly (readonly [question: Both, answer: Both])[],
): StoredBlock => ({
  id,
  type: 'accordion',
  title,
  entries: entries.map(([summary, answer]) => ({ summary, html: paragraph(answer) })),
});
const columns = (
  id: string,
  title: Both | null,
  parts: readonly (readonly [heading: Both, words: Both])[],
): StoredBlock => ({
  id,
  type: 'columns',
  title,
  columns: parts.map(([heading, words]) => ({ title: heading, html: paragraph(words) })),
});

/** Without pictures a block of them is not shown. */
const pictures = (id: string, title: Both | null): StoredBlock => ({
  id,
  type: 'imageInfo',
  title,
  layout: 'columns',
  items: [],
});

const openStores: StoredBlock = { id: 'stores', type: 'stores', title: both('Where to find us', '门店位置') };

function contactForm(email: string): StoredBlock {
  const field = (
    name: string,
    nameContent: Both,
    fieldType: 'text' | 'email' | 'textarea',
    isRequired = true,
  ) => ({
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

type Facts = Omit<BeginningFacts, 'shopName'> & { shop: Both };

const beginnings: Readonly<Record<PageBeginning, (facts: Facts) => Beginning>> = {
  blank: () => ({ title: {}, metaDescription: both('', ''), blocks: [] }),
  shop: ({ shop }) => ({
    title: shop,
    metaDescription: both(`New arrivals and favourites at ${shop.en}.`, `${shop.zh}的新品与常备好物。`),
    blocks: [
      statement('welcome', [
        both('Say in one sentence what you sell, and for whom.', '用一句话说说您卖什么、为谁而卖。'),
      ]),
      toProducts(both('See all products', '查看全部商品')),
      newProducts(both('New arrivals', '新品上架'), 8),
      columns('promise', null, [
        [
          both('Chosen with care', '用心挑选'),
          both(
            'We sell what we use ourselves, and say where it comes from.',
            '只卖自己也在用的东西，来处写得清清楚楚。',
          ),
        ],
        [
          both('Packed well', '仔细包装'),
          both('If something arrives damaged, we replace it or refund you.', '若有破损，我们补发或退款。'),
        ],
        [
          both('Easy to reach', '随时联系'),
          both('Write to us, and a person answers.', '给我们留言，有人亲自回复。'),
        ],
      ]),
      openStores,
    ],
  }),
  cafe: ({ shop, firstCategory }) => ({
    title: shop,
    metaDescription: both(
      `The menu, the opening hours and the way to ${shop.en}.`,
      `${shop.zh}的菜单、营业时间与地址。`,
    ),
    blocks: [
      statement('welcome', [both('Say in one sentence why people come in.', '用一句话说说客人为什么来。')]),
      toProducts(both('Order ahead', '提前点单')),
      ...menuOf(firstCategory),
      hours,
      openStores,
    ],
  }),
  menu: ({ shop, firstCategory }) => ({
    title: both('Menu', '菜单'),
    metaDescription: both(
      `What ${shop.en} serves, with prices and opening hours.`,
      `${shop.zh}供应的餐饮、价格与营业时间。`,
    ),
    blocks: [
      ...menuOf(firstCategory),
      text('table', both('At your table', '堂食'), [
        both(
          'Scan the code on your table to order and pay from your seat. You can also order at the counter.',
          '扫描桌上的二维码，坐着就能点单付款。也可以到柜台点单。',
        ),
        both(
          'Tell us about allergies before you order. We’re glad to say what is in everything.',
          '如有过敏，请在点单前告诉我们，我们乐意说明每样东西的配料。',
        ),
      ]),
      hours,
    ],
  }),
  landing: ({ shop }) => ({
    title: both('A reason to come', '一个来的理由'),
    metaDescription: both(`An offer from ${shop.en}.`, `${shop.zh}的推荐。`),
    blocks: [
      statement('offer', [both('Say what it is, and until when.', '写明内容与截止日期。')]),
      columns('why', both('Why it’s worth it', '值得的理由'), [
        [
          both('First', '第一'),
          both('The reason that matters most to your customers.', '对顾客最重要的理由。'),
        ],
        [both('Second', '第二'), both('What makes it different from others.', '与别处有什么不同。')],
        [both('Third', '第三'), both('What happens if they don’t like it.', '不满意时怎么办。')],
      ]),
      newProducts(both('Choose yours', '挑选商品'), 4),
      answers('questions', both('Before you order', '下单之前'), [
        [
          both('When will it arrive?', '什么时候能收到？'),
          both('Checkout shows the expected time for your address.', '结账页会按您的地址显示预计时间。'),
        ],
        [
          both('Can I return it?', '可以退货吗？'),
          both('You can start a return from your order.', '可以从订单发起退货。'),
        ],
      ]),
    ],
  }),
  gallery: ({ shop }) => ({
    title: both('Gallery', '图集'),
    metaDescription: both(`Pictures from ${shop.en}.`, `${shop.zh}的图片。`),
    blocks: [
      statement('words', [both('Say what people see here, and when it was.', '说说图中是什么，拍于何时。')]),
      pictures('pictures', null),
      toContact,
    ],
  }),
  team: ({ shop }) => ({
    title: both('Our team', '我们的团队'),
    metaDescription: both(`The people at ${shop.en}.`, `${shop.zh}的伙伴们。`),
    blocks: [
      text('people', both('Who we are', '我们是谁'), [
        both(
          'Say who does what, and what each of them likes best in the shop.',
          '介绍每个人负责什么，以及各自在店里最喜欢什么。',
        ),
      ]),
      pictures('portraits', null),
      {
        id: 'words',
        type: 'quotation',
        words: both('Something that one of you says every day.', '你们常挂在嘴边的一句话。'),
        author: both('', ''),
        role: both('', ''),
        portrait: null,
      },
      toContact,
    ],
  }),
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
    metaDescription: both(
      'Answers about orders, payment, shipping and returns.',
      '关于订单、付款、配送和退换的解答。',
    ),
    blocks: [
      answers('orders', both('Orders and payment', '订单与付款'), [
        [
          both('Can I change or cancel my order?', '下单后可以修改或取消吗？'),
          both(
            'Yes, until we start to pack it. Write to us with your order number, and we’ll do what we can.',
            '开始打包之前都可以。请告诉我们订单号，我们会尽力处理。',
          ),
        ],
        [
          both('How can I pay?', '有哪些付款方式？'),
          both(
            'You see all the ways to pay at checkout, before you place your order. Prices include no hidden fees.',
            '结账页会列出全部付款方式，提交订单前即可看到。价格不含任何隐藏费用。',
          ),
        ],
      ]),
      answers('delivery', both('Shipping and returns', '配送与退换'), [
        [
          both('When will my order arrive?', '多久能收到？'),
          both(
            'Checkout shows the expected time for your address. We email you as soon as your order is on its way.',
            '结账页会按您的地址显示预计时间。发货后我们会立即发邮件通知您。',
          ),
        ],
        [
          both('Can I return something?', '可以退货吗？'),
          both(
            'You can start a return from your order. Our page on shipping and returns says how long you have, and who pays for the way back.',
            '可以从订单发起退货。退货期限和运费由谁承担，见“配送与退换”页面。',
          ),
        ],
      ]),
      toContact,
    ],
  }),
  shipping: () => ({
    title: both('Shipping and returns', '配送与退换'),
    metaDescription: both(
      'What shipping costs, how long it takes, and how to return something.',
      '运费、时效与退换方式。',
    ),
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
        both(
          'Your card number goes to the payment provider and never reaches us.',
          '银行卡号由支付服务商处理，我们不会接触到。',
        ),
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
      statement('soon', [
        both(`${shop.en} opens soon.`, `${shop.zh}即将开业。`),
        both('We’re unpacking the last boxes.', '最后几箱货正在拆封。'),
      ]),
      openStores,
      toContact,
    ],
  }),
};

/** Of the first page of a shop that has none. */
export const homeBeginnings: ReadonlySet<PageBeginning> = new Set(['shop', 'cafe']);

/** In the languages of the shop. */
export function beginningOf(kind: PageBeginning, { shopName, ...facts }: BeginningFacts): Beginning {
  const shop = both(inLocale(shopName, 'en'), inLocale(shopName, 'zh'));
  return inOffered(beginnings[kind]({ shop, ...facts }));
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
