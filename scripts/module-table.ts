/** `npm run modules`: writes which parts of the server import which into docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partTable, readImports } from '../tests/import-graph.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/architecture.md');
const table = partTable(await readImports(root));
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.replace(/(<!-- modules -->\n)[\s\S]*?(<!-- end of modules -->)/, `$1${table}\n$2`));
console.log('Wrote the table of modules into docs/architecture.md.');
