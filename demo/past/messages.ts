/** What people have written to the demo shop by its forms. */
import type { Locale } from '#contract/locales.ts';

export interface SentMessage {
  daysAgo: number;
  form: 'contact' | 'wholesale';
  mailTo: string;
  locale: Locale;
  details: Readonly<Record<string, string>>;
  /** Whether somebody of the shop has said that it is done. */
  answered: boolean;
}

const toShop = 'hello@maple-and-clay.example';
const toWholesale = 'wholesale@maple-and-clay.example';

function contact(
  daysAgo: number,
  answered: boolean,
  name: string,
  email: string,
  subject: string,
  message: string,
): SentMessage {
  const locale = /\p{Script=Han}/u.test(message) ? 'zh' : 'en';
  const details = { contactName: name, email, subject, orderNumber: '', message };
  return { daysAgo, form: 'contact', mailTo: toShop, locale, details, answered };
}

function wholesale(
  daysAgo: number,
  answered: boolean,
  details: Readonly<Record<string, string>>,
): SentMessage {
  return {
    daysAgo,
    form: 'wholesale',
    mailTo: toWholesale,
    locale: 'en',
    details: { phone: '', ...details },
    answered,
  };
}

export const sentMessages: readonly SentMessage[] = [
  contact(
    108,
    true,
    'Nadia Haddad',
    'nadia.haddad@mail.example',
    'A product',
    'Is the glaze of the celadon teapot safe for vinegar? I would like to pickle in the small bowls too.',
  ),
  contact(97, true, '林子涵', 'zihan.lin@mail.example', '商品', '龙井今年是几月采的？开封后放冰箱还是常温？'),
  wholesale(88, true, {
    businessName: 'Lantern Lane Coffee',
    contactName: 'Theo Walsh',
    email: 'theo@lanternlane.example',
    cityProvince: 'Hamilton, Ontario',
    businessType: 'Café or tea shop',
    interest:
      'Tieguanyin and hojicha for two cafés, about four kilos a month, and forty of the big-handle mugs.',
  }),
  contact(
    74,
    true,
    'Grace MacLeod',
    'grace.macleod@mail.example',
    'A store or the tea bar',
    'Can eight of us sit together in Unionville on a Sunday afternoon, or is that too many for the porch?',
  ),
  contact(
    63,
    true,
    'Miguel Torres',
    'miguel.torres@mail.example',
    'An order',
    'The lid of my gaiwan came with a chip the size of a grain of rice. A picture can follow. It still pours.',
  ),
  contact(
    52,
    true,
    '黄嘉怡',
    'kayi.wong@mail.example',
    '门店或茶吧',
    '皇后西街店周四晚上九点前还能点热饮吗？',
  ),
  contact(
    45,
    true,
    'Hannah Weiss',
    'hannah.weiss@mail.example',
    'Something else',
    'We teach pottery at a school in Guelph. Could twelve children see your kilns one morning in spring?',
  ),
  wholesale(38, true, {
    businessName: 'The Reading Room Inn',
    contactName: 'Camille Lavoie',
    email: 'camille@readingroom.example',
    cityProvince: 'Québec, Quebec',
    businessType: 'Hotel',
    interest:
      'A pot and two cups for each of fourteen rooms, and a black tea that guests can brew without a thermometer.',
  }),
  contact(
    27,
    true,
    'Omar Farouk',
    'omar.farouk@mail.example',
    'An order',
    'My parcel says delivered, but nothing is at the door. The neighbours have not seen it either.',
  ),
  contact(
    19,
    true,
    'Laura Jensen',
    'laura.jensen@mail.example',
    'A product',
    'Will the speckled mug in rosé come back? I broke one of four and the table looks at me.',
  ),
  contact(
    12,
    true,
    '周晓雯',
    'xiaowen.zhou@mail.example',
    '订单',
    '想把收货地址从公司改到家里，订单还没有发出，来得及吗？',
  ),
  contact(
    4,
    false,
    'Daniel Okoro',
    'daniel.okoro@mail.example',
    'A product',
    'Which of your oolongs would you give somebody who has only ever had it from a bag?',
  ),
  wholesale(2, false, {
    businessName: 'North Pier Bakery',
    contactName: 'Simone Roy',
    email: 'simone@northpier.example',
    cityProvince: 'Halifax, Nova Scotia',
    businessType: 'Café or tea shop',
    interest:
      'Do you ship cake stands in tens? We open a second room in March and would like your chamomile on the list.',
  }),
  contact(
    1,
    false,
    '徐文博',
    'wenbo.xu@mail.example',
    'A store or the tea bar',
    '下周六想在拜沃德店给母亲过生日，可以预留靠窗的两张桌子吗？',
  ),
];
