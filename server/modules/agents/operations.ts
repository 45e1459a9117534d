/** What agents can call: one table, which REST and MCP both serve. */
import type { TSchema } from 'typebox';
import type { ValueOf } from '#contract/schemas/common.ts';
import { isRecord } from '#server/http/mcp.ts';
import { createValidator } from '#server/http/validation.ts';
import { completeCheckout } from './completing.ts';
import { cancelFood, completeFood, createFood, getFood, updateFood } from './food.ts';
import { lookUpLocations, searchLocations } from './locations.ts';
import { getOrder } from './orders.ts';
import { mostOnPage } from './products.ts';
import { type Answer, type Body, envelope, type Root, roots } from './protocol.ts';
import {
  CartInput,
  CheckoutInput,
  CompleteInput,
  FoodInput,
  LocationLookup,
  LocationSearch,
  LookupInput,
  Nothing,
  ProductQuery,
  SearchInput,
} from './requests.ts';
import { type OperationName, restRoutes } from './routes.ts';
import {
  type Call,
  cancelSale,
  checkoutOfCart,
  createSale,
  getSale,
  Outcome,
  refused,
  updateSale,
} from './sales.ts';

export interface Operation {
  /** As a tool. */
  name: OperationName;
  summary: string;
  needs: Root;
  /** In which argument of a tool the body is; null if the operation has none. */
  argument: string | null;
  input: TSchema;
  /** Changes something: it is answered once for an idempotency key. */
  changes: boolean;
  /** What a request costs, in units of about a line, a product or a store. Of what was sent, before it is validated. */
  cost(input: unknown): number;
  /** By MCP, where a key is optional otherwise. */
  needsKey: boolean;
  run(call: Call, input: unknown, id: string): Promise<Answer>;
}

/** Lines and ids that are named, and products of a page. What has more of them than `schema` allows is refused, which costs nothing. */
function costOf(schema: TSchema, input: unknown): number {
  if (!isRecord(input)) return 1;
  const { pagination } = input;
  const named = ['line_items', 'ids'].reduce((sum, field) => {
    const { [field]: each } = input;
    return sum + (Array.isArray(each) && each.length <= mostItems(schema, field) ? each.length : 0);
  }, 0);
  const limit = isRecord(pagination) ? pagination.limit : undefined;
  return 1 + named + (typeof limit === 'number' && limit > 0 ? Math.min(limit, mostOnPage) : 0);
}

function mostItems(schema: TSchema, field: string): number {
  const { properties } = schema as { properties?: Readonly<Record<string, { maxItems?: number }>> };
  return properties?.[field]?.maxItems ?? Number.POSITIVE_INFINITY;
}

function operation<S extends TSchema>(
  name: OperationName,
  needs: Root,
  summary: string,
  input: S,
  handle: (call: Call, input: ValueOf<S>, id: string) => Promise<Answer>,
): Operation {
  const validate = createValidator(input, 'body');
  return {
    name,
    needs,
    summary,
    input,
    // Named like the third part of a capability: `catalog`, `cart`, `checkout` or `location`.
    argument: (input as TSchema) === Nothing ? null : (needs.split('.')[3] ?? null),
    changes: !restRoutes[name].startsWith('GET') && !/catalog|location/.test(needs),
    needsKey: /(complete|cancel)_checkout$/.test(name),
    cost: (given) => costOf(input, given),
    run: async (call, given, id) => handle(call, validate(given ?? {}), id),
  };
}

const { search, lookup, cart, checkout, order, findStores, readStores, food } = roots;

const ok = async (root: Root, { agent }: Call, body: Body | Promise<Body>): Promise<Answer> => ({
  status: 200,
  body: { ucp: envelope(agent, root), ...(await body) },
});

export const operations: readonly Operation[] = [
  operation('search_catalog', search, 'Search the products of the shop.', SearchInput, (call, input) =>
    ok(search, call, call.products.search(input, call.locale)),
  ),
  operation(
    'lookup_catalog',
    lookup,
    'Read products by the ids of products or variants.',
    LookupInput,
    (call, input) => ok(lookup, call, call.products.lookup(input, call.locale)),
  ),
  operation(
    'get_product',
    lookup,
    'Read one product with its options and variants.',
    ProductQuery,
    async (call, input) => {
      const product = await call.products.product(input, call.locale);
      if (!product) throw refused(call, lookup, 'not_found', `${input.id} is not sold here.`);
      return ok(lookup, call, { product });
    },
  ),
  operation(
    'create_cart',
    cart,
    'Start a cart; its continue_url lets a person go on with it.',
    CartInput,
    (call, input) => createSale(call, 'cart', input),
  ),
  operation('get_cart', cart, 'Read a cart.', Nothing, (call, _input, id) => getSale(call, 'cart', id)),
  operation('update_cart', cart, 'Replace the content of a cart.', CartInput, (call, input, id) =>
    updateSale(call, 'cart', id, input),
  ),
  operation('cancel_cart', cart, 'Empty and end a cart.', Nothing, (call, _input, id) =>
    cancelSale(call, 'cart', id),
  ),
  operation(
    'create_checkout',
    checkout,
    'Start a checkout, of lines or of a cart (cart_id).',
    CheckoutInput,
    (call, input) =>
      input.cart_id === undefined
        ? createSale(call, 'checkout', input)
        : checkoutOfCart(call, input.cart_id, input),
  ),
  operation('get_checkout', checkout, 'Read a checkout.', Nothing, (call, _input, id) =>
    getSale(call, 'checkout', id),
  ),
  operation(
    'update_checkout',
    checkout,
    'Replace the content of a checkout.',
    CheckoutInput,
    (call, input, id) => updateSale(call, 'checkout', id, input),
  ),
  operation('complete_checkout', checkout, 'Pay and place the order.', CompleteInput, completeCheckout),
  operation('cancel_checkout', checkout, 'End a checkout.', Nothing, (call, _input, id) =>
    cancelSale(call, 'checkout', id),
  ),
  operation(
    'search_locations',
    findStores,
    'Find stores by place, hours and stock (draft).',
    LocationSearch,
    (call, input) => ok(findStores, call, searchLocations(call, input)),
  ),
  operation(
    'lookup_locations',
    readStores,
    'Read stores by their ids (draft).',
    LocationLookup,
    (call, input) => ok(readStores, call, lookUpLocations(call, input)),
  ),
  operation('get_order', order, 'Read an order that this agent brought.', Nothing, getOrder),
  operation(
    'food.create_checkout',
    food,
    'Start an order of dishes from one store (draft).',
    FoodInput,
    createFood,
  ),
  operation('food.get_checkout', food, 'Read an order of dishes (draft).', Nothing, getFood),
  operation('food.update_checkout', food, 'Replace an order of dishes (draft).', FoodInput, updateFood),
  operation(
    'food.complete_checkout',
    food,
    'Pay and send the order to the kitchen (draft).',
    CompleteInput,
    completeFood,
  ),
  operation('food.cancel_checkout', food, 'End an order of dishes (draft).', Nothing, cancelFood),
];

/** Runs an operation that shop and agent both have. */
export async function runOperation(
  { needs, run }: Operation,
  { input, id }: { input: unknown; id: string },
  call: Call,
) {
  try {
    if (call.agent.active.has(needs)) return await run(call, input, id);
    const content = `${needs} is not a capability that this shop and the agent share.`;
    throw refused(call, null, 'capabilities_incompatible', content);
  } catch (error) {
    if (error instanceof Outcome) return error.answer;
    throw error;
  }
}
