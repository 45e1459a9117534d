/** Draws docs/architecture.svg from the imports of the code: boxes in layers, and an arrow for each import between them. */

/** Maps each node to the nodes that it imports, with the number of imports. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Box {
  name: string;
  x: number;
  y: number;
}

/** Lengths in the drawing, px. */
const size = { width: 1160, margin: 40, boxWidth: 128, boxHeight: 40, rowGap: 48, bar: 36, heading: 64 };

/** Parts that nearly all modules import. They are drawn as bars below the modules, without arrows. */
const foundation = ['http', 'platform'];

/** The drawing as the text of an SVG file. @throws {Error} if the imports of the modules have a cycle */
export function architectureSvg(parts: Graph): string {
  const modules = without(parts, [...foundation, 'ssr']);
  const drawn = panel('Modules of the server', modules, 0);
  const bars = foundation.map((name, at) =>
    bar(name, parts, drawn.bottom + size.rowGap / 2 + at * (size.bar + 12)),
  );
  const height = drawn.bottom + size.rowGap / 2 + bars.length * (size.bar + 12) + size.margin / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">
<title id="title">The modules of the server and what they import</title>
<desc id="desc">An arrow leads from a module to one that it imports. Imports that follow from other arrows are left out.</desc>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#8a7a66"/></marker></defs>
<rect width="100%" height="100%" rx="8" fill="#fbf8f3"/>
${[drawn.svg, ...bars].join('\n')}
</svg>
`;
}

/** One graph with a heading. Its lowest row imports nothing, and every box is above all boxes that it imports. */
function panel(heading: string, graph: Graph, top: number): { svg: string; bottom: number } {
  const rows = layers(graph);
  const boxes = place(rows, graph, top + size.heading);
  const at = new Map(boxes.map((box) => [box.name, box]));
  const arrows = [...direct(graph)].flatMap(([from, targets]) =>
    [...targets].map((to) => {
      const [start, end] = [at.get(from), at.get(to)];
      return start && end ? arrow(start, end) : '';
    }),
  );
  const bottom = top + size.heading + rows.length * (size.boxHeight + size.rowGap) - size.rowGap;
  return {
    svg: [text(size.margin, top + 36, heading, 18), ...arrows, ...boxes.map(drawBox)].join('\n'),
    bottom,
  };
}

/** The nodes by the length of their longest chain of imports, longest first. @throws {Error} for a cycle. */
export function layers(graph: Graph): string[][] {
  const levels = new Map<string, number>();
  const levelOf = (name: string, path: readonly string[]): number => {
    if (path.includes(name)) throw new Error(`The imports of ${[...path, name].join(' → ')} are a cycle`);
    const known = levels.get(name);
    if (known !== undefined) return known;
    const level = 1 + Math.max(-1, ...importsOf(graph, name).map((next) => levelOf(next, [...path, name])));
    levels.set(name, level);
    return level;
  };
  const rows: string[][] = [];
  for (const name of graph.keys()) {
    const level = levelOf(name, []);
    rows[level] = [...(rows[level] ?? []), name];
  }
  return rows.reverse();
}

/** The imports that do not follow from others: if a imports b and b imports c, then a's import of c is left out. */
export function direct(graph: Graph): Map<string, string[]> {
  const reach = (name: string): Set<string> =>
    new Set(importsOf(graph, name).flatMap((next) => [next, ...reach(next)]));
  return new Map(
    [...graph.keys()].map((name) => {
      const all = importsOf(graph, name);
      const implied = new Set(all.flatMap((next) => [...reach(next)]));
      return [name, all.filter((next) => !implied.has(next))];
    }),
  );
}

function importsOf(graph: Graph, name: string): string[] {
  return [...(graph.get(name)?.keys() ?? [])].filter((next) => graph.has(next) && next !== name);
}

function without(graph: Graph, names: readonly string[]): Graph {
  return new Map([...graph].filter(([name]) => !names.includes(name)));
}

/** Places the boxes of a row near those that import them. */
function place(rows: readonly string[][], graph: Graph, top: number): Box[] {
  const placed = new Map<string, Box>();
  const centre = size.width / 2;
  for (const [at, row] of rows.entries()) {
    const wish = (name: string) => {
      const above = [...placed.values()].filter((box) => importsOf(graph, box.name).includes(name));
      return above.length > 0 ? above.reduce((sum, { x }) => sum + x, 0) / above.length : centre;
    };
    const wishes = new Map(row.map((name) => [name, wish(name)]));
    const order = [...row].sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0) || (a < b ? -1 : 1));
    const step = Math.min(220, (size.width - 2 * size.margin) / order.length);
    for (const [i, name] of order.entries()) {
      // Every other row is shifted, so that arrows across several rows pass between boxes.
      const x =
        centre + (i - (order.length - 1) / 2) * step + (at % 2 === 0 ? -1 : 1) * (order.length < 5 ? 55 : 0);
      placed.set(name, { name, x, y: top + at * (size.boxHeight + size.rowGap) });
    }
  }
  return [...placed.values()];
}

function arrow(from: Box, to: Box): string {
  const [startY, endY] = [from.y + size.boxHeight, to.y];
  const bend = (endY - startY) / 2;
  return `<path d="M${num(from.x)} ${startY}C${num(from.x)} ${num(startY + bend)} ${num(to.x)} ${num(endY - bend)} ${num(to.x)} ${endY - 2}" fill="none" stroke="#8a7a66" stroke-width="1.4" marker-end="url(#head)"/>`;
}

function drawBox({ name, x, y }: Box): string {
  const left = num(x - size.boxWidth / 2);
  return `<rect x="${left}" y="${y}" width="${size.boxWidth}" height="${size.boxHeight}" rx="6" fill="#fff" stroke="#3d5a4c" stroke-width="1.4"/>
${text(x, y + 25, name, 15, 'middle')}`;
}

/** A shared part, as wide as the drawing, with the number of modules that import it. */
function bar(name: string, parts: Graph, y: number): string {
  const users = [...parts].filter(([, imports]) => imports.has(name)).length;
  return `<rect x="${size.margin}" y="${y}" width="${size.width - 2 * size.margin}" height="${size.bar}" rx="6" fill="#e4ebe6" stroke="#3d5a4c" stroke-width="1.4"/>
${text(size.width / 2, y + 23, `${name}, imported by ${users} parts`, 15, 'middle')}`;
}

function text(x: number, y: number, content: string, fontSize: number, anchor = 'start'): string {
  return `<text x="${num(x)}" y="${y}" font-size="${fontSize}" text-anchor="${anchor}" fill="#2a2622">${content}</text>`;
}

function num(value: number): number {
  return Math.round(value * 10) / 10;
}
