/** The customer data of the orders module, for sign-in, export and deletion. */
import type { CustomerOrderData } from '#server/modules/customers/index.ts';
import type { CartService } from '../cart/cart.service.ts';
import type { OrdersService } from './orders.service.ts';

export interface OrderDataDeps {
  orders: Pick<OrdersService, 'settings' | 'customers'>;
  cart: Pick<CartService, 'get' | 'merge'>;
}

export function createOrderData({ orders, cart }: OrderDataDeps): CustomerOrderData {
  const { customers } = orders;
  return {
    async prepareSignIn() {
      const settings = await orders.settings();
      return async (trx, { session, previousHash, isNewCustomer, locale }) => {
        if (previousHash !== null) {
          if (isNewCustomer) await customers.assignSessionOrders(trx, previousHash, session.customerId);
          await customers.moveSession(trx, previousHash, session.idHash);
        }
        await cart.merge(trx, session, settings, locale);
      };
    },
    cart: cart.get,
    list: customers.list,
    all: customers.all,
    ofGuest: customers.ofGuest,
    detachFromCustomer: customers.detachFromCustomer,
    releaseGuest: customers.releaseGuest,
  };
}
