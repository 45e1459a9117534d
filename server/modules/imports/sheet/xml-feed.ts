/** A product feed in XML, as RSS, Atom or a list of products, as a table: a row for each item, a column for each of its tags. */
import { readMarkup } from '#server/platform/markup.ts';

const items = new Set(['item', 'entry', 'product', 'offer']);

/** With the header. Empty if it has no items. What a tag has several of is separated by line breaks. @throws {NestingError} */
export function tableOfFeed(xml: string, bounded: (cells: string[]) => string[]): string[][] {
  const columns = new Map<string, number>();
  const rows: string[][] = [];
  let row: string[] | undefined;
  let field = '';
  let text = '';
  /** Tags inside of the item. */
  let depth = 0;
  const columnOf = (name: string): number => {
    const known = columns.get(name) ?? columns.size;
    columns.set(name, known);
    return known;
  };
  const put = (name: string, value: string) => {
    if (!row || value === '') return;
    const at = columnOf(name);
    while (row.length <= at) row.push('');
    row[at] = row[at] ? `${row[at]}\n${value}` : value;
    bounded(row);
  };
  readMarkup(
    xml,
    {
      onopentag(tag, { href }) {
        const name = tag.replace(/^\w+:/, '');
        if (!row) {
          if (items.has(name)) row = [];
          return;
        }
        depth += 1;
        if (depth > 1) return;
        [field, text] = [name, ''];
        if (href !== undefined) put(name, href);
      },
      ontext(part) {
        if (row && depth > 0) text += part;
      },
      onclosetag(tag) {
        if (!row) return;
        if (depth === 0) {
          if (items.has(tag.replace(/^\w+:/, ''))) {
            rows.push(row);
            row = undefined;
          }
          return;
        }
        if (depth === 1) put(field, text.trim());
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  return rows.length === 0 ? [] : [[...columns.keys()], ...rows];
}
