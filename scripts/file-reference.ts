/** `npm run reference`: writes the reference of the fields of merchants' files, the JSON Schemas beside the examples, and who may do what. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileKind, fileKinds, type JsonSchema, jsonSchemaOf } from '#cli/json-file.ts';
import en from '#contract/staff/messages/en.json' with { type: 'json' };
import { permissionFacts, permissions } from '#contract/staff/permissions.ts';
import { brand } from '#server/platform/brand.ts';
import { fieldReference } from './field-reference.ts';

const intros: Readonly<Record<FileKind, string>> = {
  shop: `# Fields of a shop file

This page is for merchants. It lists every field of the file that \`npm run shop -- fill\` imports; [Import a
catalogue](how-to/fill-a-shop.md) shows one in use. \`npm run reference\` writes this page from the schema of the import.`,
  post: `# Fields of a file of posts

This page is for merchants and authors. It lists every field of the file that \`npm run shop -- blog\` imports; [Write a
post](how-to/write-a-post.md) shows one in use. \`npm run reference\` writes this page from the schema of the import.`,
};

const notes = `Texts are objects by language: \`{ "en": "Mug", "zh": "马克杯" }\`. The default language is required. Fields that are not
listed are rejected, except for those of the shop's brand ([the demo's](../demo/README.md)).`;

/** The fields of the shop's brand, which are explained where the brand is. */
export const fieldsOfBrand = new Set(Object.keys({ ...brand.settings, ...brand.productDetails }));

function ownSchema(kind: FileKind): JsonSchema {
  const own = JSON.stringify(jsonSchemaOf(kind), (key, value) =>
    fieldsOfBrand.has(key) ? undefined : value,
  );
  return JSON.parse(own) as JsonSchema;
}

const office = 'docs/how-to/office-people.md';

/** The guide of the office with its table of permissions. */
function officeGuide(): string {
  const rows = permissions.map((each) => {
    const { of, roles, secondFactor, station } = permissionFacts[each];
    const conditions = [
      ...(secondFactor ? ['a second factor'] : []),
      ...(of === 'shop' ? ['all stores'] : []),
    ];
    const whom = ['owner', ...roles, ...(station ? ['station'] : [])];
    return `| ${en[`office.permission.${each}`]} | \`${each}\` | ${whom.join(', ')} | ${conditions.join(', ')} |`;
  });
  const table = ['| May | Permission | Roles | Needs |', '|---|---|---|---|', ...rows].join('\n');
  const text = readFileSync(join(import.meta.dirname, '..', office), 'utf8');
  return text.replace(/(<!-- permissions -->\n)[\s\S]*(\n<!-- end of permissions -->)/, `$1${table}$2`);
}

/** What the command writes, by path in the project. */
export function referenceFiles(): Readonly<Record<string, string>> {
  const files = Object.fromEntries(
    (['shop', 'post'] as const).flatMap((kind) => [
      [`docs/${kind}-file.md`, `${intros[kind]}\n\n${notes}\n\n${fieldReference(ownSchema(kind))}\n`],
      [`examples/river-cups/${fileKinds[kind].file}`, `${JSON.stringify(ownSchema(kind), null, 2)}\n`],
    ]),
  );
  return { ...files, [office]: officeGuide() };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(referenceFiles())) {
    writeFileSync(join(import.meta.dirname, '..', path), text);
    console.log(`Wrote ${path}.`);
  }
}
