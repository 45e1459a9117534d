/** Notes on this device that a product's page was opened. A file of its own, which is not on the page's first view. */
import { viewedProducts } from '#web/lib/device-list.ts';

export function rememberView(productId: string): void {
  viewedProducts.remember(productId);
}
