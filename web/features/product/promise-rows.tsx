import type { Inventory } from '#contract/schemas/catalogue.ts';
import { DeliveryLine } from './delivery-line.tsx';
import { FirstPickup } from './first-pickup.tsx';

/** When a product arrives by parcel, and when and where it can be picked up. */
export function PromiseRows({ live, ships }: { live: Inventory | undefined; ships: boolean }) {
  return (
    <>
      <DeliveryLine ships={ships} />
      <FirstPickup live={live} />
    </>
  );
}
