/** `npm run modules`: writes which parts of the server import which into docs/architecture.md and docs/architecture.svg. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectureSvg } from '../tests/architecture-picture.ts';
import { partTable, readImports } from '../tests/import-graph.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/architecture.md');
const graph = await readImports(root);
const table = partTable(graph);
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.replace(/(<!-- modules -->\n)[\s\S]*?(<!-- end of modules -->)/, `$1${table}\n$2`));
writeFileSync(join(root, 'docs/architecture.svg'), architectureSvg(graph.parts));
console.log('Wrote the table of modules into docs/architecture.md, and docs/architecture.svg.');
