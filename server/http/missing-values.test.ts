/**
 * What decides money or delivery is there or refused, and never becomes a zero or a "now" because it was left out. The fields are those
 * of the schemas: a new one that may be missing has to say here what that means.
 */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { Empty } from '#contract/schemas/common.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { staffEndpoints } from '#contract/staff/endpoints.ts';
import { operations } from '#server/modules/agents/operations.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { documentSchemas, type Leaf, leavesOf } from '#tests/schema-leaves.ts';
import { createValidator } from './validation.ts';

const inCalls = (door: string, calls: object, isChange: (call: never) => boolean): Leaf[] =>
  Object.entries(calls).flatMap(([name, call]) =>
    isChange(call as never)
      ? (['query', 'body', 'input'] as const).flatMap((part) => {
          const schema = (call as Record<string, unknown>)[part];
          return schema ? leavesOf(schema as SchemaNode, `${door} ${name}`) : [];
        })
      : [],
  );
const leaves = [
  ...inCalls('shop', endpoints, ({ changes }: Endpoint) => changes === true),
  ...inCalls('office', staffEndpoints, ({ repeat }: StaffEndpoint) => repeat !== undefined),
  ...inCalls(
    'agents',
    Object.fromEntries(operations.map((each) => [each.name, each])),
    ({ changes }: { changes: boolean }) => changes,
  ),
  ...Object.entries(documentSchemas).flatMap(([name, schema]) =>
    leavesOf(schema as SchemaNode, `file ${name}`),
  ),
];

/** Numbers all do; texts by their names. */
const decides =
  /price|rate|fee|total|due|quantity|units|minutes|days|hours|date|time|until|from|to|at|name|street|city|province|region|postal|postcode|country|address|phone|method|store|table|party|zone|currency|tax|sku|pairs|limit|destination|option/i;
const deciding = leaves.filter(({ name, node, missing }) => {
  const [field = ''] = /[^.\]]+(\[\])?$/.exec(name.replace(/\.(en|zh|\^.*)$/, '')) ?? [];
  return missing.length > 0 && (node.type === 'integer' || node.type === 'number' || decides.test(field));
});

