/** The texts of emails as documents: what merchants wrote, without what is as delivered, and what cannot be sent. */
import Value from 'typebox/value';
import {
  customerEmails,
  type EmailId,
  type EmailSlot,
  emailIds,
  emailSlots,
  fieldsIn,
  isEmailId,
  lineSlots,
  type SlotFacts,
  slotOf,
} from '#contract/emails.ts';
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { type Edit, edited } from '#contract/rules/patch.ts';
import { type EmailDocument, type EmailsSetting, EmailTexts } from '#contract/schemas/email.ts';
import { translate } from '#server/platform/i18n.ts';
import type { ShopSettings } from './settings.schema.ts';

type OfEmails = Pick<ShopSettings, 'emails'>;

/** What is sent as long as nobody wrote another text; null: nothing. */
export function deliveredText({ delivered }: SlotFacts): LocalText | null {
  return delivered && Object.fromEntries(localeCodes.map((code) => [code, translate(code)(delivered)]));
}

/** Without blank texts and those that are as delivered, which go on to follow the messages; always in the same order. */
export function ownTexts(id: EmailId, texts: EmailTexts): EmailTexts {
  const own = emailSlots.map((name) => {
    const facts = slotOf(id, name);
    const delivered = facts && deliveredText(facts);
    const kept = localeCodes.flatMap((code) => {
      const text = texts[name]?.[code]?.trim() ?? '';
      return text === '' || text === delivered?.[code] ? [] : [[code, text] as const];
    });
    return [name, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(own.filter(([, texts]) => Object.keys(texts).length > 0));
}

export const emailOf =
  (id: EmailId) =>
  ({ emails }: OfEmails): EmailDocument => ({ id, ...ownTexts(id, emails[id] ?? {}) });

/** The setting without what is as delivered. */
export function ownEmails(emails: EmailsSetting): EmailsSetting {
  const own = emailIds.map((id) => [id, ownTexts(id, emails[id] ?? {})] as const);
  return Object.fromEntries(own.filter(([, texts]) => Object.keys(texts).length > 0));
}

/** The setting with another document of it. */
export const withEmail = ({ emails }: OfEmails, { id, ...texts }: EmailDocument): EmailsSetting =>
  ownEmails({ ...emails, [id]: texts });

/** What an email cannot be sent with, at the text. */
export function emailProblems(id: EmailId, texts: EmailTexts): Problem[] {
  return emailSlots.flatMap((name) => {
    const text = texts[name];
    if (text === undefined) return [];
    const facts = slotOf(id, name);
    if (!facts) return [problem([name], 'problem.unknownField')];
    return Object.entries(text).flatMap(([code, written]) =>
      textProblems(name, facts, written ?? '').map((each) => ({ ...each, path: [name, code] })),
    );
  });
}

export function emailsProblems(emails: EmailsSetting): Problem[] {
  return emailIds.flatMap((id) =>
    emailProblems(id, emails[id] ?? {}).map((each) => ({ ...each, path: [id, ...each.path] })),
  );
}

const markup = /<[!/?]?[a-z][^<>]*>|<!--|&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i;
/** But for tabs and the ends of lines. */
const control = /[^\P{Cc}\t\n\r]/u;

/** The first of a text. */
function textProblems(name: EmailSlot, { fields, required }: SlotFacts, text: string): Problem[] {
  if (text.trim() === '') return [];
  if (control.test(text)) return [problem([], 'problem.words.signs')];
  if (lineSlots.includes(name) && /[\n\r]/.test(text.trim())) return [problem([], 'problem.words.line')];
  const [tag] = markup.exec(text) ?? [];
  if (tag) return [problem([], 'problem.words.markup', { tag })];
  const named = fieldsIn(text);
  const known: readonly string[] = fields;
  const stray = /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, ''));
  const unknown = named.find((field) => !known.includes(field));
  const allowed = fields.map((field) => `{${field}}`).join(', ') || '–';
  if (unknown !== undefined) return [problem([], 'problem.words.field', { field: `{${unknown}}`, allowed })];
  if (stray) return [problem([], 'problem.words.brace', { allowed })];
  const missing = required.find((field) => !named.includes(field));
  return missing ? [problem([], 'problem.words.required', { field: `{${missing}}` })] : [];
}

/** The texts after edits of a document, as far as they could be sent; null if there is no such email. */
export function emailsDraft(settings: OfEmails, id: string, edits: readonly Edit[]): EmailsSetting | null {
  if (!isEmailId(id)) return null;
  const stored = emailOf(id)(settings);
  const draft = edited(stored, edits) as Record<string, unknown>;
  const shown = Object.keys(customerEmails[id].slots).flatMap((name) => {
    const texts = draft[name];
    if (typeof texts !== 'object' || texts === null) return [];
    const kept = Object.entries(texts).filter(([code, text]) => {
      const one = { [name]: { [code]: text } };
      return Value.Check(EmailTexts, one) && emailProblems(id, one).length === 0;
    });
    return [[name, Object.fromEntries(kept)] as const];
  });
  return withEmail(settings, { id, ...Object.fromEntries(shown) });
}
