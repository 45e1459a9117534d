/** Prints what `doctor` found: a line for each problem, and one for many that differ only in their place. */
import { problemText } from '#contract/problems.ts';
import type { Finding } from '#server/modules/diagnostics/index.ts';
import { printable, type Terminal } from './command.ts';

/** How many problems of one kind, or places of one problem, are printed. */
const shown = 20;

/** The subject of each kind of finding, its sentence, and its sentence for several places. */
const sentences: Readonly<Record<string, readonly [subject: string, one: string, many?: string]>> = {
  'image.lost': [
    'Images and videos',
    '{where}: the original file is missing. Copy it from a backup to media/originals, or import it again with fill',
    'the original files of {count} images are missing. Copy them from a backup to media/originals, or import them again with fill',
  ],
  'image.missing': ['Images and videos', '{where} has not been imported', '{count} images have not been imported'],
  'video.missing': ['Images and videos', '{where} is not in media/films', '{count} videos or subtitles are not in media/films'],
  'text.missing': ['Translations', '{where} has no {locale}', '{count} texts have no {locale}'],
  'tax.store': ['Taxes', '{province}: nothing can be ordered at {where}', '{province}: nothing can be ordered at {count} stores'],
  'tax.shipping': ['Taxes', '{province}: nothing can be shipped there'],
  'tax.fraction': [
    'Taxes',
    '{province}: {name} is {rate}, which is {rate}%. Rates are in percent: if {meant}% is meant, set it to {meant} (setting taxRates)',
  ],
  'tax.food': [
    'Taxes',
    '{where}: there are no rules for tax on food ({taxClass}) in {country}. Set its taxClass to "standard" or "zero-rated-grocery", or add the rules of the country (docs/how-to/tax-on-food.md)',
    '{count} products: there are no rules for tax on food ({taxClass}) in {country}. Set their taxClass to "standard" or "zero-rated-grocery", or add the rules of the country (docs/how-to/tax-on-food.md)',
  ],
  'tax.establishment': [
    'Taxes',
    'eatingEstablishments names {store}, which is no store. Name stores by their ids, or remove it (setting eatingEstablishments)',
  ],
  rule: ['Settings, stores and products', ''],
  'shipping.cheap': [
    'Settings, stores and products',
    'shipping method {method}: {name} is {amount}. If {meant} is meant, set it to {cents} (setting shippingMethods)',
  ],
  'store.zone': [
    'Settings, stores and products',
    'store {where}: the time zone {timeZone} has no daylight saving time. Set the zone of its city, such as "America/Toronto"',
  ],
  'store.postCode': [
    'Settings, stores and products',
    'store {where}: "{postCode}" is not a postal code of {place}. Correct address.postCode, which customers see on their orders',
  ],
  'price.low': [
    'Settings, stores and products',
    '{where} costs {amount}. Prices are in cents: if {meant} is meant, set it to {cents}',
    '{count} SKUs cost {amount}. Prices are in cents: if {meant} is meant, set them to {cents}',
  ],
  'price.compare': [
    'Settings, stores and products',
    '{where}: compareAtCents, {compareAt}, is not above the price of {price}, so no saving is shown. Raise it, or set it to null',
  ],
  'stock.none': [
    'Settings, stores and products',
    '{where} has no stock at any location, so it is sold out. Import its stock, 0 if there is none',
    '{count} SKUs have no stock at any location, so they are sold out. Import their stock, 0 if there is none',
  ],
  'content.hidden': ['Pages and posts', ''],
  'link.nowhere': [
    'Pages and posts',
    '{where} leads to {link}, which does not exist. Correct the link, or create the page',
    '{count} links lead to {link}, which does not exist. Correct them, or create the page',
  ],
  'payment.none': [
    'Payment',
    'nobody can pay. Set the keys of a provider (docs/how-to/payments.md) and paymentConfig.paymentOnline, or paymentConfig.payAtStoreEnabled for orders at stores',
  ],
  'payment.shipping': [
    'Payment',
    'nobody can pay for orders to ship. Set the keys of a provider (docs/how-to/payments.md) and paymentConfig.paymentOnline',
  ],
  'mail.none': [
    'Email',
    'SMTP_URL is not set: emails to customers stay in the folder outbox. Set SMTP_URL to the address of your mail server',
  ],
  'mail.sender': ['Email', 'contactEmail is empty: emails have no sender, and mail servers reject them. Set contactEmail'],
};

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
  findings(subject: string, whenGood: string, all: readonly Finding[]): void {
    const found = all.filter(({ key }) => sentences[key]?.[0] === subject);
    this.bad(subject, this.#lines(found.filter(({ level }) => level === 'fail')));
    this.#list('WARN', subject, this.#lines(found.filter(({ level }) => level === 'warn')));
    if (found.length === 0) this.good(subject, whenGood);
  }

  #list(verdict: string, subject: string, problems: readonly string[]): void {
    for (const problem of problems.slice(0, shown)) this.#terminal.print(`${verdict}  ${subject}: ${problem}`);
    if (problems.length > shown) this.#terminal.print(`      and ${problems.length - shown} more`);
  }

  /** A line for each finding; one, with its places below it, for those that differ only in their place. */
  #lines(findings: readonly Finding[]): string[] {
    const groups = Map.groupBy(findings, ({ key, problem, values: { where: _, ...others } }) =>
      JSON.stringify([key, problem, others]),
    );
    return [...groups.values()].flatMap((group) => {
      const [{ key, values, problem } = { key: '', values: {} }] = group;
      if (problem) return [printable(problemText(problem, this.#terminal.t))];
      const [, one = '', many] = sentences[key] ?? [];
      const places = [...new Set(group.map((each) => String(each.values.where ?? '')))];
      if (many === undefined || places.length === 1) return [...new Set(group.map((each) => fill(one, each.values)))];
      const more = places.length > shown ? [`and ${places.length - shown} more`] : [];
      const below = [...places.slice(0, shown), ...more].map((place) => `\n        ${place}`);
      return [`${fill(many, { ...values, count: places.length })}:${below.join('')}`];
    });
  }
}

function fill(sentence: string, values: Finding['values']): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
