/** Adding pictures from the device, by choosing, dropping or pasting them, and choosing from those of the shop. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { type By, useCall } from './api.ts';
import { useLanguage } from './i18n.tsx';
import { MoreButton, SearchForm } from './lists.tsx';
import { useOffice } from './me.tsx';

export type Picture = StaffResponse<'addPicture'>;

interface Upload {
  no: number;
  file: File;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Of its bytes, how many are there: 0 to 1. */
  part: number;
  problem?: unknown;
  /** Why it is not sent at all. */
  refusal?: StaffMessageKey;
  picture?: Picture;
  isTold?: boolean;
}

/** Sent beside each other. */
const atOnce = 3;
/** Without HEIC in the list, iPhones send JPEG. */
export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif';
let lastNo = 0;

/** Windows knows no type of HEIC. */
function refusalOf({ name, type }: File): StaffMessageKey | undefined {
  if (/\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)) return 'office.media.heic';
  return type.startsWith('image/') ? undefined : 'office.goods.notAPicture';
}

const isOpen = ({ state }: Upload) => state === 'waiting' || state === 'sending';

/** `onAdded` gets them in the order in which they were chosen. */
export function useUploads(onAdded: (pictures: Picture[]) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const list = useRef<readonly Upload[]>([]);
  const workers = useRef(0);
  const set = (next: readonly Upload[]) => {
    list.current = next;
    setUploads(next);
  };
  const work = useWorker(list, set, onAdded);
  const start = (before: readonly Upload[], files: readonly File[]) => {
    const uploadOf = (file: File): Upload => {
      const refusal = refusalOf(file);
      return {
        no: ++lastNo,
        file,
        part: 0,
        ...(refusal ? { state: 'failed', refusal } : { state: 'waiting' }),
      };
    };
    set([...before, ...files.map(uploadOf)]);
    while (workers.current < atOnce) {
      workers.current += 1;
      void work().finally(() => {
        workers.current -= 1;
      });
    }
  };
  const isBusy = uploads.some(isOpen);
  return {
    uploads,
    isBusy,
    add(files: Iterable<File> | undefined) {
      const chosen = [...(files ?? [])];
      // What went well before is no news any more.
      if (chosen.length > 0)
        start(isBusy ? list.current : list.current.filter(({ state }) => state === 'failed'), chosen);
    },
    retry(failed: readonly Upload[]) {
      const others = list.current.filter((each) => !failed.includes(each));
      start(
        others,
        failed.map(({ file }) => file),
      );
    },
  };
}

/** Sends what waits, one after the other. */
function useWorker(
  list: RefObject<readonly Upload[]>,
  set: (next: readonly Upload[]) => void,
  onAdded: (pictures: Picture[]) => void,
) {
  const call = useCall();
  const added = useRef(onAdded);
  useEffect(() => {
    added.current = onAdded;
  });
  const change = (no: number, to: Partial<Upload>) =>
    set(list.current.map((each) => (each.no === no ? { ...each, ...to } : each)));
  const tell = () => {
    const open = list.current.findIndex(isOpen);
    const ready = list.current.filter(
      ({ picture, isTold }, index) => picture && !isTold && (open < 0 || index < open),
    );
    for (const { no } of ready) change(no, { isTold: true });
    if (ready.length > 0) added.current(ready.flatMap(({ picture }) => picture ?? []));
  };
  return async () => {
    for (;;) {
      const next = list.current.find(({ state }) => state === 'waiting');
      if (!next) return;
      const { no, file } = next;
      change(no, { state: 'sending' });
      const by = reporting((part) => change(no, { part }));
      const ended = await call('addPicture', { query: { name: file.name }, file, by }).then(
        (picture): Partial<Upload> => ({ state: 'done', picture }),
        (problem: unknown): Partial<Upload> => ({ state: 'failed', problem }),
      );
      change(no, ended);
      tell();
    }
  };
}

/** What `fetch` does not say: how much of a file has been sent, 0 to 1. */
const reporting =
  (onPart: (part: number) => void): By =>
  (address, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onPart(loaded / total);
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
      request.onerror = reject;
      request.onabort = reject;
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as File);
    });

