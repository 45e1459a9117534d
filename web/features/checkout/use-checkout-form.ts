import { useEffect, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { isClean } from '#contract/rules/fields.ts';
import { chosenMethod, chosenStore, pickupStores, tableStores } from '#contract/rules/method.ts';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { ApiClient } from '#web/lib/api.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { errorText, type FieldTexts, fieldErrorsOf, fieldTexts } from '#web/lib/api-errors.ts';
import { type Draft, loadDraft, saveDraft } from './draft.ts';
import { type CheckoutFacts, checkoutErrors, chosenShippingMethod, chosenSlot } from './validate.ts';

export type ChangeOrder = (work: () => Promise<Order>) => Promise<Order>;

/** The form's values and errors. What is typed is kept for this tab at once. */
export function useDraft(base: Draft) {
  const [draft, setDraft] = useState(() => loadDraft(base));
  const [errors, setErrors] = useState<FieldTexts>({});
  useEffect(() => saveDraft(draft), [draft]);

  /** Takes changes, and the errors off the fields that were changed. */
  const change = <K extends 'contact' | 'address' | 'choices'>(part: K, changes: Partial<Draft[K]>) => {
    setDraft((old) => ({ ...old, [part]: { ...old[part], ...changes } }));
    setErrors((old) => without(old, fieldsOf(part, Object.keys(changes))));
  };
  const changeMethod = (methodName: CheckoutMethod) => {
    setDraft((old) => ({ ...old, methodName }));
    // What was wrong elsewhere belonged to the other method; contact errors stay true.
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => field.startsWith('contact.'))));
  };
  return { draft, errors, setErrors, change, changeMethod };
}

const choiceFields: Record<string, string> = {
  pickupStore: 'localStoreName',
  tableStore: 'localStoreName',
  pickupDay: 'pickupDate',
  pickupHour: 'pickupDate',
  pickupMinute: 'pickupDate',
};

/** The names that errors have for parts of the draft. */
function fieldsOf(part: string, names: string[]): string[] {
  if (part === 'choices') return names.map((name) => choiceFields[name] ?? name);
  // Another address may be shipped to by other methods.
  return [...names.map((name) => `${part}.${name}`), ...(part === 'address' ? ['shippingMethod'] : [])];
}

function without(errors: FieldTexts, fields: string[]): FieldTexts {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)));
}

interface SendOptions {
  draft: Draft;
  facts: CheckoutFacts;
  setErrors: (errors: FieldTexts) => void;
  /** Runs a change of the order in its turn, and shows what comes back. */
  change: ChangeOrder;
  onDone: (order: Order) => void;
}

/** Sends the form: judged by the rules first, then by the server, whose findings stand by the fields too. */
export function useSendCheckout({ draft, facts, setErrors, change, onDone }: SendOptions) {
  const t = useT();
  const api = useApi();
  const [busy, setBusy] = useState(false);
  /** What went wrong that belongs to no field. */
  const [problem, setProblem] = useState<string>();

  const send = async () => {
    if (busy) return;
    setProblem(undefined);
    const found = checkoutErrors(draft, facts);
    setErrors(fieldTexts(found, t));
    const method = chosenMethod(draft.methodName, facts.config);
    if (!isClean(found) || !method) return;
    setBusy(true);
    try {
      onDone(await change(() => calls[method](api, draft, facts)));
    } catch (error) {
      const fields = fieldErrorsOf(error);
      setErrors(fields);
      const shown = Object.keys(fields).some((field) => !field.startsWith('lineItems'));
      if (!shown) setProblem(t('checkout.failed', { reason: errorText(error, t) }));
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, problem };
}

type Call = (api: ApiClient, draft: Draft, facts: CheckoutFacts) => Promise<Order>;

/** How each method is told to the server (SPEC §7). */
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
    } as const;
    return api.call('orderContactInfo', { query, body: { contact } });
  },
};
