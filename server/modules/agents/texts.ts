/** Answers as a model reads them: what it needs to choose and to go on, without addresses of pictures and what only programs use. */
import { formatMoney } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';
import { isRecord } from '#server/http/mcp.ts';
import { translate } from '#server/platform/i18n.ts';
import type { Body, Message } from './protocol.ts';

/** Without what never says anything to a reader. */
const silent = new Set([
  'ucp',
  'media',
  'image_url',
  'handle',
  'payment',
  'links',
  'line_item_ids',
  'config',
  'taxonomy',
]);
const longest = 16_000;

/** Amounts are written as they are read; their fields hold the smallest unit of the currency. */
export function textOfAnswer(body: Body, locale: Locale): string {
  const { messages = [], products, product, currency, ...rest } = body;
  const own = textCode(currency) ?? codeOf(products) ?? codeOf(product);
  const money: Money = (amount, code) => {
    const named = textCode(code) ?? own;
    return named === undefined ? String(amount) : `${formatMoney(amount, locale, named)} ${named}`;
  };
  const listed = Array.isArray(products) ? products : isRecord(product) ? [product] : null;
  const lines = [
    ...(messages as Message[]).map(messageText),
    ...(listed?.length === 0 ? [translate(locale)('agents.noResults')] : []),
    ...(listed
      ? listed.filter(isRecord).flatMap((each) => productText(each, money, product !== undefined))
      : []),
    ...entries(rest, money, 0),
  ];
  const text = lines.join('\n');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const textCode = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The currency of the first price. */
function codeOf(value: unknown): string | undefined {
  const product: unknown = Array.isArray(value) ? value[0] : value;
  const { price_range: range } = isRecord(product) ? product : {};
  const { min } = isRecord(range) ? range : {};
  return isRecord(min) ? textCode(min.currency) : undefined;
}

type Money = (amount: number, code?: unknown) => string;

const messageText = ({ type, code, content, path }: Message) =>
  `${type} ${code}: ${content}${path ? ` (${path})` : ''}`;

const priceText = (price: unknown, money: Money): string =>
  isRecord(price) && typeof price.amount === 'number' ? money(price.amount, price.currency) : '';

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((each) => (typeof each === 'string' ? each : isRecord(each) ? String(each.name) : []))
    : [];

function productText(product: Body, money: Money, isWhole: boolean): string[] {
  const { id, title, description, variants, options, metadata, url } = product;
  const { modifier_groups: groups = [], note } = isRecord(metadata) ? metadata : {};
  const all = (Array.isArray(variants) ? variants : []).filter(isRecord);
  const plain = isRecord(description) ? String(description.plain ?? '') : '';
  const variant = (each: Body) => {
    const { status } = isRecord(each.availability) ? each.availability : {};
    const named = each.title === title ? '' : `${String(each.title)}, `;
    return `  ${String(each.id)}: ${named}${priceText(each.price, money)}, ${String(status).replaceAll('_', ' ')}`;
  };
  const group = (each: Body) => {
    const { name, modifiers, min, max } = each;
    const choices = (Array.isArray(modifiers) ? modifiers : []).map((one) => modifierText(one, money));
    return `  ${String(name)}${isWhole ? ` (${String(min)} to ${String(max)})` : ''}: ${choices.join(', ')}`;
  };
  return [
    `${String(title)} (id ${String(id)})`,
    `  ${isWhole ? plain : (plain.split('\n')[0] ?? '')}`,
    ...(note ? [`  ${String(note)}`] : []),
    ...all.map(variant),
    ...(isWhole && Array.isArray(options)
      ? options.filter(isRecord).map((each) => `  ${String(each.name)}: ${labels(each.values)}`)
      : []),
    ...(Array.isArray(groups) ? groups.filter(isRecord).map(group) : []),
    ...(isWhole ? [`  ${String(url)}`] : []),
  ];
}

const labels = (values: unknown): string =>
  (Array.isArray(values) ? values : [])
    .flatMap((each) => (isRecord(each) ? String(each.label) : []))
    .join(', ');

function modifierText(value: unknown, money: Money): string {
  if (!isRecord(value)) return String(value);
  const { name, price, default_quantity: usual, allergens } = value;
  const more = [
    ...(typeof price === 'number' && price > 0 ? [`+${money(price)}`] : []),
    ...(typeof usual === 'number' && usual > 0 ? ['default'] : []),
    ...texts(allergens),
  ];
  return more.length > 0 ? `${String(name)} (${more.join(', ')})` : String(name);
}

/** A field a line; the totals of an entry in one. */
function entries(value: unknown, money: Money, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return value.flatMap((each) => itemText(each, money, depth));
  if (!isRecord(value)) return [`${indent}${scalar(value)}`];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (silent.has(name) || inner === undefined || inner === null) return [];
    if (name === 'totals' && Array.isArray(inner)) return [`${indent}totals: ${totalsText(inner, money)}`];
    if (isAmount(name) && typeof inner === 'number') return [`${indent}${name}: ${money(inner)}`];
    if (!isRecord(inner) && !Array.isArray(inner)) return [`${indent}${name}: ${scalar(inner)}`];
    const lines = entries(inner, money, depth + 1);
    return lines.length > 0 ? [`${indent}${name}:`, ...lines] : [];
  });
}

function itemText(value: unknown, money: Money, depth: number): string[] {
  const [first, ...others] = entries(value, money, depth + 1);
  if (first === undefined) return [];
  return [`${'  '.repeat(depth)}- ${first.trimStart()}`, ...others];
}

const isAmount = (name: string) => name === 'price' || name === 'amount';
const scalar = (value: unknown) => String(value);

const totalsText = (totals: readonly unknown[], money: Money): string =>
  totals
    .filter(isRecord)
    .map(
      ({ type, display_text: label, amount }) =>
        `${String(label ?? type)} ${typeof amount === 'number' ? money(amount) : ''}`,
    )
    .join(', ');
