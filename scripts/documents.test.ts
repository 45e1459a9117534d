/** Checks the claims of the documents: links, the program's version, the index of decisions, and the specification. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import en from '#contract/messages/en.json' with { type: 'json' };
import staffEn from '#contract/staff/messages/en.json' with { type: 'json' };
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const documents = ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'demo/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

test('every relative link of the documents leads to a file', () => {
  expect(documents.length).toBeGreaterThan(50);
  const broken = documents.flatMap((document) => {
    const targets = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const relative = targets
      .filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target))
      .map((target) => target.replace(/#.*$/, ''));
    return relative
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test('every anchor of a link between documents leads to a heading', () => {
  const headings = new Map(documents.map((document) => [normalize(document), new Set(anchors(document))]));
  const links = documents.flatMap((document) =>
    [...prose(document).matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)].map(([, target = '', anchor = '']) => ({
      document,
      anchor,
      page: normalize(target === '' ? document : join(dirname(document), target)),
    })),
  );
  expect(links.length).toBeGreaterThan(40);
  const broken = links.filter(({ page, anchor }) => page.endsWith('.md') && !headings.get(page)?.has(anchor));
  expect(broken).toEqual([]);
});

test('the changelog begins with what is not released yet, and lists the current version', () => {
  const headings = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, heading]) => heading,
  );
  expect(headings[0]).toBe('Unreleased');
  expect(headings).toContainEqual(
    expect.stringMatching(new RegExp(`^${packageJson.version} – \\d{4}-\\d{2}-\\d{2}$`)),
  );
});

test('guides install and update to the current version', () => {
  const guides = ['run-a-shop', 'operate-a-shop', 'run-in-a-container'].map(
    (name) => `docs/how-to/${name}.md`,
  );
  for (const guide of guides) {
    const tags = readFileSync(join(root, guide), 'utf8').match(/(?<=git (?:checkout|clone --branch) )v\S+/g);
    expect([guide, new Set(tags)]).toEqual([guide, new Set([`v${packageJson.version}`])]);
  }
});

test('the index of decisions lists every record once, by its own number and title', () => {
  const { folder, records } = decisions();
  const rows = records.map(({ file, number, title, date }) => {
    expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-`));
    return `| ${number} | [${title}](${file}) | ${date} |`;
  });
  const listed = [...(readFileSync(join(folder, 'README.md'), 'utf8').match(/^\| \d.+$/gm) ?? [])];
  expect(listed.sort((one, other) => numberOf(one) - numberOf(other))).toEqual(rows);
  expect(new Set(records.map(({ file }) => file.slice(0, 4))).size).toBe(records.length);
});

test('the index sets apart the decisions that are no longer in force', () => {
  const { folder, records } = decisions();
  const [, table = ''] = readFileSync(join(folder, 'README.md'), 'utf8').split('## No longer in force');
  const listed = [...(table.split('\n## ')[0]?.matchAll(/^\| (\d+) /gm) ?? [])].map(([, number]) => number);
  const replaced = records.filter(({ text }) => /\*\*Status\.\*\* (?:Superseded|Replaced) by \[/.test(text));
  expect(replaced.length).toBeGreaterThan(5);
  expect(listed).toEqual(replaced.map(({ number }) => number));
});

test('comments cite only sections that the specification has, and guides for merchants cite none', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const sections = new Set(
    [...read('docs/specification.md').matchAll(/^## §(\d)/gm)].map(([, number]) => number),
  );
  const sources = globSync(
    '{blocks,cli,contract,db,demo,payment-providers,server,tests,ui,web}/**/*.{ts,tsx,css}',
    {
      cwd: root,
    },
  );
  const cited = sources.flatMap((file) =>
    [...read(file).matchAll(/SPEC ((?:§\d(?:, |–)?)+)/g)].map(([, numbers = '']) => numbers),
  );
  expect(cited.length).toBeGreaterThan(150);
  expect(
    cited.flatMap((numbers) => numbers.match(/\d/g) ?? []).filter((number) => !sections.has(number)),
  ).toEqual([]);
  const guides = documents.filter((file) =>
    /^(README|SECURITY)|^docs[\\/](how-to[\\/]|\w+-file)|^examples/.test(file),
  );
  expect(
    [...guides, 'contract/messages/en.json', 'contract/messages/zh.json'].filter((file) =>
      /§/.test(read(file)),
    ),
  ).toEqual([]);
});

