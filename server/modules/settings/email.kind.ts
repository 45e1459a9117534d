/** The texts of emails as documents: the room Words. They are kept in the setting `emails`. */
import type { FastifyInstance } from 'fastify';
import { customerEmails, type EmailId, emailIds, isEmailId, slotOf, slotsOf } from '#contract/emails.ts';
import { localeCodes } from '#contract/locales.ts';
import { EmailDocument } from '#contract/schemas/email.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import { deliveredText, emailOf, emailProblems, ownEmails, withEmail } from './emails.ts';
import type { OfficeSettingsDeps } from './office-settings.ts';
import { lockSettings } from './settings.repository.ts';

function emailKind({ db, settings }: OfficeSettingsDeps): DocumentKind<EmailDocument, never> {
  return {
    name: 'email',
    schema: EmailDocument,
    lock: (trx) => lockSettings(db, trx),
    read: async (reader, id) => (isEmailId(id) ? emailOf(id)(await settings.read(reader)) : null),
    async all(reader) {
      const stored = await settings.read(reader);
      return emailIds.map((id) => emailOf(id)(stored));
    },
    problems: async ({ id, ...texts }) => emailProblems(id, texts),
    async write(change, content) {
      const stored = await settings.read(change.trx);
      const emails = withEmail(stored, content);
      const isSame = JSON.stringify(emails) === JSON.stringify(ownEmails(stored.emails));
      // Such as a text that was written as it is delivered.
      if (isSame) change.note('email', content.id, []);
      else await settings.update(change, { emails });
      return undefined;
    },
  };
}

/** What its page has to know of each of its texts. */
const slotsFor = (id: EmailId) =>
  slotsOf(id).flatMap((name) => {
    const facts = slotOf(id, name);
    return facts
      ? [{ name, delivered: deliveredText(facts), fields: [...facts.fields], required: [...facts.required] }]
      : [];
  });

export function registerEmails(app: FastifyInstance, deps: OfficeSettingsDeps): void {
  const kind = emailKind(deps);
  const documents = createDocuments(deps, kind);
  serveDocuments(app, kind, documents, async (permit, id) => ({
    ...(await documents.read(permit, id)),
    slots: isEmailId(id) ? slotsFor(id) : [],
  }));
  serveStaff(app, 'emails', async () => {
    const settings = await deps.settings.all();
    const emails = emailIds.map((id) => {
      const { id: _, ...texts } = emailOf(id)(settings);
      const changed = localeCodes.filter((code) =>
        Object.values(texts).some((text) => text?.[code] !== undefined),
      );
      return { id, group: customerEmails[id].group, changed };
    });
    return { emails };
  });
}
