/** Settings that stand in no other room of the office, as one document. Files have each by its name (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { returnFees } from '../limits.ts';
import { taxClasses } from '../taxes.ts';
import { Cents, described, Flag, Id, LocalText, Nullable } from './common.ts';

const opening = 'office.settings.opening';

export const OpeningSoon = Type.Object({
  on: described(
    'Whether visitors see one page instead of the shop, and nothing is sold. Staff who are signed in see the shop.',
    Flag,
    { label: 'office.settings.soon', hint: 'office.settings.soonHint', section: opening },
  ),
  page: described(
    'The page of the shop that they see; null for the name of the shop and a sentence.',
    Nullable(Type.String({ maxLength: 60 })),
    {
      label: 'office.settings.soonPage',
      control: 'named',
      none: 'office.settings.soonNoPage',
      section: opening,
    },
  ),
  password: described(
    'With which others see the shop as well; empty: nobody does. It is no secret of the shop: settings show it.',
    Type.String({ maxLength: 100 }),
    { label: 'office.settings.soonPassword', hint: 'office.settings.soonPasswordHint', section: opening },
  ),
});
export type OpeningSoon = Static<typeof OpeningSoon>;

const lists = 'office.settings.lists';
const returnRule = 'office.settings.returnRule';

export const moreSettings = {
  openingSoon: described(
    '“Opening soon”: what visitors see before the shop opens, or while it is closed.',
    OpeningSoon,
  ),
  isDemonstration: described('Whether the shop says on every page that nothing is for sale.', Flag, {
    label: 'office.settings.demonstration',
    section: opening,
  }),
  commonSearches: described(
    'Searches that the search page offers before a customer has typed one, six or so; an empty list for none.',
    Type.Array(LocalText, { maxItems: 12 }),
    {
      label: 'office.settings.search',
      hint: 'office.settings.searchHint',
      add: 'office.settings.addSearch',
      control: 'rows',
      section: lists,
    },
  ),
  listFilters: described(
    'The filters of product lists that depend on the shop.',
    Type.Object({
      priceLimitsCents: described(
        'Prices in cents at which one range ends and the next begins, in ascending order: 3000 and 6000 give “Under $30”, “$30–60” and “Over $60”. An empty list means usual ranges of the currency.',
        Type.Array(Type.Integer({ unit: 'cents', minimum: 1, maximum: 99_999_999 }), { maxItems: 7 }),
        {
          label: 'office.settings.priceLimits',
          hint: 'office.settings.priceLimitsHint',
          control: 'own',
          section: lists,
        },
      ),
      tags: described(
        'The ids of tags that lists can be filtered by, such as care and diet.',
        Type.Array(Id, { maxItems: 12 }),
        {
          label: 'office.settings.filterTags',
          control: 'named',
          section: lists,
        },
      ),
    }),
  ),
  socialLinks: described(
    'Links to the profiles of the shop in social networks.',
    Type.Array(
      Type.Object({
        network: described('The network, such as `instagram`.', Type.String(), {
          label: 'office.settings.network',
        }),
        label: described('The text of the link.', LocalText, { label: 'office.navigation.text' }),
        url: described('The address of the profile.', Type.String(), { label: 'office.settings.profile' }),
      }),
    ),
    { label: 'office.settings.social', add: 'office.settings.addSocial', section: 'office.settings.socials' },
  ),
  tables: described(
    'Orders at tables.',
    Type.Object({
      payOnline: described('Whether they are paid online only.', Flag, {
        label: 'office.settings.tablesOnline',
        section: 'office.settings.tables',
      }),
      cardRequired: described(
        'Whether they need the code on the table’s card (`table-cards`). Cards that were printed without a code, and typed numbers, are refused then.',
        Flag,
        {
          label: 'office.settings.tablesCard',
          hint: 'office.settings.tablesCardHint',
          section: 'office.settings.tables',
        },
      ),
      unpaidOrders: described(
        'How many orders of one table may be unpaid at a time. Orders older than six hours do not count.',
        Type.Integer({ minimum: 1, maximum: 1000 }),
        { label: 'office.settings.tablesUnpaid', section: 'office.settings.tables' },
      ),
    }),
  ),
  tipTaxClasses: described(
    'Tips are offered only for orders with an item of one of these tax classes, such as `prepared-food`; an empty list offers them for every order.',
    Type.Array(Type.Enum<string[]>([...taxClasses]), { maxItems: taxClasses.length }),
    { label: 'office.settings.tipClasses', control: 'named', section: 'office.settings.tables' },
  ),
  returnPolicy: described(
    'The rule for returns that search engines show. It has no effect on orders.',
    Type.Object({
      days: described(
        'Days from the delivery; 0: nothing can be returned; null: no rule is published.',
        Nullable(Type.Integer({ minimum: 0, maximum: 3650 })),
        { label: 'office.settings.returnDays', hint: 'office.settings.returnDaysHint', section: returnRule },
      ),
      fees: described('Who pays for a return.', Type.Enum(returnFees), {
        label: 'office.settings.returnFees',
        section: returnRule,
      }),
      feeCents: described('What a customer pays for a return if `fees` is `fixed`, in cents.', Cents, {
        label: 'office.settings.returnFee',
        hint: 'office.settings.returnFeeHint',
        section: returnRule,
      }),
      byMail: described('Whether products can be returned by mail.', Flag, {
        label: 'office.settings.returnByMail',
        section: returnRule,
      }),
      inStore: described('Whether products can be returned in a store.', Flag, {
        label: 'office.settings.returnInStore',
        section: returnRule,
      }),
      clearance: described('Whether products on clearance can be returned.', Flag, {
        label: 'office.settings.returnClearance',
        section: returnRule,
      }),
    }),
  ),
  agents: described(
    'What programs that shop for people may do (docs/how-to/sell-to-agents.md): `off` nothing, `carts` read products and fill carts that a person pays, `all` also complete a checkout where the payment provider lets them.',
    Type.Enum(['off', 'carts', 'all']),
    { label: 'office.settings.agents', section: 'office.settings.programs' },
  ),
  agentDrafts: described(
    'Whether agents are served drafts of the protocol too: stores and food (docs/how-to/sell-to-agents.md). Drafts change without notice.',
    Type.Boolean(),
    { label: 'office.settings.agentDrafts', section: 'office.settings.programs' },
  ),
  keyRefundCents: described(
    'How much the staff’s keys for programs may refund of one order, in cents; 0: nothing. No key changes this.',
    Cents,
    {
      label: 'office.settings.keyRefund',
      hint: 'office.settings.keyRefundHint',
      section: 'office.keys',
    },
  ),
};

const PageLink = Type.String({
  pattern: '^(?:/(?![/\\\\])|https://)\\S{0,500}$',
  problem: 'problem.pageOrUrl',
});
const returns = {
  text: described('The sentence.', LocalText, {
    label: 'office.settings.returnsText',
    section: 'office.settings.returns',
  }),
  link: described('A page of the shop such as `/shipping-and-returns`, or an `https://` address.', PageLink, {
    label: 'office.navigation.target',
    control: 'link',
    section: 'office.settings.returns',
  }),
};
const returnsCategories = described(
  'The categories, with those below them, whose products show it; all products without it.',
  Type.Array(Id),
  {
    label: 'office.settings.returnsCategories',
    control: 'named',
    section: 'office.settings.returns',
  },
);

export const ReturnsLine = Nullable(
  Type.Object({ ...returns, categories: Type.Optional(returnsCategories) }),
);

export const MoreSettingsDocument = Type.Object({
  id: described('There is one.', Type.Enum(['shop'])),
  ...moreSettings,
  returnsLine: described(
    'A sentence about returns beside every product that ships, and where it leads; without text, there is none.',
    Type.Object({
      ...returns,
      link: described(
        'A page of the shop such as `/shipping-and-returns`, or an `https://` address; empty without a sentence.',
        Type.Union([Type.Literal(''), PageLink]),
        {
          label: 'office.navigation.target',
          control: 'link',
          section: 'office.settings.returns',
        },
      ),
      categories: returnsCategories,
    }),
  ),
});
export type MoreSettingsDocument = Static<typeof MoreSettingsDocument>;