test('the English sentences that the specification quotes are messages of the shop, letter for letter', () => {
  const text = readFileSync(join(root, 'docs/specification.md'), 'utf8').replaceAll(/\n\s*/g, ' ');
  const quoted = [...text.matchAll(/'([A-Z][^']+[a-z!.])'|'(\{product\}[^']+)'/g)].map(
    ([, plain, filled]) => plain ?? filled ?? '',
  );
  const messages = new Set(Object.values(en).map((message) => message.replaceAll('’', "'")));
  expect(quoted.length).toBeGreaterThan(40);
  expect(quoted.filter((sentence) => !messages.has(sentence))).toEqual([]);
});

test('the guides of the office quote its words as they are on screen', () => {
  const words = new Set([...Object.values(en), ...Object.values(staffEn)].map(onScreen));
  const guides = documents.filter((document) => /how-to[\\/](?:office-|run-the-office)/.test(document));
  const quoted = guides.flatMap((guide) =>
    [...prose(guide).matchAll(/(?<![\w*])\*([^*]+)\*(?!\*)/g)].map(([, text = '']) => ({
      guide,
      text: onScreen(text),
    })),
  );
  expect(quoted.length).toBeGreaterThan(80);
  expect(quoted.filter(({ text }) => !words.has(text))).toEqual([]);
});

test('the README groups every folder of the project', () => {
  const [, table = ''] =
    /^\| Folders \|[\s\S]*?\n\|---[^\n]*\n([\s\S]*?)\n\n/m.exec(
      readFileSync(join(root, 'README.md'), 'utf8'),
    ) ?? [];
  const linked = [...table.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target.split('/')[0]);
  expect(linked.sort()).toEqual(trackedFolders());
});

test('documents say how many products the demo shop has', () => {
  const { length } = JSON.parse(readFileSync(join(root, 'demo/data/products.json'), 'utf8')) as unknown[];
  for (const document of ['README.md', 'docs/demo-script.md'])
    expect(readFileSync(join(root, document), 'utf8')).toContain(`${length} products`);
});

test('every source or test file that a document names exists', () => {
  const files = trackedFiles();
  const names = new Set(files.map((file) => basename(file)));
  const missing = documents
    .filter((document) => !/^docs[\\/](decisions|how-to(?![\\/]where-does))|CHANGELOG/.test(document))
    .flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)]
        .map(([, name = '']) => name)
        .filter((name) =>
          name.includes('/') ? !files.some((file) => file.endsWith(name)) : !names.has(name),
        )
        .map((name) => `${document}: ${name}`),
    );
  expect(missing).toEqual([]);
});

/** A text of the office as a guide writes it: `…` for what is filled in, and no punctuation after it. */
const onScreen = (text: string) =>
  text
    .replaceAll(/\{\w+\}/g, '…')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
    .replace(/[.:]$/, '');

/** A document without its blocks of code. */
const prose = (document: string) =>
  readFileSync(join(root, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** The anchors of a document's headings, as forges make them. */
function anchors(document: string): string[] {
  return [...prose(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const numberOf = (row: string) => Number(/\d+/.exec(row)?.[0]);

function decisions() {
  const folder = join(root, 'docs/decisions');
  const records = globSync('0*.md', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const [, number, title, date] = /^# (\d+)\. (.+) \((\d{4}-\d{2}-\d{2})\)\n/.exec(text) ?? [];
      return { file, text, number, title, date };
    });
  return { folder, records };
}

function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
}

const trackedFolders = () =>
  [...new Set(trackedFiles().flatMap((file) => file.split('/').slice(0, -1).slice(0, 1)))].sort();
