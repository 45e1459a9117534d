import { personName } from '#contract/names.ts';
import type { Address, Contact } from '#contract/schemas/order.ts';
import { addressLines } from '#web/lib/address.ts';

/** A postal address in the order of its country, below the name of the person. */
export function AddressBlock({ address, person }: { address: Address; person: Contact | null }) {
  const lines = [person ? personName(person) : '', ...addressLines(address)].filter(Boolean);
  return (
    <address className="not-italic">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}
