/**
 * Writes Braintree's XML as its SDKs read it: names with dashes, types in attributes
 * (node_modules/braintree/lib/braintree/util.js).
 */

export type XmlValue = string | number | boolean | null | XmlValue[] | { [name: string]: XmlValue };

/** Converts fields from the SDK's names, such as `orderId`, to those in XML. */
export function dashed(fields: { [name: string]: XmlValue }): { [name: string]: XmlValue } {
  const dash = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [dash(name), value]));
}

export function xml(name: string, value: XmlValue): string {
  if (value === null) return `<${name} nil="true"/>`;
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`;
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>`;
  if (typeof value === 'string') return `<${name}>${escaped(value)}</${name}>`;
  if (Array.isArray(value))
    return `<${name} type="array">${value.map((each) => xml('item', each)).join('')}</${name}>`;
  return `<${name}>${Object.entries(value)
    .map(([key, part]) => xml(key, part))
    .join('')}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
