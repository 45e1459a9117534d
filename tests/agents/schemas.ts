/** Judges every answer that the tests of agents get by the protocol's own schemas, read from a clone that somebody points to. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { olderVersion } from '../agents.ts';

export interface Recorded {
  asked: string;
  status: number;
  body: { ucp?: { version: string; status?: string; capabilities?: object } };
}

const commits = { older: 'a2d8bf0b', current: 'fdcf8934', locations: '6685824c' } as const;
type Source = keyof typeof commits | 'food';

const shopping = (file: string) => `https://ucp.dev/schemas/shopping/${file}`;
const common = (file: string) => `https://ucp.dev/schemas/common/${file}`;
/** By what was asked: the operation of MCP, or the call of REST. The first that fits counts. */
const schemas: readonly (readonly [RegExp, Source | null, readonly string[]])[] = [
  [
    /locations\/search|search_locations/,
    'locations',
    [common('location_search.json#/$defs/search_response')],
  ],
  [
    /locations\/lookup|lookup_locations/,
    'locations',
    [common('location_lookup.json#/$defs/lookup_response')],
  ],
  [/food/, 'food', ['https://ucp.dev/schemas/food/fulfillment.json#/$defs/dev.ucp.food.checkout']],
  [/catalog\/search|search_catalog/, null, [shopping('catalog_search.json#/$defs/search_response')]],
  [/catalog\/lookup|lookup_catalog/, null, [shopping('catalog_lookup.json#/$defs/lookup_response')]],
  [/catalog\/product|get_product/, null, [shopping('catalog_lookup.json#/$defs/get_product_response')]],
  [/\/carts|_cart$/, null, [shopping('cart.json'), shopping('discount.json#/$defs/dev.ucp.shopping.cart')]],
  [
    /checkout/,
    null,
    ['fulfillment.json', 'discount.json'].map((file) => shopping(`${file}#/$defs/dev.ucp.shopping.checkout`)),
  ],
  [/orders|get_order/, null, [shopping('order.json')]],
  [/profile/, null, []],
];

/** One set of schemas each: their names are the same in all versions. Null for one that the clone does not have. */
export async function readSchemas(clone: string, foodFolder: string | undefined, folder: string) {
  const sets = new Map<Source, Ajv2020>();
  for (const [source, commit] of Object.entries(commits) as [Source, string][]) {
    const into = join(folder, source);
    mkdirSync(into, { recursive: true });
    try {
      const archive = execFileSync('git', ['-C', clone, 'archive', commit, 'source'], {
        maxBuffer: 256 * 1024 * 1024,
      });
      execFileSync('tar', ['x', '-C', into], { input: archive });
    } catch {
      console.log(`schemas: skipped ${source}, ${clone} has no ${commit}`);
      continue;
    }
    sets.set(source, await compile([into]));
  }
  if (foodFolder && existsSync(foodFolder))
    sets.set('food', await compile([join(folder, 'current'), foodFolder]));
  return sets;
}

async function compile(folders: readonly string[]): Promise<Ajv2020> {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  // `ajv-formats` is a CommonJS module whose function is its default export as well.
  (formats as unknown as (to: Ajv2020) => void)(ajv);
  for (const folder of folders)
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.json') || name.includes('services') || name.includes('handlers')) continue;
      // The profile of 2026-04-08 refers to others from where its file lies, and its `$id` is elsewhere.
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('"../schemas/', '"../');
      const schema = JSON.parse(text) as { $id?: string };
      if (schema.$id && !ajv.getSchema(schema.$id)) ajv.addSchema(schema);
    }
  return ajv;
}

/** How many answers were judged by each set, and what does not fit. */
export function judgeAnswers(sets: Map<Source, Ajv2020>, answers: readonly Recorded[]) {
  const judged = new Map<string, number>();
  const problems = new Map<string, number>();
  const note = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { asked, status, body } of answers) {
    const fitting = schemas.find(([pattern]) => pattern.test(asked));
    // Failures of the protocol itself have no schema.
    if (!fitting || status >= 400 || !body.ucp) continue;
    const version: Source = body.ucp.version === olderVersion ? 'older' : 'current';
    const [, draft, names] = fitting;
    const source = draft ?? version;
    const ajv = sets.get(source);
    if (!ajv) continue;
    const isError = body.ucp.status === 'error';
    const isOlder = source === 'older';
    const profile = isOlder
      ? 'discovery/profile.json#/$defs/business_profile'
      : 'profile.json#/$defs/business_schema';
    const wanted = isError
      ? [isOlder ? shopping('types/error_response.json') : common('types/error_response.json')]
      : asked === 'profile'
        ? [`https://ucp.dev/schemas/${profile}`]
        : names;
    for (const name of wanted) {
      const validate: ValidateFunction | undefined = ajv.getSchema(name);
      if (!validate) throw new Error(`The schemas have no ${name}`);
      note(judged, source);
      if (!validate(body))
        note(
          problems,
          `${source} ${asked.replace(/_[0-9a-f]{40}|\/[0-9a-f-]{36}/, '')}: ${ajv.errorsText(validate.errors)}`,
        );
    }
  }
  return { judged, problems };
}
