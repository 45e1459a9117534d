/** Serves the calls for the cart (SPEC §7). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cartForm } from '#contract/limits.ts';
import { type Locale, locales, localizePath } from '#contract/locales.ts';
import { canonicalSelections, type Selection } from '#contract/rules/modifiers.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { serve } from '#server/http/endpoint.ts';
import { requireOwnPage } from '#server/http/own-page.ts';
import { sendSession, sessionOf } from '#server/http/session-cookie.ts';
import { createValidator } from '#server/http/validation.ts';
import { AppError } from '#server/platform/errors.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { localeOf, translate, translateAny, translateFieldErrors } from '#server/platform/i18n.ts';
import type { CartService } from './cart.service.ts';

/** Longer than a form with every modifier of a product, bytes. */
const bodyLimit = 16 * 1024;

export function registerCartRoutes(app: FastifyInstance, { cart }: { cart: CartService }): void {
  registerCartForm(app, { cart });
  serve(app, 'myCart', ({ session, lang }) => cart.get(session, lang));
  serve(app, 'addToCart', ({ session, params, body, lang }) => cart.add(session, params.itemName, body, lang), {
    again: ({ session, lang }) => cart.get(session, lang),
  });
  serve(app, 'addSetToCart', ({ session, body, lang }) => cart.addSet(session, body, lang));
  serve(app, 'updateCartItem', ({ session, params, body, lang }) => cart.update(session, { sku: params.itemName }, body, lang));
  serve(app, 'deleteCartItem', ({ session, body, lang }) => cart.remove(session, { sku: body.itemName }, lang));
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
        const item = { quantity: Number(form.get('quantity')), modifiers: modifiersIn(form), note: form.get('note') ?? '' };
        await cart.add(session, itemName, body(item), lang);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const page = rejectionPage(error, form.get('product') ?? '', lang);
        return await reply.status(error.status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
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
  const fields = [...form].flatMap(([name, value]) => {
    const [first, ...path] = name.split('/');
    if (first !== 'modifiers' || path.length === 0) return [];
    const quantity = path.length % 2 === 0 ? Number(value) : 1;
    return quantity === 0 ? [] : [{ path: path.length % 2 === 0 ? path : [...path, value], quantity }];
  });
  const under = (parent: readonly string[]): Selection[] =>
    fields
      .filter(({ path }) => path.length === parent.length + 2 && parent.every((id, at) => id === path[at]))
      .map(({ path, quantity }) => ({
        group: path.at(-2) ?? '',
        modifier: path.at(-1) ?? '',
        quantity,
        modifiers: under(path),
      }));
  return canonicalSelections(under([]));
}

/** Says why, with the way back to the product. */
function rejectionPage({ details }: AppError, product: string, lang: Locale): string {
  const t = translate(lang);
  const { errors, errorKey, values } = details;
  const texts = errors
    ? Object.values(translateFieldErrors(errors, lang))
    : [translateAny(lang)(errorKey ?? 'error.malformed', values)];
  const back = localizePath(`/product/${encodeURIComponent(product)}`, lang);
  const said = texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  const title = escapeHtml(t('error.formRejected'));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const main = `<h1>${title}</h1>${said}<p><a href="${escapeHtml(back)}">${escapeHtml(t('error.formBack'))}</a></p>`;
  return `<!doctype html><html lang="${locales[lang].tag}"><head>${head}</head><body>${main}</body></html>`;
}
