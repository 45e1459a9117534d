/** Reads the lines of an order that an option names, such as `--line MUG-OAT=2`. */
import type { Order } from '#contract/schemas/order.ts';
import { CommandError, printable, type Terminal } from '../command.ts';

export type Lines = Order['lineItems'];

/** For options that are given several times. */
export const collect = (text: string, all: string[]): string[] => [...all, text];

/** `MUG-OAT=2`: a name, and what belongs to it; '' if nothing does. */
export function split(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** @throws {CommandError} if no line, or more than one, has this id or SKU */
export function lineNamed(name: string, lines: Lines, { t }: Terminal): Lines[number] {
  const found = lines.filter(({ id, sku }) => id === name || sku === name.toUpperCase());
  const [line] = found;
  if (!line) throw new CommandError(t('orders.line.unknown', { line: printable(name) }));
  if (found.length > 1)
    throw new CommandError(
      t('orders.line.several', { line: line.sku, ids: found.map(({ id }) => id).join(', ') }),
    );
  return line;
}

export function count(text: string, least: number, { t }: Terminal): number {
  const units = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (units < least) throw new CommandError(t('orders.line.count', { text: printable(text), least }));
  return units;
}

/** `text`: the SKU or the id of a line, and how many units of it, such as MUG-OAT=2; all of them if that is left out. */
export function lineUnits(
  text: string,
  lines: Lines,
  terminal: Terminal,
): { line: string; quantity: number } {
  const [name, units] = split(text);
  const { id, quantity } = lineNamed(name, lines, terminal);
  return { line: id, quantity: units === '' ? quantity : count(units, 1, terminal) };
}
