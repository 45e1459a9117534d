/**
 * The rules of SPEC §5 as pure functions, shared by browser and server. Each takes the entered values and returns
 * `FieldErrors`, empty if there are none. A field is named by its path in the call's body or query, which is also its name in
 * the browser's form:
 *
 * - `quantity`
 * - `methodName`, `localStoreName`, `tableNumber`, `partySize`, `pickupDate`, `shippingMethod`
 * - `contact.phoneNumber`, `contact.email` (likewise under `shippingContact`)
 * - `address.streetNumberAndNameDetails`, `address.city`, `address.postCode`, `address.countryISOCode`,
 *   `address.province` (likewise under `billingAddress`)
 * - `paymentInstrucment.cardHolderName`, `.creditCardNumber`, `.cardCode`, `.expirationMonth`, `.expirationYear`
 * - `paymentMethod`, and `lineItems.<sku>` for a line of the cart
 *
 * Nothing here may import a schema library: the browser loads these files.
 */

/** Whether the value is missing, empty or white space only. */
export function isBlank(value: string | number | null | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}

/** Whether there are no errors. */
export function isClean(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(errors).length === 0;
}
