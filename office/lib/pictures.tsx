/** Adding pictures from the device, by choosing, dropping or pasting them, and choosing from those of the shop. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { useCall } from './api.tsx';
import { useLanguage } from './i18n.tsx';
import { SearchForm } from './search-form.tsx';

export type Picture = StaffResponse<'addPicture'>;

interface Upload {
  file: File;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  problem?: unknown;
  picture?: Picture;
}

/** Sent beside each other. */
const atOnce = 3;
/** Without HEIC in the list, iPhones send JPEG. */
export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif';

/** `onAdded` gets them in the order in which they were chosen. */
export function useUploads(onAdded: (pictures: Picture[]) => void) {
  const call = useCall();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const added = useRef(onAdded);
  useEffect(() => {
    added.current = onAdded;
  });
  async function send(files: readonly File[]): Promise<void> {
    const batch: Upload[] = files.map((file) => ({ file, state: 'waiting' }));
    const show = () =>
      setUploads((before) => [...before.filter((each) => !batch.some(({ file }) => file === each.file)), ...batch]);
    let [next, told] = [0, 0];
    const work = async () => {
      for (let place = next++; place < files.length; place = next++) {
        const file = files[place] as File;
        batch[place] = { file, state: 'sending' };
        show();
        batch[place] = await call('addPicture', { query: { name: file.name }, file }).then(
          (picture): Upload => ({ file, state: 'done', picture }),
          (problem: unknown): Upload => ({ file, state: 'failed', problem }),
        );
        show();
        const ended = batch.slice(told);
        const open = ended.findIndex(({ state }) => state === 'waiting' || state === 'sending');
        const ready = open < 0 ? ended : ended.slice(0, open);
        told += ready.length;
        const pictures = ready.flatMap(({ picture }) => picture ?? []);
        if (pictures.length > 0) added.current(pictures);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  const isBusy = uploads.some(({ state }) => state === 'waiting' || state === 'sending');
  return {
    uploads,
    isBusy,
    add(files: Iterable<File> | undefined) {
      const pictures = [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
      if (pictures.length === 0) return;
      // What went well before is no news any more.
      if (!isBusy) setUploads((before) => before.filter(({ state }) => state === 'failed'));
      void send(pictures);
    },
    retry: () => void send(uploads.filter(({ state }) => state === 'failed').map(({ file }) => file)),
  };
}

export function DropPictures({ uploads: { uploads, isBusy, add, retry } }: { uploads: ReturnType<typeof useUploads> }) {
  const { t } = useLanguage();
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => latest.current(clipboardData?.files);
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  return (
    <div className="flex flex-col gap-3">
      <label
        className="flex min-h-24 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line-strong border-dashed p-4 text-center focus-within:outline-2"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          add(event.dataTransfer.files);
        }}
      >
        <span className="font-semibold">{t(isBusy ? 'office.goods.addingPictures' : 'office.goods.addPictures')}</span>
        <span className="text-ink-soft text-sm">{t('office.goods.addPicturesHint')}</span>
        <input
          type="file"
          multiple
          accept={pictureTypes}
          className="sr-only"
          aria-label={t('office.goods.addPictures')}
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      <Progress {...{ uploads, isBusy, retry }} />
    </div>
  );
}

function Progress({ uploads, isBusy, retry }: Pick<ReturnType<typeof useUploads>, 'uploads' | 'isBusy' | 'retry'>) {
  const { t } = useLanguage();
  const shared = useT();
  const done = uploads.filter(({ state }) => state === 'done').length;
  const failed = uploads.filter(({ state }) => state === 'failed');
  if (uploads.length === 0) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="status" className="text-sm">
        {t('office.media.progress', { done, total: uploads.length })}
      </p>
      {isBusy && <progress className="w-full" value={done} max={uploads.length} aria-label={t('office.goods.addingPictures')} />}
      {failed.length > 0 && (
        <>
          <ul className="text-bad text-sm">
            {failed.map(({ file, problem }) => (
              <li key={`${file.name} ${file.size} ${file.lastModified}`}>
                {t('office.media.failed', { file: file.name, problem: errorText(problem, shared) })}
              </li>
            ))}
          </ul>
          <Button variant="secondary" size="small" busy={isBusy} onClick={retry}>
            {t('office.media.retry')}
          </Button>
        </>
      )}
    </div>
  );
}

/** A width of those that are served, near what is shown. */
export const smallOf = ({ imageURL }: ImageInfo) => imageURL.replace(/^\/media\/\d+/, '/media/320');

/** The shop's pictures, page by page; each is a button. */
export function Library({
  text,
  onSearch,
  onChoose,
}: {
  text: string;
  onSearch: (text: string) => void;
  onChoose: (picture: Picture) => void;
}) {
  const { t, locale } = useLanguage();
  const call = useCall();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['media', text],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip }) => call('media', { query: { text, skip } }),
    getNextPageParam: ({ count }, pages) => {
      const shown = pages.reduce((sum, { pictures }) => sum + pictures.length, 0);
      return shown < count ? shown : undefined;
    },
  });
  const count = data?.pages[0]?.count;
  return (
    <div className="flex flex-col gap-5">
      <search>
        <SearchForm label={t('office.media.search')} hint={t('office.media.searchHint')} text={text} onSearch={onSearch} />
      </search>
      {count !== undefined && (
        <p role="status" className="text-ink-soft">
          {t('office.media.count', { count, shown: count.toLocaleString(locale) })}
        </p>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-4">
        {data?.pages
          .flatMap(({ pictures }) => pictures)
          .map(({ file, image }) => (
            <Tile key={file} picture={{ file, image }} onChoose={onChoose} />
          ))}
      </ul>
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.media.more')}
        </Button>
      )}
    </div>
  );
}

function Tile({ picture, onChoose }: { picture: Picture; onChoose: (picture: Picture) => void }) {
  const { file, image } = picture;
  return (
    <li>
      <button type="button" className="flex w-full flex-col gap-1 rounded-md text-left" onClick={() => onChoose(picture)}>
        <img
          src={smallOf(image)}
          alt=""
          loading="lazy"
          className="aspect-square w-full rounded-md object-cover"
          style={{ backgroundColor: image.color }}
        />
        <span className="block w-full truncate text-sm">{file}</span>
      </button>
    </li>
  );
}
