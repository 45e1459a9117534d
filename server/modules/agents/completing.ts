/** Completes a checkout by the provider's handler, or says what a person has to do. */
import { AppError } from '#server/platform/errors.ts';
import { createRequestKeys } from '#server/platform/request-keys/request-keys.ts';
import { addressOf, chooseFulfilment } from './fulfilment.ts';
import {
  type Answer,
  correctable,
  forBuyer,
  type Message,
  messagesOf,
  ProtocolError,
  textOf,
} from './protocol.ts';
import type { CompleteInput } from './requests.ts';
import {
  type Call,
  findSale,
  keepRequest,
  openSale,
  payable,
  presentSale,
  problemsOf,
  requireOpen,
  type Sale,
} from './sales.ts';

export async function completeCheckout(call: Call, input: CompleteInput, id: string): Promise<Answer> {
  const found = await findSale(call, 'checkout', id);
  if (found.placedId !== null) return presentSale(call, 'checkout', found);
  requireOpen(found);
  const sale = found.cart.state === 'cart' ? await withLastDetails(call, found, input) : found;
  const blocking = problemsOf(sale).some(({ type }) => type === 'error');
  if (blocking || sale.cart.lineItems.length === 0) return presentSale(call, 'checkout', sale);
  const problem = await pay(call, sale, input);
  const after = await openSale(call, sale.row);
  const answer = await presentSale(call, 'checkout', after);
  const { order, messages, status } = answer.body as {
    order?: { label: string };
    messages: Message[];
    status: string;
  };
  if (order && problem === null) await noteOrder(call, order.label);
  if (order || !problem) return answer;
  const escalates = problem.severity === 'requires_buyer_input' && status === 'ready_for_complete';
  const body = {
    ...answer.body,
    status: escalates ? 'requires_escalation' : status,
    messages: [...messages, problem],
  };
  return { ...answer, body };
}

/** The journal says which agent brought an order: once, also where completions race. */
async function noteOrder({ db, now, changes, agent }: Call, number: string): Promise<void> {
  const noted = { owner: `agent ${agent.id}`, key: number, asked: null };
  const note = () =>
    changes.run({ kind: 'system' }, 'agent order', async (change) =>
      change.note('agent', agent.id, [{ field: 'order', to: number }]),
    );
  await createRequestKeys({ db, now }).done(noted, note, async () => undefined);
}

/** What a checkout still lacks may come with its completion. */
async function withLastDetails(call: Call, sale: Sale, { buyer, fulfillment }: CompleteInput): Promise<Sale> {
  if (!buyer && !fulfillment) return sale;
  const request = { ...sale.request, ...(buyer ? { buyer } : {}), ...(fulfillment ? { fulfillment } : {}) };
  const more = { ...sale, request };
  return keepRequest(call, more, await chooseFulfilment(call, more), 'checkout');
}

/** Null if the payment succeeded. @throws {ProtocolError} for a handler that the shop does not have */
async function pay(call: Call, { session, settings }: Sale, input: CompleteInput): Promise<Message | null> {
  const { locale, address, paying } = call;
  const instruments = input.payment?.instruments ?? [];
  const instrument = instruments.find(({ selected }) => selected) ?? instruments[0];
  const provider = await payable(call, settings);
  const failed = (content: string, code = 'payment_failed', path = '$.payment.instruments[0]') =>
    correctable(code, content, path);
  if (!provider?.agents) return null;
  if (!instrument) return failed('A payment instrument is missing.', 'field_required');
  if (instrument.handler_id !== provider.name)
    throw new ProtocolError(400, 'invalid_handler', 'The handler of the instrument is none of this shop.', {
      rpc: -32602,
    });
  const { type, token } = instrument.credential ?? {};
  const credential = type && token ? provider.agents.inputOf({ type, token }) : null;
  if (credential === null) return failed('The credential is not one of this handler.');
  const { billing_address: billing } = instrument;
  const billingAddress = billing?.street_address ? { billingAddress: addressOf(billing) } : {};
  try {
    const paid = await paying.pay(
      session,
      provider.name,
      { input: credential, ...billingAddress, address },
      locale,
    );
    if (paid.orderID !== null) return null;
    // The bank asks a person. The cart is theirs to finish, so the attempt ends here.
    await paying.cancel(session, locale);
    return forBuyer(
      'requires_3ds',
      'The bank asks the buyer to confirm: the order is finished at the address of continue_url.',
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 429) throw error;
    const { errors, errorKey } = error.details;
    const content = textOf(error, locale);
    if (errorKey === 'payment.undecided') return { type: 'info', code: 'payment_pending', content };
    if (error.status >= 500) throw error;
    if (errors && error.status === 400) return messagesOf(errors, locale)[0] ?? failed(content);
    if (errorKey === 'billChanged') return failed(content, 'totals_changed', '$.totals');
    if (errorKey?.startsWith('rule.outOfStock')) return failed(content, 'out_of_stock', '$.line_items');
    return failed(content);
  }
}
