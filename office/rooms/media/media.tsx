/** The media library: all pictures of the shop, where each is shown, and adding, replacing and deleting them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MediaUses } from '#contract/staff/media.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { CropDialog } from '../../lib/crop.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { DropPictures, Library, type Picture, pictureTypes, useUploads } from '../../lib/pictures.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function Media() {
  const { t, queries } = useOffice();
  const [filters, change] = useFilters();
  const [open, setOpen] = useState<Picture | null>(null);
  const uploads = useUploads(() => void queries.invalidateQueries({ queryKey: ['media'] }));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.media')}</h1>
      <DropPictures uploads={uploads} />
      <Library text={filters.text ?? ''} onSearch={(text) => change({ text })} onChoose={setOpen} />
      {open && <PictureDialog key={open.file} picture={open} onChange={setOpen} />}
    </div>
  );
}

/** The rooms that show what a picture is used by. */
const pages: Readonly<Record<string, string>> = {
  product: '/office/goods/',
  store: '/office/stores/',
  post: '/office/blog/',
};

function PictureDialog({
  picture: { file, image },
  onChange,
}: {
  picture: Picture;
  onChange: (to: Picture | null) => void;
}) {
  const { t, call, may, queries } = useOffice();
  const once = useOnce();
  const [isCropping, setIsCropping] = useState(false);
  const { data } = useQuery({
    queryKey: ['media-uses', file],
    queryFn: () => call('mediaUses', { params: { file } }),
    staleTime: 0,
  });
  const readAgain = () => queries.invalidateQueries({ queryKey: ['media'] });
  const replace = useMutation({
    mutationFn: (chosen: File) =>
      call('replacePicture', { params: { file }, query: { seen: image.imageURL }, file: chosen }),
    onError: () => void readAgain(),
    onSuccess: (replaced) => {
      void readAgain();
      onChange(replaced);
    },
  });
  const remove = useMutation({
    mutationFn: () => call('removePicture', { params: { file }, once }),
    onSuccess: () => {
      void readAgain();
      onChange(null);
    },
  });
  const problem = replace.error ?? remove.error;
  if (isCropping) {
    const cropped = (part: Picture) => {
      void readAgain();
      onChange(part);
    };
    return <CropDialog picture={{ file, image }} onClose={() => setIsCropping(false)} onCropped={cropped} />;
  }
  return (
    <Dialog open onClose={() => onChange(null)} title={file}>
      <Problem error={problem} />
      <img
        src={image.imageURL}
        alt={file}
        className="max-h-[40dvh] w-full rounded-md object-contain"
        style={{ backgroundColor: image.color }}
      />
      <p className="text-ink-soft text-sm">
        {t('office.media.size', { width: image.width, height: image.height })}
      </p>
      <Uses uses={data} />
      <div className="flex flex-wrap gap-3">
        <ReplaceButton onChoose={(chosen) => replace.mutate(chosen)} />
        <Button
          label={t('office.media.crop')}
          variant="secondary"
          size="small"
          onClick={() => setIsCropping(true)}
        />
      </div>
      <p className="text-ink-soft text-sm">{t('office.media.replaceHint')}</p>
      {may.includes('media.delete') && data?.count === 0 && (
        <Deletion busy={remove.isPending} onSure={() => remove.mutate()} />
      )}
    </Dialog>
  );
}

function Uses({ uses }: { uses: MediaUses | undefined }) {
  const { t } = useLanguage();
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-sans font-semibold">{t('office.media.uses')}</h3>
      {uses?.count === 0 && <p className="text-ink-soft">{t('office.media.unused')}</p>}
      <ul className="max-h-48 overflow-y-auto empty:hidden">
        {uses?.uses.map(({ kind, id }) => (
          <li key={`${kind} ${id}`}>
            {t(`kind.${kind}`)}:{' '}
            {pages[kind] ? (
              <Link
                href={pages[kind] + encodeURIComponent(id)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {id}
              </Link>
            ) : (
              id
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReplaceButton({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useLanguage();
  return (
    <label className="btn btn-secondary btn-small cursor-pointer focus-within:outline-2">
      {t('office.media.replace')}
      <input
        type="file"
        accept={pictureTypes}
        className="sr-only"
        aria-label={t('office.media.replace')}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) onChoose(chosen);
          target.value = '';
        }}
      />
    </label>
  );
}

/** Asks before it deletes. */
function Deletion({ busy, onSure }: { busy: boolean; onSure: () => void }) {
  const { t } = useLanguage();
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button variant="quiet" size="small" className="self-start" onClick={() => setIsAsking(true)}>
        {t('office.media.delete')}
      </Button>
    );
  return (
    <Notice tone="bad" title={t('office.media.deleteWarning')}>
      <Button
        label={t('office.media.deleteSure')}
        size="small"
        className="mt-2"
        busy={busy}
        onClick={onSure}
      />
    </Notice>
  );
}
