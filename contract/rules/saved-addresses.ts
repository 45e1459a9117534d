/** What tells a customer's list of addresses from another: it is saved as a whole, and two tabs may have one each. */
import { fnv1a } from '../fnv.ts';
import type { Address } from '../schemas/order.ts';

/** The same for the same addresses in the same order, whatever is written of a field that is empty. */
export function addressesVersion(list: readonly Partial<Address>[]): string {
  const text = JSON.stringify(
    list.map((address) =>
      Object.entries(address)
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );
  return [fnv1a(text), fnv1a(text, 0x9dc5811c)].map((half) => half.toString(36)).join('-');
}

const placeOf = (list: readonly Address[], address: Address): number => {
  const version = addressesVersion([address]);
  return list.findIndex((each) => addressesVersion([each]) === version);
};

/** With an address in place of another, or as a new one: also if the other has been removed meanwhile. */
export function withAddress<T>(list: readonly Address[], address: T, before?: Address): (Address | T)[] {
  const at = before ? placeOf(list, before) : -1;
  return at < 0 ? [...list, address] : [...list.slice(0, at), address, ...list.slice(at + 1)];
}

export function withoutAddress(list: readonly Address[], address: Address): Address[] {
  const at = placeOf(list, address);
  return list.filter((_, index) => index !== at);
}

/** With an address as the default one; it may have been removed meanwhile. */
export function withDefault(list: readonly Address[], address: Address): Address[] {
  const at = placeOf(list, address);
  const found = list[at];
  return found ? [found, ...withoutAddress(list, found)] : [...list];
}
