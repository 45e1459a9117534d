/** Links by which others look at a draft for a week, without signing in. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DraftLinks } from '#contract/staff/documents.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useOffice } from './me.tsx';
import { useWhen } from './publication.tsx';
import { Problem } from './send-form.tsx';

export interface ShareCalls {
  links: () => Promise<DraftLinks>;
  share: () => Promise<DraftLinks & { address: string }>;
  unshare: (body: { key: string }) => Promise<DraftLinks>;
}

export function ShareDraft({
  name,
  calls,
  onClose,
}: {
  name: readonly string[];
  calls: ShareCalls;
  onClose: () => void;
}) {
  const { t, queries } = useOffice();
  const when = useWhen();
  const [isCopied, setIsCopied] = useState(false);
  const queryKey = ['draft-links', ...name];
  const { data, error } = useQuery({ queryKey, queryFn: calls.links, gcTime: 0 });
  const keep = ({ links }: DraftLinks) => queries.setQueryData(queryKey, { links });
  const sharing = useMutation({
    mutationFn: calls.share,
    onSuccess(answer) {
      setIsCopied(false);
      keep(answer);
    },
  });
  const ending = useMutation({ mutationFn: calls.unshare, onSuccess: keep });
  const { address } = sharing.data ?? {};
  return (
    <Dialog open onClose={onClose} title={t('office.share')}>
      <p>{t('office.share.why')}</p>
      <Problem error={sharing.error ?? ending.error ?? error} />
      {address && (
        <div className="flex flex-col gap-3">
          <TextField
            label={t('office.share.address')}
            hint={t('office.share.once')}
            value={address}
            readOnly
            onFocus={({ target }) => target.select()}
          />
          <Button
            label={t(isCopied ? 'office.share.copied' : 'office.share.copy')}
            variant="secondary"
            onClick={() => void navigator.clipboard.writeText(address).then(() => setIsCopied(true))}
          />
        </div>
      )}
      <Button
        label={t('office.share.make')}
        variant={address ? 'secondary' : 'primary'}
        busy={sharing.isPending}
        onClick={() => sharing.mutate()}
      />
      <ul className="divide-y divide-line empty:hidden">
        {data?.links.map(({ key, createdAt, endsAt }) => {
          const said = t('office.share.link', { made: when(createdAt), until: when(endsAt) });
          return (
            <li key={key} className="flex flex-wrap items-center justify-between gap-3 py-2">
              <span className="min-w-0 text-sm">{said}</span>
              <Button
                label={t('office.share.end')}
                variant="secondary"
                size="small"
                aria-label={`${t('office.share.end')}: ${said}`}
                busy={ending.isPending}
                onClick={() => ending.mutate({ key })}
              />
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
