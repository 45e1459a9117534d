/** The calls that store a validated checkout, one per method (SPEC §7). */
import type { CheckoutMethod } from '#contract/limits.ts';
import { chosenMethod, chosenStore, pickupStores, tableStores } from '#contract/rules/method.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import type { Draft } from './draft.ts';
import { type CheckoutFacts, chosenShippingMethod, chosenSlot } from './validate.ts';

type Call = (api: ApiClient, draft: Draft, facts: CheckoutFacts) => Promise<Order>;

const calls: Record<CheckoutMethod, Call> = {
  shipping: (api, { address, contact, choices }, { shippingMethods }) => {
    const method = chosenShippingMethod(choices.shippingMethod, shippingMethods);
    const body = { address, contact, shippingContact: contact };
    return api.call('orderDeliverInfo', {
      query: choices.saveAddress ? { saveToMyProfile: true } : {},
      body: method ? { ...body, shippingMethod: method.id } : body,
    });
  },
  pickup: async (api, { contact, choices }, { config, stores, slots }) => {
    const store = chosenStore(choices.pickupStore, pickupStores(stores), config.displayPickupLocations);
    const query = { methodName: 'pickup', localStoreName: store?.localStoreName } as const;
    const order = await api.call('orderContactInfo', { query, body: { contact } });
    const slot = config.displayPickupTime ? chosenSlot(choices, slots) : undefined;
    return slot ? api.call('orderPickupDate', { body: { pickupDate: slot.at } }) : order;
  },
  instore: (api, { contact, choices }, { stores }) => {
    const store = chosenStore(choices.tableStore, tableStores(stores), true);
    const query = {
      methodName: 'instore',
      localStoreName: store?.localStoreName,
      tableNumber: choices.tableNumber.trim(),
      ...(choices.atTable && choices.tableCard ? { tableCard: choices.tableCard } : {}),
    } as const;
    return api.call('orderContactInfo', { query, body: { contact } });
  },
};

/** Stores a valid draft. Returns the order as the server stored it. */
export function sendCheckout(api: ApiClient, draft: Draft, facts: CheckoutFacts): Promise<Order> {
  const method = chosenMethod(draft.methodName, facts.config);
  if (!method) throw new Error('A checkout without a method cannot be sent');
  return calls[method](api, draft, facts);
}
