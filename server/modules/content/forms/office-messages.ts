/** Messages of forms as the office shows them. They belong to the shop: whoever is limited to stores has no permit for them. */
import { type MessagesPage, type MessagesQuery, messagesPage, type ReceivedMessage } from '#contract/staff/customers.ts';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { type MessageRow, markMessage, messageById, messagePage } from './form-messages.repository.ts';
import { messageOf } from './form-messages.service.ts';

export interface OfficeMessagesDeps {
  db: Database;
  now: () => number;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
}

export type OfficeMessages = ReturnType<typeof createOfficeMessages>;

export function createOfficeMessages({ db, now, staff }: OfficeMessagesDeps) {
  return {
    /** @throws {AppError} 404 for a page after a message that is gone */
    async page(_permit: Permit<'messages.read'>, { state = 'open', after }: MessagesQuery): Promise<MessagesPage> {
      const last = after === undefined ? null : found(await messageById(db.read, after));
      const rows = await messagePage(db.read, state, last, messagesPage + 1);
      const shown = rows.slice(0, messagesPage);
      const names = await staff.names();
      return {
        messages: shown.map((row) => received(row, names)),
        after: rows.length > messagesPage ? (shown.at(-1)?.id ?? null) : null,
      };
    },

    /** @throws {AppError} 404 */
    async show(_permit: Permit<'messages.answer'>, id: string): Promise<ReceivedMessage> {
      return received(found(await messageById(db.read, id)), await staff.names());
    },

    /** A message that is done stays with whoever was first. @throws {AppError} 404 */
    async mark({ trx, actor, note }: Change, _permit: Permit<'messages.answer'>, id: string, done: boolean): Promise<void> {
      const by = actor.kind === 'staff' ? actor.id : null;
      const isChanged = await markMessage(trx, id, done ? { done_at: now(), done_by: by } : null);
      if (!isChanged) found(await messageById(trx, id));
      note('message', id, isChanged ? [{ field: 'done', from: !done, to: done }] : []);
    },
  };
}

function received(row: MessageRow, names: ReadonlyMap<string, string>): ReceivedMessage {
  const { id, formName, mailTo, locale, details, replyTo, createdAt } = messageOf(row);
  const done = row.done_at === null ? null : { at: row.done_at, by: names.get(row.done_by ?? '') ?? '' };
  return { id, formName, mailTo, locale, details, replyTo, createdAt, done };
}

function found(row: MessageRow | undefined): MessageRow {
  if (!row) throw notFound();
  return row;
}
