/** Whether visitors see what is written, and publishing it: at once, or at a time. */
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { Publication, PublishBody, SeenBody } from '#contract/staff/documents.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from './me.tsx';
import { SendForm } from './send-form.tsx';
import { type ShareCalls, ShareDraft } from './share-draft.tsx';
import { instantIn, isoIn } from './shop-time.ts';

const pencil = 'M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19z';
const icons = { draft: pencil, live: 'check', changed: pencil } as const;

/** In words, and on lists. */
export function PublicationState({
  publication: { state, scheduled, failedAt, shownFrom },
}: {
  publication: Publication;
}) {
  const { t } = useOffice();
  const when = useWhen();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Icon name={icons[state]} size={18} />
      <span>
        {state === 'live' && shownFrom !== null
          ? t('office.publish.shownFrom', { when: when(shownFrom) })
          : t(`office.publish.${state}`)}
      </span>
      {scheduled && <span>· {t('office.publish.goesLive', { when: when(scheduled.at) })}</span>}
      {failedAt !== null && (
        <span className="font-semibold text-clay">· {t('office.publish.failedShort')}</span>
      )}
    </span>
  );
}

/** On the clock of the shop. */
export function useWhen(): (at: number) => string {
  const { locale, shop } = useOffice();
  const format = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (at) => format.format(at);
}

interface PublicationBarProps<R> {
  /** Of the document's query. */
  name: readonly string[];
  publication: Publication;
  mayPublish: boolean;
  /** Visitors need not see it always, as they do the first page of the shop. */
  mayWithdraw: boolean;
  /** Something is typed and not saved. */
  isTyped: boolean;
  busy: boolean;
  /** Saves what is typed, then does it. */
  act: (work: (seen: number) => Promise<R>) => Promise<unknown>;
  calls: {
    publish: (body: PublishBody) => Promise<R>;
    withdraw: (body: SeenBody) => Promise<R>;
    unschedule: (body: SeenBody) => Promise<R>;
    revert: (body: SeenBody) => Promise<R>;
  } & ShareCalls;
}

export function PublicationBar<R>({
  name,
  publication,
  mayPublish,
  mayWithdraw,
  isTyped,
  busy,
  act,
  calls,
}: PublicationBarProps<R>) {
  const { t } = useOffice();
  const when = useWhen();
  const [asks, setAsks] = useState<'time' | 'revert' | 'withdraw' | 'share' | null>(null);
  const { state, scheduled, failedAt } = publication;
  const isBehind = state !== 'live' || isTyped;
  return (
    <section className="flex flex-col gap-3" aria-label={t('office.publish')}>
      <p role="status" className="font-semibold">
        <PublicationState publication={{ ...publication, failedAt: null }} />
      </p>
      {scheduled && !scheduled.isLatest && (
        <p className="text-ink-soft text-sm">{t('office.publish.laterChanges')}</p>
      )}
      {failedAt !== null && (
        <Notice tone="bad" title={t('office.publish.failed', { when: when(failedAt) })} />
      )}
      {!mayPublish && isBehind && <p className="text-ink-soft text-sm">{t('office.publish.notYours')}</p>}
      <div className="flex flex-wrap gap-3">
        {mayPublish && isBehind && (
          <Button
            label={t('office.publish.atTime')}
            variant="secondary"
            size="small"
            busy={busy}
            onClick={() => setAsks('time')}
          />
        )}
        {mayPublish && scheduled && (
          <Button
            label={t('office.publish.unschedule')}
            variant="secondary"
            size="small"
            busy={busy}
            onClick={() => void act((seen) => calls.unschedule({ seen })).catch(() => undefined)}
          />
        )}
        {state === 'changed' && (
          <Button
            label={t('office.publish.revert')}
            variant="secondary"
            size="small"
            busy={busy}
            onClick={() => setAsks('revert')}
          />
        )}
        {mayWithdraw && state !== 'draft' && (
          <Button
            label={t('office.publish.withdraw')}
            variant="secondary"
            size="small"
            busy={busy}
            onClick={() => setAsks('withdraw')}
          />
        )}
        <Button label={t('office.share')} variant="secondary" size="small" onClick={() => setAsks('share')} />
      </div>
      {asks === 'share' && <ShareDraft name={name} calls={calls} onClose={() => setAsks(null)} />}
      {asks === 'time' && (
        <PublishAtTime
          at={scheduled?.at ?? null}
          send={(at) => act((seen) => calls.publish({ seen, at }))}
          onClose={() => setAsks(null)}
        />
      )}
      {(asks === 'revert' || asks === 'withdraw') && (
        <Dialog open onClose={() => setAsks(null)} title={t(`office.publish.${asks}Question`)}>
          <p>{t(`office.publish.${asks}Text`)}</p>
          <Button
            label={t(`office.publish.${asks}`)}
            onClick={() => {
              setAsks(null);
              void act((seen) => calls[asks]({ seen })).catch(() => undefined);
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

const dayMs = 24 * 60 * 60_000;

interface PublishAtTimeProps {
  /** For which it is scheduled now. */
  at: number | null;
  send: (at: number) => Promise<unknown>;
  onClose: () => void;
}

function PublishAtTime({ at, send, onClose }: PublishAtTimeProps) {
  const { t, shop } = useOffice();
  const form = useForm({
    // Tomorrow morning, if nothing is chosen yet.
    initial: {
      at:
        at === null
          ? `${isoIn(shop.timeZone, Date.now() + dayMs).slice(0, 10)}T09:00`
          : isoIn(shop.timeZone, at).replace(' ', 'T'),
    },
    send: ({ at: typed }) => send(typed === '' ? 0 : instantIn(shop.timeZone, typed)),
    onSent: onClose,
    // What is in the way stands at the fields of the document.
    onRejected: (error) => {
      if (!('at' in fieldErrorsOf(error)) && Object.keys(fieldErrorsOf(error)).length > 0) onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.publish.atTime')}>
      <SendForm form={form} label={t('office.publish.schedule')}>
        <p>{t('office.publish.atTimeText')}</p>
        <TextField
          {...form.field('at')}
          type="datetime-local"
          label={t('office.publish.when')}
          hint={t('office.publish.shopTime', { timeZone: shop.timeZone })}
          required
        />
      </SendForm>
    </Dialog>
  );
}
