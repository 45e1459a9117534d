/** Writes postal addresses, on every page, email, paper and ticket alike. */
import { personName } from './names.ts';
import type { Address, Contact } from './schemas/order.ts';

export type PostalAddress = Pick<
  Address,
  'streetNumberAndNameDetails' | 'addressDescription' | 'city' | 'province' | 'postCode' | 'country'
>;

/** From the street to the country; no line is empty. */
export function addressLines(address: PostalAddress): string[] {
  const { streetNumberAndNameDetails, addressDescription, city, province, postCode, country } = address;
  return [
    streetNumberAndNameDetails,
    addressDescription,
    [city, province, postCode].filter(Boolean).join(', '),
    country,
  ].filter(Boolean);
}

interface Shipped {
  contact: Contact | null;
  shippingContact: Contact | null;
  shippingAddress: Address | null;
}

/** Who receives what is sent, and where; '' for what nobody said. */
export interface Receiver {
  name: string;
  address: string[];
  phone: string;
}

export function receiverOf({ contact, shippingContact, shippingAddress }: Shipped): Receiver {
  const person = shippingContact ?? contact;
  return {
    name: person ? personName(person) : '',
    address: shippingAddress ? addressLines(shippingAddress) : [],
    phone: shippingAddress?.contactPhone || shippingContact?.phoneNumber || contact?.phoneNumber || '',
  };
}

/** The name, the address and the phone number of whoever receives what is sent; no line is empty. */
export function receiverLines(order: Shipped): string[] {
  const { name, address, phone } = receiverOf(order);
  return [name, ...address, phone].filter(Boolean);
}
