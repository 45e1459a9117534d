/** Serves the calls for the cart (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { CartService } from './cart.service.ts';
import { registerCartForm } from './cart-form.ts';

export function registerCartRoutes(app: FastifyInstance, { cart }: { cart: CartService }): void {
  registerCartForm(app, { cart });
  serve(app, 'myCart', ({ session, lang }) => cart.get(session, lang));
  serve(app, 'addToCart', ({ session, params, body, lang }) => cart.add(session, params.itemName, body, lang));
  serve(app, 'addSetToCart', ({ session, body, lang }) => cart.addSet(session, body, lang));
  serve(app, 'updateCartItem', ({ session, params, body, lang }) => cart.update(session, { sku: params.itemName }, body, lang));
  serve(app, 'deleteCartItem', ({ session, body, lang }) => cart.remove(session, { sku: body.itemName }, lang));
  serve(app, 'updateCartLine', ({ session, params, body, lang }) => cart.update(session, params, body, lang));
  serve(app, 'deleteCartLine', ({ session, body, lang }) => cart.remove(session, body, lang));
  serve(app, 'lastChoice', ({ session, query }) => cart.lastChoice(session, query.product));
  serve(app, 'updateCustomerComment', ({ session, body, lang }) => cart.comment(session, body.value, lang));
  serve(app, 'tips', ({ session, body, lang }) => cart.tip(session, body, lang));
}
