/** The pictures of a product in their order, with what they show. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { LocalTextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

export function Pictures({ form, pictures }: { form: EditedDocument; pictures: Readonly<Record<string, ImageInfo>> }) {
  const { t } = useLanguage();
  const { add, added } = useAddPictures(form);
  const known = { ...pictures, ...added };
  const files = (form.valueAt(['images']) ?? []) as string[];
  return (
    <>
      <AddPictures add={add} />
      {files.length === 0 && <p className="text-ink-soft">{t('office.goods.noPictures')}</p>}
      <ol className="flex flex-col divide-y divide-line">
        {files.map((file, index) => (
          <li key={file} className="grid gap-4 py-4 form:grid-cols-[8rem_minmax(0,1fr)]">
            <img
              src={known[file]?.imageURL.replace(/^\/media\/\d+/, '/media/320')}
              alt={file}
              className="aspect-square w-32 rounded-md object-cover"
              style={{ backgroundColor: known[file]?.color }}
            />
            <div className="flex flex-col gap-3">
              <LocalTextOf form={form} path={['details', 'imageTexts', file]} label={t('office.goods.alt')} />
              <Places {...{ form, files, index }} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function Places({ form, files, index }: { form: EditedDocument; files: readonly string[]; index: number }) {
  const { t } = useLanguage();
  const file = files[index] ?? '';
  const move = (from: number, to: number) =>
    form.change(['images'], files.toSpliced(from, 1).toSpliced(to, 0, files[from] ?? ''));
  return (
    <div className="flex flex-wrap gap-2">
      {index > 0 && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`${t('office.goods.up')}: ${file}`}
          onClick={() => move(index, index - 1)}
        >
          {t('office.goods.up')}
        </Button>
      )}
      {index < files.length - 1 && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`${t('office.goods.down')}: ${file}`}
          onClick={() => move(index, index + 1)}
        >
          {t('office.goods.down')}
        </Button>
      )}
      <Button
        variant="quiet"
        size="small"
        aria-label={`${t('office.goods.removePicture')}: ${file}`}
        onClick={() => {
          form.change(['images'], files.toSpliced(index, 1));
          if (form.valueAt(['details', 'imageTexts', file])) form.change(['details', 'imageTexts', file], undefined);
          if (form.valueAt(['details', 'scene']) === file) form.change(['details', 'scene'], null);
        }}
      >
        {t('office.goods.removePicture')}
      </Button>
    </div>
  );
}

/** Adds them to what is typed, in the order in which they were chosen. */
function useAddPictures(form: EditedDocument) {
  const call = useCall();
  const [added, setAdded] = useState<Record<string, ImageInfo>>({});
  const latest = useRef<string[]>([]);
  const add = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      latest.current = (form.valueAt(['images']) ?? []) as string[];
      for (const file of chosen) {
        const { file: name, image } = await call('addPicture', { query: { name: file.name }, file });
        setAdded((before) => ({ ...before, [name]: image }));
        latest.current = [...latest.current.filter((each) => each !== name), name];
        form.change(['images'], latest.current);
      }
    },
  });
  return { add, added };
}

function AddPictures({ add }: { add: ReturnType<typeof useAddPictures>['add'] }) {
  const { t } = useLanguage();
  const shared = useT();
  const send = (files: FileList | undefined) => {
    const pictures = [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
    if (pictures.length > 0) add.mutate(pictures);
  };
  return (
    <>
      {add.error && <Notice tone="bad" title={errorText(add.error, shared)} />}
      <label
        className="flex min-h-24 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line-strong border-dashed p-4 focus-within:outline-2"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          send(event.dataTransfer.files);
        }}
      >
        <span className="font-semibold">{t(add.isPending ? 'office.goods.addingPictures' : 'office.goods.addPictures')}</span>
        <span className="text-ink-soft text-sm">{t('office.goods.addPicturesHint')}</span>
        <input
          type="file"
          multiple
          // Without HEIC in the list, iPhones send JPEG.
          accept="image/jpeg,image/png,image/webp,image/avif"
          className="sr-only"
          aria-label={t('office.goods.addPictures')}
          onChange={({ target }) => {
            send(target.files ?? undefined);
            target.value = '';
          }}
        />
      </label>
    </>
  );
}
