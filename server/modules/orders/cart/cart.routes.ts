/** Serves the calls for the cart (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { serve } from '#server/http/endpoint.ts';
import { createSerializer } from '#server/http/serializer.ts';
import type { CartService } from './cart.service.ts';
import type { CartAnswers } from './cart-answers.ts';

export interface CartRoutesDeps {
  cart: CartService;
  cartAnswers: CartAnswers;
}

export function registerCartRoutes(app: FastifyInstance, { cart, cartAnswers }: CartRoutesDeps): void {
  const print = createSerializer(endpoints.myCart.response, app.contract.checkAnswers);
  serve(app, 'myCart', ({ session, lang }) => cartAnswers.get(session, lang, print));
  serve(app, 'addToCart', ({ session, params, body, lang }) => cart.add(session, params.itemName, body, lang));
  serve(app, 'addSetToCart', ({ session, body, lang }) => cart.addSet(session, body, lang));
  serve(app, 'updateCartItem', ({ session, params, body, lang }) => cart.update(session, params.itemName, body, lang));
  serve(app, 'deleteCartItem', ({ session, body, lang }) => cart.remove(session, body.itemName, lang));
  serve(app, 'updateCustomerComment', ({ session, body, lang }) => cart.comment(session, body.value, lang));
}
