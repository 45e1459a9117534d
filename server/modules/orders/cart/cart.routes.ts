/** Serves the calls for the cart (SPEC §7). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cartForm } from '#contract/limits.ts';
import { localizePath } from '#contract/locales.ts';
import { canonicalSelections, type Selection } from '#contract/rules/modifiers.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { serve } from '#server/http/endpoint.ts';
import { requireOwnPage } from '#server/http/own-page.ts';
import { sendRejection } from '#server/http/rejection-page.ts';
import { sendSession, sessionOf } from '#server/http/session-cookie.ts';
import { createValidator } from '#server/http/validation.ts';
import { AppError } from '#server/platform/errors.ts';
import { localeOf, translate } from '#server/platform/i18n.ts';
import type { CartService } from './cart.service.ts';

/** Longer than a form with every modifier of a product, bytes. */
const bodyLimit = 16 * 1024;

export function registerCartRoutes(app: FastifyInstance, { cart }: { cart: CartService }): void {
  registerCartForm(app, { cart });
  serve(app, 'myCart', ({ session, lang }) => cart.get(session, lang));
  serve(
    app,
    'addToCart',
    ({ session, params, body, lang }) => cart.add(session, params.itemName, body, lang),
    {
      again: ({ session, lang }) => cart.get(session, lang),
    },
  );
  serve(app, 'addSetToCart', ({ session, body, lang }) => cart.addSet(session, body, lang));
  serve(app, 'updateCartItem', ({ session, params, body, lang }) =>
    cart.update(session, { sku: params.itemName }, body, lang),
  );
  serve(app, 'deleteCartItem', ({ session, body, lang }) =>
    cart.remove(session, { sku: body.itemName }, lang),
  );
  serve(app, 'updateCartLine', ({ session, params, body, lang }) => cart.update(session, params, body, lang));
  serve(app, 'deleteCartLine', ({ session, body, lang }) => cart.remove(session, body, lang));
  serve(app, 'lastChoice', ({ session, query }) => cart.lastChoice(session, query.product));
  serve(app, 'updateCustomerComment', ({ session, body, lang }) => cart.comment(session, body.value, lang));
  serve(app, 'tips', ({ session, body, lang }) => cart.tip(session, body, lang));
}

/** Puts a product in the cart as the form of its page has it, for browsers without scripts. */
function registerCartForm(app: FastifyInstance, { cart }: { cart: CartService }): void {
  const { sessions } = app.contract;
  const params = createValidator(endpoints.addToCart.params, 'params');
  const body = createValidator(endpoints.addToCart.body, 'body');
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
    );
    forms.post(cartForm, { bodyLimit, onRequest: requireOwnPage }, async (request, reply) => {
      const form = request.body as URLSearchParams;
      const lang = localeOf(request.query);
      const session = sessionOf(request, sessions);
      try {
        const { itemName } = params({ itemName: form.get('sku') });
        const item = {
          quantity: Number(form.get('quantity')),
          modifiers: modifiersIn(form),
          note: form.get('note') ?? '',
        };
        await cart.add(session, itemName, body(item), lang);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const path = localizePath(`/product/${encodeURIComponent(form.get('product') ?? '')}`, lang);
        return sendRejection(request, reply, error, lang, { path, text: translate(lang)('error.formBack') });
      }
      await session.prolong();
      sendSession(request, reply, session);
      return await reply.redirect(localizePath('/cart', lang), 303);
    });
  });
}

/**
 * The chosen modifiers. Fields are named by ids: `modifiers/<group>` has a modifier, `modifiers/<group>/<modifier>` its quantity,
 * and `modifiers/<group>/<modifier>/<group>` what is chosen in a group that it opens; without it, that does not count.
 */
function modifiersIn(form: URLSearchParams): ReturnType<typeof canonicalSelections> {
  /** By the path of what opens their group. A path counts once, else equal names would multiply at each depth. */
  const chosen = new Map<string, Map<string, Selection>>();
  for (const [name, value] of form) {
    const [first, ...named] = name.split('/');
    if (first !== 'modifiers' || named.length === 0) continue;
    const hasQuantity = named.length % 2 === 0;
    const quantity = hasQuantity ? Number(value) : 1;
    if (quantity === 0) continue;
    const path = hasQuantity ? named : [...named, value];
    const parent = path.slice(0, -2).join('/');
    const [group = '', modifier = ''] = path.slice(-2);
    const siblings = chosen.get(parent) ?? new Map<string, Selection>();
    chosen.set(parent, siblings.set(`${group}/${modifier}`, { group, modifier, quantity, modifiers: [] }));
  }
  const under = (parent: string): Selection[] =>
    [...(chosen.get(parent) ?? [])].map(([own, selection]) => ({
      ...selection,
      modifiers: under(parent === '' ? own : `${parent}/${own}`),
    }));
  return canonicalSelections(under(''));
}
