/** What agents can call: one table, which REST and MCP both serve. */
import type { Static, TSchema } from 'typebox';
import { createValidator } from '#server/http/validation.ts';
import { completeCheckout } from './completing.ts';
import { cancelFood, completeFood, createFood, getFood, updateFood } from './food.ts';
import { lookUpLocations, searchLocations } from './locations.ts';
import { getOrder } from './orders.ts';
import { type Answer, type Body, envelope, food, locations, type Root, shopping } from './protocol.ts';
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
import { type Caller, cancelSale, checkoutOfCart, createSale, getSale, refused, type SalesDeps, updateSale } from './sales.ts';

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
  /** By MCP, where a key is optional otherwise. */
  needsKey?: true;
  run(deps: SalesDeps, input: unknown, id: string, caller: Caller): Promise<Answer>;
}

type Handler<S extends TSchema> = (deps: SalesDeps, input: Static<S>, id: string, caller: Caller) => Promise<Answer>;

function operation<S extends TSchema>(
  name: OperationName,
  about: Pick<Operation, 'needs' | 'argument' | 'summary'> & { needsKey?: true },
  input: S,
  handle: Handler<S>,
): Operation {
  const validate = createValidator(input, 'body');
  const reads = restRoutes[name].startsWith('GET') || /\.catalog\.|\.location\./.test(about.needs);
  return {
    name,
    ...about,
    input,
    changes: !reads,
    run: async (deps, given, id, caller) => handle(deps, validate(given ?? {}) as Static<S>, id, caller),
  };
}

const [search, lookup] = [`${shopping}.catalog.search`, `${shopping}.catalog.lookup`] as const;
const meal = `${food}.checkout` as const;
const [cart, checkout, order] = [`${shopping}.cart`, `${shopping}.checkout`, `${shopping}.order`] as const;

const ok = (root: Root, { agent }: Caller, body: Body): Answer => ({
  status: 200,
  body: { ucp: envelope(agent, root), ...body },
});

export const operations: readonly Operation[] = [
  operation(
    'search_catalog',
    { needs: search, argument: 'catalog', summary: 'Search the products of the shop.' },
    SearchInput,
    async (deps, input, _id, caller) => ok(search, caller, await deps.products.search(input, caller.locale)),
  ),
  operation(
    'lookup_catalog',
    { needs: lookup, argument: 'catalog', summary: 'Read products by the ids of products or variants.' },
    LookupInput,
    async (deps, input, _id, caller) => ok(lookup, caller, await deps.products.lookup(input, caller.locale)),
  ),
  operation(
    'get_product',
    { needs: lookup, argument: 'catalog', summary: 'Read one product with its options and variants.' },
    ProductQuery,
    async (deps, input, _id, caller) => {
      const product = await deps.products.product(input, caller.locale);
      if (product) return ok(lookup, caller, { product });
      return refused(deps, lookup, 'not_found', `${input.id} is not sold here.`, caller);
    },
  ),
  operation(
    'create_cart',
    { needs: cart, argument: 'cart', summary: 'Start a cart; its continue_url lets a person go on with it.' },
    CartInput,
    (deps, input, _id, caller) => createSale(deps, 'cart', input, caller),
  ),
  operation('get_cart', { needs: cart, argument: null, summary: 'Read a cart.' }, Nothing, (deps, _input, id, caller) =>
    getSale(deps, 'cart', id, caller),
  ),
  operation(
    'update_cart',
    { needs: cart, argument: 'cart', summary: 'Replace the content of a cart.' },
    CartInput,
    (deps, input, id, caller) => updateSale(deps, 'cart', id, input, caller),
  ),
  operation(
    'cancel_cart',
    { needs: cart, argument: null, summary: 'Empty and end a cart.' },
    Nothing,
    (deps, _input, id, caller) => cancelSale(deps, 'cart', id, caller),
  ),
  operation(
    'create_checkout',
    { needs: checkout, argument: 'checkout', summary: 'Start a checkout, of lines or of a cart (cart_id).' },
    CheckoutInput,
    async (deps, input, _id, caller) => {
      if (input.cart_id === undefined) return createSale(deps, 'checkout', input, caller);
      return checkoutOfCart(deps, input.cart_id, input, caller);
    },
  ),
  operation(
    'get_checkout',
    { needs: checkout, argument: null, summary: 'Read a checkout.' },
    Nothing,
    (deps, _input, id, caller) => getSale(deps, 'checkout', id, caller),
  ),
  operation(
    'update_checkout',
    { needs: checkout, argument: 'checkout', summary: 'Replace the content of a checkout.' },
    CheckoutInput,
    (deps, input, id, caller) => updateSale(deps, 'checkout', id, input, caller),
  ),
  operation(
    'complete_checkout',
    { needs: checkout, argument: 'checkout', summary: 'Pay and place the order.', needsKey: true },
    CompleteInput,
    (deps, input, id, caller) => completeCheckout(deps, id, input, caller),
  ),
  operation(
    'cancel_checkout',
    { needs: checkout, argument: null, summary: 'End a checkout.', needsKey: true },
    Nothing,
    (deps, _input, id, caller) => cancelSale(deps, 'checkout', id, caller),
  ),
  operation(
    'search_locations',
    { needs: `${locations}.search`, argument: 'location', summary: 'Find stores by place, hours and stock (draft).' },
    LocationSearch,
    async (deps, input, _id, caller) => ok(`${locations}.search`, caller, await searchLocations(deps, input, caller.locale)),
  ),
  operation(
    'lookup_locations',
    { needs: `${locations}.lookup`, argument: 'location', summary: 'Read stores by their ids (draft).' },
    LocationLookup,
    async (deps, input, _id, caller) => ok(`${locations}.lookup`, caller, await lookUpLocations(deps, input, caller.locale)),
  ),
  operation(
    'get_order',
    { needs: order, argument: null, summary: 'Read an order that this agent brought.' },
    Nothing,
    (deps, _input, id, caller) => getOrder(deps, id, caller),
  ),
  operation(
    'food.create_checkout',
    { needs: meal, argument: 'checkout', summary: 'Start an order of dishes from one store (draft).' },
    FoodInput,
    (deps, input, _id, caller) => createFood(deps, input, caller),
  ),
  operation(
    'food.get_checkout',
    { needs: meal, argument: null, summary: 'Read an order of dishes (draft).' },
    Nothing,
    (deps, _input, id, caller) => getFood(deps, id, caller),
  ),
  operation(
    'food.update_checkout',
    { needs: meal, argument: 'checkout', summary: 'Replace an order of dishes (draft).' },
    FoodInput,
    (deps, input, id, caller) => updateFood(deps, id, input, caller),
  ),
  operation(
    'food.complete_checkout',
    { needs: meal, argument: 'checkout', summary: 'Pay and send the order to the kitchen (draft).', needsKey: true },
    CompleteInput,
    (deps, input, id, caller) => completeFood(deps, id, input, caller),
  ),
  operation(
    'food.cancel_checkout',
    { needs: meal, argument: null, summary: 'End an order of dishes (draft).', needsKey: true },
    Nothing,
    (deps, _input, id, caller) => cancelFood(deps, id, caller),
  ),
];

/** Runs an operation that shop and agent both have. */
export async function runOperation(
  deps: SalesDeps,
  operation: Operation,
  { input, id }: { input: unknown; id: string },
  caller: Caller,
): Promise<Answer> {
  const { needs, run } = operation;
  if (caller.agent.active.has(needs)) return run(deps, input, id, caller);
  const content = `${needs} is not a capability that this shop and the agent share.`;
  return refused(deps, null, 'capabilities_incompatible', content, caller);
}
