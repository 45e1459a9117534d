import { type InfiniteData, useMutation } from '@tanstack/react-query';
import type { MessagesPage, MessagesQuery, ReceivedMessage } from '#contract/staff/customers.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { formatDate } from '#ui/format.ts';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyRoom } from '../../lib/empty-room.tsx';
import { afterOf, LoadingRows, MoreButton, useFilters, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

// Not that of the contract, whose schemas would come along.
const messageStates = ['open', 'done', 'spam'] as const satisfies MessagesQuery['state'][];

export default function Messages() {
  const { t, call } = useOffice();
  const [filters, change] = useFilters();
  const state = messageStates.find((each) => each === filters.state) ?? 'open';
  const list = usePages(
    ['messages', state],
    (from) => call('messages', { query: { state, ...from } }),
    afterOf,
  );
  const messages = list.pages.flatMap((page) => page.messages);
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.messages')}</h1>
        <Select
          className="w-56"
          label={t('office.messages.show')}
          options={messageStates.map((value) => ({ value, label: t(`office.messages.${value}`) }))}
          value={state}
          onChange={({ target }) => change({ state: target.value === 'open' ? '' : target.value })}
        />
      </header>
      {state === 'spam' && <p className="text-ink-soft">{t('office.messages.spamHint')}</p>}
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      {list.isKnown && messages.length === 0 && state === 'open' && (
        <EmptyRoom
          text={t('office.messages.empty')}
          step={{ label: t('office.page.add'), to: '/pages?add=yes', needs: 'content.write' }}
        />
      )}
      {list.isKnown && messages.length === 0 && state !== 'open' && (
        <p className="py-6 text-ink-soft">{t('office.messages.none')}</p>
      )}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {messages.map((message) => (
          <Message key={message.id} message={message} state={state} />
        ))}
      </ul>
      <MoreButton list={list} label={t('office.messages.older')} />
    </div>
  );
}

function Message({ message, state }: { message: ReceivedMessage; state: (typeof messageStates)[number] }) {
  const { t, locale, shop } = useOffice();
  const { formName, mailTo, details, createdAt } = message;
  return (
    <li className="grid gap-x-6 gap-y-3 py-5 form:grid-cols-[14rem_1fr]">
      <div className="min-w-0">
        <h2 className="break-words font-semibold text-base">{formName}</h2>
        <p className="text-ink-soft text-sm">
          <time dateTime={new Date(createdAt).toISOString()}>
            {formatDate(createdAt, locale, shop.timeZone, 'dateTime')}
          </time>
          {state !== 'spam' && (
            <span className="block break-words">{t('office.messages.to', { email: mailTo })}</span>
          )}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <dl className="flex flex-col gap-3" lang={message.locale}>
          {details.map(({ name, label, value }) => (
            <div key={name}>
              <dt className="text-ink-soft text-sm">{label}</dt>
              <dd className="whitespace-pre-line break-words">{value}</dd>
            </div>
          ))}
        </dl>
        <Actions message={message} state={state} />
      </div>
    </li>
  );
}

/** A message that becomes done stays where it is until the list is shown again, so that it can be opened again at once. */
function Actions({ message, state }: { message: ReceivedMessage; state: (typeof messageStates)[number] }) {
  const { id, replyTo, done } = message;
  const { t, locale, may, shop, call, queries } = useOffice();
  const mark = useMutation({
    mutationFn: () => call('markMessage', { params: { id }, body: { done: done === null } }),
    onSuccess: (marked) => {
      const replaced = (page: MessagesPage) => ({
        ...page,
        messages: page.messages.map((each) => (each.id === id ? marked : each)),
      });
      queries.setQueryData<InfiniteData<MessagesPage>>(
        ['messages', state],
        (shown) => shown && { ...shown, pages: shown.pages.map(replaced) },
      );
    },
  });
  return (
    <>
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {done &&
          t('office.messages.doneBy', {
            name: done.by || t('office.formerStaff'),
            time: formatDate(done.at, locale, shop.timeZone, 'dateTime'),
          })}
      </p>
      <Problem error={mark.error} />
      {may.includes('messages.answer') && (
        <div className="flex flex-wrap gap-3">
          {replyTo && (
            <Link
              href={answerLink(message, replyTo, shop.timeZone)}
              className={buttonClass({ variant: 'secondary' })}
            >
              {t('office.messages.answer')}
            </Link>
          )}
          {state !== 'spam' && (
            <Button variant="secondary" busy={mark.isPending} onClick={() => mark.mutate()}>
              {t(done ? 'office.messages.reopen' : 'office.messages.markDone')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** In the language in which the customer wrote. */
function answerLink({ locale, createdAt }: ReceivedMessage, replyTo: string, timeZone: string): string {
  const subject = staffTranslate(locale)('office.messages.subject', {
    date: formatDate(createdAt, locale, timeZone, 'date'),
  });
  return `mailto:${replyTo.split('@').map(encodeURIComponent).join('@')}?subject=${encodeURIComponent(subject)}`;
}
