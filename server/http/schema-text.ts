import type { TSchema } from 'typebox';
import { exampleGateway } from '#contract/shop/payment.ts';

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  examples?: unknown[];
}

export function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

/** Outlines a schema, indented: `{ quantity: integer -1000000…1000000, sku?: string ≤ 100 }`. */
export function describeSchema(schema: TSchema, indent = ''): string {
  const node = schema as Node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (node.anyOf) return node.anyOf.map((member) => describeSchema(member, indent)).join(' | ');
  if (node.type === 'array' && node.items) return `[${describeSchema(node.items, indent)}]`;
  if (node.type === 'object' && node.properties) {
    const inner = `${indent}  `;
    const lines = Object.entries(node.properties).map(
      ([name, property]) =>
        `${inner}${name}${isOptional(property) ? '?' : ''}: ${describeSchema(property, inner)}`,
    );
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  return `${node.type ?? 'anything'}${range(node)}`;
}

function range({ minimum, maximum, maxLength }: Node): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}…${maximum}`;
  if (minimum !== undefined) return ` ≥ ${minimum}`;
  return maxLength === undefined ? '' : ` ≤ ${maxLength} characters`;
}

/** Example values of well-known fields; the others have those of their schemas, or one that is generated. */
const examples: Record<string, unknown> = {
  itemName: 'MC-MUG-OAT',
  sku: 'MC-MUG-OAT',
  productID: 'speckled-mug',
  productid: 'speckled-mug',
  product: 'speckled-mug',
  nameLike: 'mug',
  condition: 'all',
  gatewayName: exampleGateway,
  pageName: 'home',
  localStoreName: 'toronto-queen-west',
  date: '2026-06-01',
  quantity: 2,
  streetNumberAndNameDetails: '1 Queen Street West',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5H 2M9',
  country: 'Canada',
  countryISOCode: 'CA',
  firstName: 'Mei',
  lastName: 'Chen',
  phoneNumber: '416 555 0100',
  contactPhone: '416 555 0100',
  email: 'mei@example.com',
  cardHolderName: 'Mei Chen',
  creditCardNumber: '4242424242424242',
  cardCode: '123',
  expirationMonth: 12,
  expirationYear: 2030,
  pickupDate: 1_780_000_000_000,
};

export function example(schema: TSchema, name = ''): unknown {
  const node = schema as Node;
  if (Object.hasOwn(examples, name)) return examples[name];
  if (node.examples?.length) return node.examples[0];
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  if (node.anyOf?.[0]) return example(node.anyOf[0], name);
  if (node.type === 'array') return node.items ? [example(node.items)] : [];
  if (node.type === 'object') {
    const shown = Object.entries(node.properties ?? {}).filter(
      ([key, property]) => !isOptional(property) || Object.hasOwn(examples, key),
    );
    return Object.fromEntries(shown.map(([key, property]) => [key, example(property, key)]));
  }
  if (node.type === 'integer' || node.type === 'number') return Math.max(node.minimum ?? 0, 1);
  if (node.type === 'boolean') return true;
  return node.pattern ? 'name' : '';
}

export interface ParameterText {
  description: string;
  example: string | number | boolean;
}

/** A call whose parameter of a name means something else has its own entry, such as `provinces.id`. */
const texts: Record<string, ParameterText> = {
  lang: {
    description: 'The language of the texts in the answer. Defaults to the first that the shop offers.',
    example: 'en',
  },
  pageName: { description: 'The name of a content page.', example: 'home' },
  'addressForm.id': { description: 'The ISO 3166-1 code of a country.', example: 'CA' },
  'provinces.id': { description: 'The ISO 3166-1 code of a country.', example: 'CA' },
  'categories.id': {
    description: "The name of a category, or 'primary' for the top level.",
    example: 'primary',
  },
  'product.id': { description: 'The id of a product.', example: 'speckled-mug' },
  'order.id': { description: 'The id of an order.', example: 'ord-3f9c2a71' },
  seen: {
    description:
      'Which list its sender had seen; if it is another one by now, nothing changes. Left out, nothing is compared.',
    example: '1x8f2k0-9b3c7d',
  },
  'updateAddresses.id': { description: 'The id of the customer.', example: 'cus-5d2b8e04' },
  'category.name': { description: 'The name of a category.', example: 'teaware' },
  'tag.name': { description: 'The name of a tag.', example: 'handmade' },
  'brand.name': { description: 'The name of a brand.', example: 'maple-and-clay' },
  productID: { description: 'The id of a product.', example: 'speckled-mug' },
  productid: { description: 'The id of a product.', example: 'speckled-mug' },
  optionPair: {
    description:
      'The chosen options as `#name:value` pairs in the default language; empty for a product without options.',
    example: '#Colour:Oat',
  },
  nameLike: { description: 'The text to search for.', example: 'mug' },
  condition: {
    description: "'all', 'onSale', 'clearance', 'newArrival' or the name of a category.",
    example: 'all',
  },
  sortby: { description: "The order of the list. 'price' is cheapest first.", example: 'price' },
  infiniteLoad: { description: 'Accepted without effect: every list is paged the same way.', example: true },
  startingPosition: { description: 'How many entries to skip.', example: 0 },
  numberToLoad: { description: 'How many entries to return at most. Defaults to 12.', example: 12 },
  'blogPosts.numberToLoad': { description: 'How many posts to return at most.', example: 6 },
  tagid: { description: 'The name of a tag.', example: 'handmade' },
  categoryName: { description: 'Only entries of this category and those below it.', example: 'teaware' },
  'blogPosts.categoryName': { description: 'Only posts of this category of the blog.', example: 'care' },
  brandName: { description: 'Only products of this brand.', example: 'maple-and-clay' },
  tagName: { description: 'Only entries with this tag.', example: 'handmade' },
  'productsByTag.tagName': { description: 'The name of a tag.', example: 'handmade' },
  priceRange: {
    description:
      'Only products of this price range of the shop, as `productFacets` names it: cents, both ends included.',
    example: '3000-5999',
  },
  capacityRange: {
    description:
      'Only products of this capacity, as `productFacets` names it: millilitres, both ends included.',
    example: '151-350',
  },
  colour: { description: 'Only products that come in this colour.', example: 'green' },
  'products.localStoreName': {
    description: 'Only products in stock in this store.',
    example: 'toronto-queen-west',
  },
  'productCount.localStoreName': {
    description: 'Only products in stock in this store.',
    example: 'toronto-queen-west',
  },
  'productFacets.localStoreName': {
    description: 'Only products in stock in this store.',
    example: 'toronto-queen-west',
  },
  onSale: { description: 'Only products with a reduced price.', example: true },
  clearance: { description: 'Only products on clearance.', example: true },
  newArrival: { description: 'Only new products.', example: true },
  'lastChoice.product': { description: 'The id of the product.', example: 'speckled-mug' },
  itemName: { description: 'The name of a cart line: its SKU.', example: 'MC-CM-01-OAT' },
  line: { description: 'The id of a cart line.', example: '8f14e45f-ceea-467f-a8d5-2b1f0c9e7d31' },
  code: { description: 'The promo code as the customer typed it.', example: 'WELCOME10' },
  country: { description: 'The ISO 3166-1 code of the destination.', example: 'CA' },
  province: { description: 'The code or name of the province or state.', example: 'Ontario' },
  localStoreName: {
    description: 'The name of a store, as in `pickupLocations`.',
    example: 'toronto-queen-west',
  },
  shippingMethod: {
    description: 'The id of a shipping method. Defaults to the cheapest.',
    example: 'ca-express',
  },
  date: { description: 'A day of the store’s calendar, YYYY-MM-DD.', example: '2026-06-01' },
  saveToMyProfile: {
    description: 'Whether to save the address to the profile of a signed-in customer.',
    example: false,
  },
  methodName: { description: 'The delivery method.', example: 'pickup' },
  tableCard: {
    description: 'The token of the card on the table: `card` of its link.',
    example: 'q3v9Zk2mX0aT7yBd',
  },
  partySize: {
    description: 'How many people are at the table, if a service charge depends on it.',
    example: '6',
  },
  tableNumber: { description: 'The number of the table, for dine-in.', example: '4' },
  gatewayName: {
    description: 'The card gateway, as in `paymentConfig.defaultGateWayProviderName`.',
    example: exampleGateway,
  },
  dueVersion: {
    description: 'The `dueVersion` of a placed order, of which something is due; left out for the cart.',
    example: '8f14e45f-ceea-467f-a8d5-2b1f0c9e7d31.1000.Vd0aY3m2PqkzR7sXn5tW1c',
  },
  pickUpAandPayAtStore: { description: 'Whether the order will be paid at pickup.', example: false },
  emailID: { description: 'The email of the account.', example: 'mei@example.com' },
  userId: { description: 'The id or email of the customer.', example: 'cus-5d2b8e04' },
  customerid: { description: 'The id or email of the customer.', example: 'cus-5d2b8e04' },
  addressType: { description: 'Which addresses: shipping or billing.', example: 'shipping' },
  token: {
    description: 'The token of a link from an email about an order.',
    example: 'Jq3sY0c9vB2kT8xNw5uHf1rLz7aEd4mGp6oQiCyXtS0',
  },
  url: { description: 'The address of a feed that a published page shows.', example: '/blog/feed.xml' },
  storeBlogId: { description: 'The id of a blog.', example: 'maple-and-clay-blog' },
  link: { description: 'The link of a post, as in its address.', example: 'first-steep' },
  storeBlogPostId: { description: 'The id of a post.', example: 'post-7a41' },
  like: { description: "'true' to like the post, 'false' to take the like back.", example: 'true' },
};

/** Perhaps the schema's own; undefined if it has none, which a test reports. */
export function parameterText(call: string, name: string, schema: TSchema = {}): ParameterText | undefined {
  if ('description' in schema && 'examples' in schema) {
    const { description, examples } = schema as { description: string; examples: ParameterText['example'][] };
    return { description, example: examples[0] ?? '' };
  }
  return [`${call}.${name}`, name].flatMap((key) => (Object.hasOwn(texts, key) ? (texts[key] ?? []) : []))[0];
}

export const groupTexts: Record<string, string> = {
  common3: 'The shop itself, content pages, countries and stores; signing in and out.',
  productManagement: 'Products, categories and brands.',
  productManagement2: 'Product lists, search and suggestions.',
  inventoryManagement: 'Live stock.',
  shoppingManagement4: 'Cart, checkout and payment.',
  admin: 'The account and the orders of a signed-in customer.',
  orderLink: 'An order, by the link in an email about it.',
  message: 'Forms of content pages.',
  feed: 'Feeds that content pages show.',
  social: 'Photos that content pages show.',
  blog: 'The blog.',
};