/** What it means that a field is missing, for each one that may be. `tests/missing-at-doors.slow.test.ts` proves the first two. */
const meanings: Readonly<Record<string, RegExp>> = {
  'no order can be placed without it': new RegExp(
    [
      /^shop order(Deliver|Contact)Info\.(contact|shippingContact|address)\./,
      /^shop order(Deliver|Contact)Info\.(localStoreName|methodName|tableNumber|shippingMethod)$/,
      /^agents .*(buyer|destinations\[\]|destination\.address)\.\w+$/,
      /^agents .*\.(selected_destination_id|groups\[\]\.selected_option_id)$/,
    ]
      .map(({ source }) => source)
      .join('|'),
  ),
  'it is refused, whatever its schema says': new RegExp(
    [
      /^office add(Store|Coupon|Product|Category|Brand|Tag|ModifierGroup)\.name/,
      /^office (changeGoodsRows\.rows\[\]|addKey|addRole|changeRole|acceptInvitation)\.name/,
      /^file (BrandInput|CategoryInput|TagInput|ProductInput|StoreInput|ModifierGroupInput)\.name\./,
      /^file ModifierGroupInput\.modifiers\[\]\.name\./,
      /^file ProductInput\.options\[\]\.(values\[\]\.)?name\./,
      /^file StoreInput\.(deliveryZones\[\]\.name\.|timeZone|address\.provinceCode)/,
      /^file ShopSettings\.(shopName|(countries|menus|shippingMethods)\[\]\.name|serviceCharge\.name)\./,
      /^file ShopSettings\.shippingMethods\[\]\.provinceCodes\[\]$/,
      /^shop (payByBraintree\.payment_method_nonce|payByStripe\.confirmationToken|houseChallenge\.token)$/,
      /^shop postBilling\.paymentInstrucment\./,
      /^agents .*complete_checkout\.payment\.instruments\[\]\.credential\.token$/,
    ]
      .map(({ source }) => source)
      .join('|'),
  ),
  'the address that a card is billed to is that of the order': /^(shop|agents) .*billing_?address\./i,
  'nothing is known of where a delivery goes, and none is offered':
    /^shop localDelivery\.|^agents .*\.context\./,
  'an address of a profile, which is judged again when something is sent to it':
    /^shop updateAddresses\[\]\./,
  'one of it': /(modifiers|modifications)\[\]\.quantity$/,
  'what the line has stays': /^(shop updateCartLine|office changeOrder(Back)?\.lines\[\])\.(quantity|sku)$/,
  'the item in the address of the call':
    /^shop (addToCart|updateCart(Item|Line))\.(productName|optionPairs|sku)$/,
  'an item without options': /optionPairs$/,
  'nobody said which price was seen, and none is compared': /^shop .*\.unitPrice$/,
  'the bill that was shown last': /dueVersion$/,
  'no name of a rate, which a program that asks for one refuses':
    /^file ShopSettings\.bookAccounts\[\]\.taxRate$/,
  'no tip': /^(shop tips|agents food\.\w+\.tip)\./,
  'asked for only by some providers': /deviceData$/,
  'a guest at an open table, of a party whose size nobody said':
    /^shop orderContactInfo\.(tableCard|partySize)$/,
  'nothing is saved': /saveToMyProfile$/,
  'a person who gave no name or number': /^shop (clientRegistration|updateUserInfo)\./,
  'not about orders':
    /^shop submitForm\.|^office addPicture\.|^file ShopSettings\.(sizeReference|header|footer)\.|imageTexts|\.(story|materials)\./,
  'not limited by it': /^office (saveOrderView\.filters|(changeGoods|exportGoods)\.filter)\./,
  'all that is due, which the call names': /^office takeMoney\.amount$/,
  'what is left to send': /\.unsent$/,
  'whoever paid gets it back in the order of paying': /^office changeOrder(Back)?\.from$/,
  'that is not changed': /^office (changePickup|changeGoods\.change|changeGoodsRows\.rows\[\])\.|\.path\[\]$/,
  'given at tables where it is elsewhere': /emailOptionalAtTables$/,
  'not translated yet': /^office saveTranslation\.seen\.translation$/,
  'texts in every state': /^office exportTranslations\.state$/,
  'a file that was not changed before': /^office changeGoods\.latest$/,
  'without a limit': /(Limit|totalCents|\.units|\.lines|fromPartySize)$/,
  'from now on, or for ever, as the form says': /^office addCoupon\.(from|until)$/,
  'a store that nobody can call': /[sS]tore(Input)?\.phone$/,
  'a place without a street': /^file StoreInput\.address\./,
  'as soon as possible, or asked for': /requested_fulfillment_time$|methods\[\]\.selected_option_id$/,
  'no stock of its own': /modifiers\[\]\.sku$/,
  'taxed as the product': /\.taxClass$/,
  'for every combination of options': /options\.\^/,
  'active, from the start and without an end': /^file ProductInput\.(status|publishAt|unpublishAt)$/,
  'shown to visitors now, which is what the call is for': /^office publish(Page|Post)\.at$/,
  'not reduced': /compareAtCents$/,
  'not shown': /(weightGrams|Cm|Ml|costCents)$/,
  'as the options make it': /(overridePriceCents|skuSuffix|skus\[\]\.priceCents)$/,
  'as the group has it': /modifierGroups\[\]\.(min|max)$/,
  one: /singleServings$/,
  'not stocked there': /\.stock\.\^/,
  'no preference': /defaultGateWayProviderName$/,
  'never free': /free(Over|From)Cents$/,
  'no time in which things are taken back': /returnPolicy\.days$/,
  'registered from the start, or without an end': /taxRegistrations\[\]\.(from|until)$/,
  'the currency of the shop': /^office readStatement\.currency$/,
  'exempt wherever the kind asks for no place, and nowhere else':
    /^office exemptCustomer\.exemptions\[\]\.postCode$/,
  'taken for taxed, and doctor asks': /tableFood\.\^/,
  'every store that one may see': /^office booksFile\.store$/,
  'left empty in the return, with all that follows from it': /^office booksFile\.answers\./,
  'products are moved nowhere': /^office remove(Category|Brand|Tag)\.to$/,
};

describe('a field that decides money or delivery', () => {
  test('a field that may be missing says what that means, once', () => {
    const said = deciding.map(({ name }) => [
      name,
      Object.keys(meanings).filter((meaning) => meanings[meaning]?.test(name)),
    ]);
    expect(said.filter(([, all]) => all?.length === 0).map(([name]) => name)).toEqual([]);
    const unused = Object.keys(meanings).filter(
      (meaning) => !deciding.some(({ name }) => meanings[meaning]?.test(name)),
    );
    expect(unused).toEqual([]);
  });

  test('a schema fills in nothing for what decides money or delivery, but for parts of modifier groups', () => {
    const filled = leaves.filter(({ node }) => 'default' in node).map(({ name }) => name);
    expect(filled).toEqual(filled.filter((name) => name.startsWith('file ModifierGroupInput')));
  });

  test('an empty number in an address is refused and never read as 0', () => {
    const read = [
      ...Object.entries<Endpoint>(endpoints),
      ...Object.entries<StaffEndpoint>(staffEndpoints),
    ].flatMap(([name, { query }]) =>
      leavesOf((query ?? {}) as SchemaNode, '')
        .filter(({ node }) => node.type === 'integer' || node.type === 'number' || node.type === 'boolean')
        .filter(({ name: field }) => {
          try {
            createValidator(query ?? Empty, 'query')({ [field.slice(1)]: '' });
            return true;
          } catch (error) {
            const { errors = {} } = error instanceof AppError ? error.details : {};
            return !(field.slice(1) in errors);
          }
        })
        .map(({ name: field }) => name + field),
    );
    expect(read).toEqual([]);
  });
});
