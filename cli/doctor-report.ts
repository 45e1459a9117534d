/** Prints what `doctor` found: a line for each problem, and one for many that differ only in their place. */
import { problemText } from '#contract/problems.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { Finding } from '#server/modules/diagnostics/index.ts';
import { printable, type Terminal } from './command.ts';

/** How many problems of one kind, or places of one problem, are printed. */
const shown = 20;

/** The subject of each kind of finding. */
const subjects = {
  'image.lost': 'images',
  'image.missing': 'images',
  'video.missing': 'images',
  'text.missing': 'translations',
  'tax.store': 'taxes',
  'tax.shipping': 'taxes',
  'tax.fraction': 'taxes',
  'tax.food': 'taxes',
  'tax.establishment': 'taxes',
  rule: 'rules',
  'shipping.cheap': 'rules',
  'store.zone': 'rules',
  'store.postCode': 'rules',
  'price.low': 'rules',
  'price.compare': 'rules',
  'stock.none': 'rules',
  'content.hidden': 'content',
  'link.nowhere': 'content',
  'payment.none': 'payment',
  'payment.shipping': 'payment',
  'mail.none': 'email',
  'mail.sender': 'email',
} as const;

type Subject = (typeof subjects)[keyof typeof subjects];

/** Findings that have a sentence for several places. */
const several: ReadonlySet<string> = new Set([
  ...['image.lost', 'image.missing', 'video.missing', 'text.missing', 'tax.store', 'tax.food'],
  ...['price.low', 'stock.none', 'link.nowhere'],
]);

export class Report {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  good(subject: string, what: string): void {
    this.#terminal.print(`OK    ${subject}: ${what}`);
  }

  /** A finding that needs no action: it does not change the exit code. */
  warn(subject: string, what: string): void {
    this.#terminal.print(`WARN  ${subject}: ${what}`);
  }

  bad(subject: string, problems: readonly string[]): void {
    if (problems.length > 0) this.#terminal.exitCode = 1;
    this.#list('FAIL', subject, problems);
  }

  verdict(subject: string, whenGood: string, problems: readonly string[]): void {
    if (problems.length > 0) this.bad(subject, problems);
    else this.good(subject, whenGood);
  }

  /** Prints the findings of a subject, or that there are none. */
  findings(name: Subject, whenGood: string, all: readonly Finding[]): void {
    const found = all.filter(({ key }) => subjects[key as keyof typeof subjects] === name);
    const subject = this.#terminal.t(`doctor.subject.${name}`);
    this.bad(subject, this.#lines(found.filter(({ level }) => level === 'fail')));
    this.#list('WARN', subject, this.#lines(found.filter(({ level }) => level === 'warn')));
    if (found.length === 0) this.good(subject, whenGood);
  }

  #list(verdict: string, subject: string, problems: readonly string[]): void {
    for (const problem of problems.slice(0, shown)) this.#terminal.print(`${verdict}  ${subject}: ${problem}`);
    if (problems.length > shown) this.#terminal.print(`      ${this.#more(problems.length)}`);
  }

  /** A line for each finding; one, with its places below it, for those that differ only in their place. */
  #lines(findings: readonly Finding[]): string[] {
    const groups = Map.groupBy(findings, ({ key, problem, values: { where: _, ...others } }) =>
      JSON.stringify([key, problem, others]),
    );
    return [...groups.values()].flatMap((group) => {
      const [{ key, values, problem } = { key: '', values: {} }] = group;
      if (problem) return [printable(problemText(problem, this.#terminal.t))];
      const sentence = (form: string, of: Finding['values']) => this.#terminal.t(`doctor.${key}${form}` as StaffMessageKey, of);
      const places = [...new Set(group.map((each) => String(each.values.where ?? '')))];
      if (!several.has(key) || places.length === 1) return [...new Set(group.map((each) => sentence('', texts(each.values))))];
      const more = places.length > shown ? [this.#more(places.length)] : [];
      const below = [...places.slice(0, shown), ...more].map((place) => `\n        ${place}`);
      return [`${sentence('.many', { ...texts(values), count: places.length })}:${below.join('')}`];
    });
  }

  #more(count: number): string {
    return this.#terminal.t('doctor.more', { count: count - shown });
  }
}

/** Numbers as a merchant types them, such as cents. */
function texts(values: Finding['values']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
