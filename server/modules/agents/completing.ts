/** Completes a checkout by the provider's handler, or says what a person has to do. */
import { AppError } from '#server/platform/errors.ts';
import { addressOf, chooseFulfilment } from './fulfilment.ts';
import { payable, presentSale } from './presenting.ts';
import { type Answer, correctable, type Message, messagesOf, ProtocolError, textsOf } from './protocol.ts';
import type { CompleteInput } from './requests.ts';
import {
  type Caller,
  findSale,
  keepRequest,
  notFound,
  openSale,
  problemsOf,
  requireOpen,
  type Sale,
  type SalesDeps,
} from './sales.ts';

export async function completeCheckout(deps: SalesDeps, id: string, input: CompleteInput, caller: Caller): Promise<Answer> {
  const found = await findSale(deps, 'checkout', id, caller);
  if (!found) return notFound(deps, 'checkout', caller);
  if (found.placedId !== null) return presentSale(deps, 'checkout', found, caller);
  requireOpen(found);
  const sale = found.cart.state === 'cart' ? await withLastDetails(deps, found, input, caller) : found;
  const blocking = problemsOf(sale).some(({ type }) => type === 'error');
  if (blocking || sale.cart.lineItems.length === 0) return presentSale(deps, 'checkout', sale, caller);
  const problem = await pay(deps, sale, input, caller);
  const after = await openSale(deps, sale.row, caller);
  const answer = await presentSale(deps, 'checkout', after, caller);
  if (after.placedId !== null) {
    const { label } = answer.body.order as { label: string };
    // The journal says which agent did it.
    if (problem === null)
      await deps.changes.run({ kind: 'system' }, 'agent order', async ({ note }) =>
        note('agent', caller.agent.id, [{ field: 'order', to: label }]),
      );
    return answer;
  }
  if (!problem) return answer;
  const { messages = [], status } = answer.body as { messages?: Message[]; status?: string };
  const escalates = problem.severity === 'requires_buyer_input';
  return {
    ...answer,
    body: {
      ...answer.body,
      status: escalates && status === 'ready_for_complete' ? 'requires_escalation' : status,
      messages: [...messages, problem],
    },
  };
}

/** What a checkout still lacks may come with its completion. */
async function withLastDetails(
  deps: SalesDeps,
  sale: Sale,
  { buyer, fulfillment }: CompleteInput,
  caller: Caller,
): Promise<Sale> {
  if (!buyer && !fulfillment) return sale;
  const request = { ...sale.request, ...(buyer ? { buyer } : {}), ...(fulfillment ? { fulfillment } : {}) };
  const { session, settings, cart } = sale;
  const problems = await chooseFulfilment(
    deps,
    { session, request, settings, locale: caller.locale, address: caller.address },
    cart,
  );
  return keepRequest(deps, sale, request, problems, 'checkout', caller.locale);
}

/** Null if the payment succeeded. @throws {ProtocolError} for a handler that the shop does not have */
async function pay(deps: SalesDeps, { session, settings }: Sale, input: CompleteInput, caller: Caller): Promise<Message | null> {
  const { locale, address } = caller;
  const instruments = input.payment?.instruments ?? [];
  const instrument = instruments.find(({ selected }) => selected) ?? instruments[0];
  const provider = await payable(deps, settings);
  const failed = (content: string, code = 'payment_failed') => correctable(code, content, '$.payment.instruments[0]');
  if (!provider?.agents) return null;
  if (!instrument) return failed('A payment instrument is missing.', 'field_required');
  if (instrument.handler_id !== provider.name)
    throw new ProtocolError(400, 'invalid_handler', 'The handler of the instrument is none of this shop.', { rpc: -32602 });
  const { type, token } = instrument.credential ?? {};
  const credential = type && token ? provider.agents.inputOf({ type, token }) : null;
  if (credential === null) return failed('The credential is not one of this handler.');
  const { billing_address: billing } = instrument;
  const billingAddress = billing?.street_address ? { billingAddress: addressOf(billing) } : {};
  try {
    const paid = await deps.paying.pay(session, provider.name, { input: credential, ...billingAddress, address }, locale);
    if (paid.orderID !== null) return null;
    // The bank asks a person. The cart is theirs to finish, so the attempt ends here.
    await deps.paying.cancel(session, locale);
    return {
      type: 'error',
      code: 'requires_3ds',
      severity: 'requires_buyer_input',
      content: 'The bank asks the buyer to confirm: the order is finished at the address of continue_url.',
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 429) throw error;
    if (error.status >= 500 && error.details.errorKey !== 'payment.undecided') throw error;
    const { errors, errorKey } = error.details;
    const content = textsOf(error, locale).join(' ');
    if (errorKey === 'payment.undecided') return { type: 'info', code: 'payment_pending', content };
    if (errors && error.status === 400) return messagesOf(errors, locale)[0] ?? failed(content);
    if (errorKey === 'billChanged') return { ...failed(content, 'totals_changed'), path: '$.totals' };
    if (errorKey?.startsWith('rule.outOfStock')) return { ...failed(content, 'out_of_stock'), path: '$.line_items' };
    return failed(content);
  }
}