export function DropPictures({
  uploads: { uploads, isBusy, add, retry },
}: {
  uploads: ReturnType<typeof useUploads>;
}) {
  const { t } = useLanguage();
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    const paste = ({ clipboardData, defaultPrevented }: ClipboardEvent) => {
      // Word and Excel add a picture of the text that a field has taken.
      if (!defaultPrevented)
        latest.current([...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/')));
    };
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
        <span className="font-semibold">
          {t(isBusy ? 'office.goods.addingPictures' : 'office.goods.addPictures')}
        </span>
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

type Uploads = ReturnType<typeof useUploads>;

function Progress({ uploads, isBusy, retry }: Pick<Uploads, 'uploads' | 'isBusy' | 'retry'>) {
  const { t } = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const done = uploads.filter(({ state }) => state === 'done').length;
  const failed = uploads.filter(({ state }) => state === 'failed');
  if (uploads.length === 0) return null;
  const again = (some: readonly Upload[]) => {
    retry(some);
    // The button that was pressed goes.
    box.current?.focus();
  };
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        {t('office.media.progress', { done, total: uploads.length })}
        {failed.length > 0 && ` · ${t('office.media.failedCount', { count: failed.length })}`}
      </p>
      {isBusy && (
        <ul
          className="flex max-h-72 flex-col overflow-y-auto rounded-md border border-line"
          aria-label={t('office.goods.addingPictures')}
        >
          {uploads.filter(isOpen).map((each) => (
            <OpenUpload key={each.no} upload={each} />
          ))}
        </ul>
      )}
      <FailedUploads failed={failed} retry={again} />
    </div>
  );
}

/** At this height browsers draw a grey bar of their own. */
const barClass =
  'col-span-2 h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-action';

function OpenUpload({ upload: { file, state, part } }: { upload: Upload }) {
  const { t, locale } = useLanguage();
  const said =
    state === 'waiting'
      ? t('office.media.waiting')
      : part === 1
        ? t('office.media.processing')
        : part.toLocaleString(locale, { style: 'percent' });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 text-sm not-first:border-line not-first:border-t">
      <span className="truncate">{file.name}</span>
      <span className="text-ink-soft tabular-nums">{said}</span>
      {state === 'sending' && <progress className={barClass} value={part} max={1} aria-label={file.name} />}
    </li>
  );
}

function FailedUploads({
  failed,
  retry,
}: {
  failed: readonly Upload[];
  retry: (some: readonly Upload[]) => void;
}) {
  const { t } = useLanguage();
  const shared = useT();
  return (
    <>
      <ul aria-live="polite" className="flex flex-col gap-2">
        {failed.map((each) => (
          <li
            key={each.no}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-clay text-sm"
          >
            <span className="min-w-0 flex-1 basis-48 break-words">
              {t('office.media.failed', {
                file: each.file.name,
                problem: each.refusal ? t(each.refusal) : errorText(each.problem, shared),
              })}
            </span>
            {!each.refusal && (
              <Button
                label={t('office.media.retry')}
                variant="secondary"
                size="small"
                className="min-h-11"
                aria-label={`${t('office.media.retry')}: ${each.file.name}`}
                onClick={() => retry([each])}
              />
            )}
          </li>
        ))}
      </ul>
      {failed.filter(({ refusal }) => !refusal).length > 1 && (
        <Button
          variant="secondary"
          size="small"
          className="min-h-11 self-start"
          onClick={() => retry(failed.filter(({ refusal }) => !refusal))}
        >
          {t('office.media.retryAll')}
        </Button>
      )}
    </>
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
  const { t, locale, call } = useOffice();
  const list = useInfiniteQuery({
    queryKey: ['media', text],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip }) => call('media', { query: { text, skip } }),
    getNextPageParam: ({ count }, pages) => {
      const shown = pages.reduce((sum, { pictures }) => sum + pictures.length, 0);
      return shown < count ? shown : undefined;
    },
  });
  const count = list.data?.pages[0]?.count;
  return (
    <div className="flex flex-col gap-5">
      <search>
        <SearchForm
          label={t('office.media.search')}
          hint={t('office.media.searchHint')}
          text={text}
          onSearch={onSearch}
        />
      </search>
      {count !== undefined && (
        <p role="status" className="text-ink-soft">
          {t('office.media.count', { count, shown: count.toLocaleString(locale) })}
        </p>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-4">
        {list.data?.pages
          .flatMap(({ pictures }) => pictures)
          .map(({ file, image }) => (
            <Tile key={file} picture={{ file, image }} onChoose={onChoose} />
          ))}
      </ul>
      <MoreButton list={list} label={t('office.media.more')} />
    </div>
  );
}

/** One of the shop's pictures, chosen in a dialog. */
export function ChoosePicture({
  onClose,
  onChoose,
}: {
  onClose: () => void;
  onChoose: (picture: Picture) => void;
}) {
  const { t } = useOffice();
  const [text, setText] = useState('');
  return createPortal(
    <Dialog open onClose={onClose} title={t('office.media.choose')}>
      <Library text={text} onSearch={setText} onChoose={onChoose} />
    </Dialog>,
    document.body,
  );
}

function Tile({ picture, onChoose }: { picture: Picture; onChoose: (picture: Picture) => void }) {
  const { file, image } = picture;
  return (
    <li>
      <button
        type="button"
        className="flex w-full flex-col gap-1 rounded-md text-left"
        onClick={() => onChoose(picture)}
      >
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
