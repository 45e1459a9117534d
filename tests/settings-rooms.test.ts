/** Where the office shows a setting: in one room, and in no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { navigationPlaces } from '#contract/limits.ts';
import { type FormNode, forms } from '#contract/staff/forms.ts';
import { settingsOfRooms } from '#server/modules/settings/office-settings.ts';
import { ShopSettings } from '#server/modules/settings/settings.schema.ts';
import { brand } from '#server/platform/brand.ts';

type Path = readonly string[];

/** What is written in other rooms than by paths of their forms: each with a word of that room's source. */
const byOtherCalls: Readonly<Record<string, { room: string; word: string }>> = {
  lowStockThreshold: { room: 'stock', word: 'setUsualLowStock' },
};

/** What files and commands write alone, and why no form does. */
const withoutRoom: Readonly<Record<string, string>> = {
  'paymentConfig.defaultGateWayProviderName': 'counts only where several gateways are set up',
};

/** The files of rooms that edit settings by forms of their own. */
const drawnByHand: Readonly<Record<string, readonly string[]>> = {
  shop: ['settings/shop.tsx'],
  money: ['settings/money.tsx', 'settings/shipping.tsx'],
  menus: ['menus/menus.tsx'],
  books: readdirSync('office/rooms/books').map((file) => `books/${file}`),
};

/** The paths that a file of a room names, as far as they are literals: `['packing', 'holidays']`. */
function pathsIn(file: string): Path[] {
  const source = readFileSync(join('office/rooms', file), 'utf8');
  return [...source.matchAll(/\[((?:'[^']+'(?:, )?)+)/g)].map(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  );
}

/** A setting, or the fields of one that has fields. */
function leavesOf(node: FormNode, path: Path): Path[] {
  const part = node.anyOf?.find(({ type }) => type !== 'null') ?? node;
  const fields = Object.entries(part.properties ?? {});
  return part.inLanguages || fields.length === 0
    ? [path]
    : fields.flatMap(([name, each]) => leavesOf(each, [...path, name]));
}
/** Those of the brand's folder are the brand's. */
const settings = leavesOf(ShopSettings as unknown as FormNode, []).filter(
  ([key = '']) => !(key in (brand.settings ?? {})),
);

const begins = (long: Path, short: Path) => short.every((name, index) => long[index] === name);
const isAt = (one: Path, other: Path) => begins(one, other) || begins(other, one);

function roomsOf(path: Path): string[] {
  const [key = ''] = path;
  const drawn = (fields: readonly { path: Path }[], from: Path) =>
    fields.some((field) => isAt([...from, ...field.path], path));
  const isNavigation = (navigationPlaces as Path).includes(key);
  return [
    ...Object.entries(drawnByHand).flatMap(([room, files]) =>
      files.flatMap(pathsIn).some((each) => isAt(each, path)) ? [room] : [],
    ),
    ...(drawn(forms.settings, []) ? ['settings'] : []),
    ...(drawn(forms.look, ['look']) ? ['look'] : []),
    ...(key === 'emails' && drawn(forms.email, path.slice(0, 2)) ? ['words'] : []),
    ...(isNavigation && drawn(forms.navigation, [key]) ? ['navigation'] : []),
    ...(byOtherCalls[key] ? [byOtherCalls[key].room] : []),
  ];
}

describe('settings in the office', () => {
  it.each(
    settings.filter((path) => !withoutRoom[path.join('.')]).map((path) => [path.join('.'), path] as const),
  )('the setting %s is shown by one room', (_name, path) => {
    expect(roomsOf(path)).toHaveLength(1);
  });

  it('settings without a room are there, and no room shows them', () => {
    const names = settings.map((path) => path.join('.'));
    for (const name of Object.keys(withoutRoom))
      expect([names.includes(name), roomsOf(name.split('.'))]).toEqual([true, []]);
  });

  it('rooms that edit settings by calls of their own name them in their source', () => {
    for (const { room, word } of Object.values(byOtherCalls)) {
      const files = readdirSync(`office/rooms/${room}`).map((file) =>
        readFileSync(`office/rooms/${room}/${file}`, 'utf8'),
      );
      expect(files.join('\n')).toContain(word);
    }
  });

  it('no two rooms keep what they edit by the same name: each would show the other’s fields and drafts', () => {
    const rooms = readdirSync('office/rooms', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.tsx'),
    );
    const names = rooms.flatMap((file) => {
      const source = readFileSync(join('office/rooms', file), 'utf8');
      return [...new Set([...source.matchAll(/\bname(?:=\{|: )(\[[^\]]+\])/g)].map(([, name = '']) => name))];
    });
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size, names.toSorted().join('\n')).toBe(names.length);
  });

  it('each setting that a room draws by hand is one that a call of that room saves', () => {
    for (const [room, keys] of Object.entries(settingsOfRooms)) {
      const drawn = settings.filter((path) => roomsOf(path).includes(room)).map(([key]) => key);
      for (const key of new Set(drawn)) expect(keys as readonly string[], `${room} draws it`).toContain(key);
    }
  });
});
