/** Stock-takes: a document of its own, since only here a page may use the camera and run the decoder of barcodes (docs/security.md). */
import '../styles.css';
import { QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import type { BarcodeDetector as Ponyfill } from 'barcode-detector/ponyfill';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { StockTake } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { newKey } from '#ui/new-key.ts';
import { Notice } from '#ui/notice.tsx';
import { retriesOnce } from '../lib/api.ts';
import { CallProvider } from '../lib/confirm-dialog.tsx';
import { useLanguage } from '../lib/i18n.tsx';
import { MeProvider, useMeQuery, useOffice } from '../lib/me.tsx';
import { openDocument } from '../lib/open.tsx';
import { Problem } from '../lib/send-form.tsx';
import { skuLine } from '../lib/sku-line.ts';
import { usePlaces } from '../rooms/stock/places.tsx';
import { Differences, useCounts } from './counts.tsx';

const formats = ['ean_13', 'ean_8', 'upc_a', 'code_128', 'qr_code'] as const;

/** Between two looks, ms: enough for the hand, little for the battery. */
const lookEveryMs = 120;
/** A code counts again once it was out of the picture for this long, ms. */
const goneMs = 1200;

const failures: Readonly<Record<string, Failure>> = {
  NotAllowedError: 'office.take.cameraRefused',
  NotFoundError: 'office.take.cameraMissing',
};

/** The one that is under way here, or was when there was a network. */
function useTake(place: string) {
  const { call, queries } = useOffice();
  const key = ['take-of', place];
  const kept = `office-take ${place}`;
  const keep = (take: StockTake | null) => {
    if (take) localStorage.setItem(kept, JSON.stringify(take));
    else localStorage.removeItem(kept);
    return take;
  };
  const { data: take, error } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const { takes } = await call('stockTakes', { params: { place } });
      return keep(takes.find(({ state }) => state === 'open' || state === 'booking') ?? null);
    },
    initialData: () => JSON.parse(localStorage.getItem(kept) ?? 'null') as StockTake | null | undefined,
    initialDataUpdatedAt: 0,
    // Others count as well.
    refetchInterval: 5000,
  });
  return { take, error, show: (next: StockTake | null) => queries.setQueryData(key, keep(next)) };
}

function TakeOf({ place, name }: { place: string; name: string }) {
  const { t, call } = useOffice();
  const { take, error, show } = useTake(place);
  const [over, setOver] = useState<StockTake | 'ended' | null>(null);
  // The same again, as after a lost answer, starts one.
  const [key] = useState(newKey);
  const start = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call('startTake', { params: { place }, body: { key: take === null && over ? newKey() : key } }),
    onSuccess: (begun) => {
      setOver(null);
      show(begun);
    },
  });
  const problem = start.error ?? (take ? null : error);
  const end = (last: StockTake | 'ended') => {
    setOver(last);
    show(null);
  };
  return (
    <>
      <header className="flex flex-col gap-1">
        <a
          className="inline-flex min-h-11 items-center underline"
          href={`/office/stock?place=${encodeURIComponent(place)}`}
        >
          {t('office.take.back')}
        </a>
        <h1 className="break-words text-2xl">{t('office.take.title', { place: name })}</h1>
      </header>
      <Problem error={problem} />
      {over && <Over take={over} />}
      {take ? (
        <Counting key={take.id} take={take} onOver={end} />
      ) : (
        <Button
          label={t('office.take.start')}
          className="self-start"
          busy={start.isPending}
          onClick={() => start.mutate()}
        />
      )}
    </>
  );
}

function Over({ take }: { take: StockTake | 'ended' }) {
  const { t } = useLanguage();
  if (take === 'ended') return <Notice title={t('office.take.endedNow')} />;
  return (
    <>
      <Notice tone="good" title={t('office.take.booked')} />
      {take.refused.length > 0 && (
        <Notice
          tone="bad"
          title={t('office.take.refused', { skus: take.refused.join(t('office.listSeparator')) })}
        />
      )}
    </>
  );
}

function Counting({ take, onOver }: { take: StockTake; onOver: (take: StockTake | 'ended') => void }) {
  const { t, locale } = useLanguage();
  const counts = useCounts(take);
  const [isReviewing, setReviewing] = useState(take.state === 'booking');
  const [said, setSaid] = useState('');
  const add = (code: string, units: number) => {
    counts.add(code, units);
    const item = counts.itemOf(code);
    const found =
      counts.counted.find((each) => each.item?.sku === item?.sku && each.found !== null)?.found ?? 0;
    const name = item && inLocale(item.name, locale);
    setSaid(
      name
        ? t('office.take.counted', { name, units: found + units })
        : t('office.take.countedUnknown', { code }),
    );
  };
  useWedge((code) => add(code, 1), !isReviewing);
  const waiting = counts.waiting.length;
  return (
    <>
      <p className="text-ink-soft">
        {t('office.take.so', {
          skus: take.skus,
          units: take.units,
          people: take.people.join(t('office.listSeparator')) || t('office.take.nobody'),
        })}
      </p>
      {waiting > 0 && <Notice title={t('office.take.waiting', { count: waiting })} icon="offline" />}
      {counts.lost > 0 && <Notice tone="bad" title={t('office.take.lost', { count: counts.lost })} />}
      {isReviewing ? (
        <Differences take={take} waiting={waiting} onBack={() => setReviewing(false)} onOver={onOver} />
      ) : (
        <>
          <Camera onCode={(code) => add(code, 1)} />
          <CodeForm onCode={add} />
          <p role="status" className="min-h-7 font-semibold">
            {said}
          </p>
          <Recent counts={counts} onTakeBack={(code, units) => add(code, -units)} />
          <Button label={t('office.take.review')} className="self-start" onClick={() => setReviewing(true)} />
        </>
      )}
    </>
  );
}

function CodeForm({ onCode }: { onCode: (code: string, units: number) => void }) {
  const { t } = useLanguage();
  const [code, setCode] = useState('');
  const [units, setUnits] = useState('1');
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValid = /^\d{1,6}$/.test(units.trim());
    setWrong(!isValid);
    if (!isValid || code.trim() === '') return;
    onCode(code.trim(), Number(units));
    setCode('');
    setUnits('1');
    field.current?.focus();
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      className="grid grid-cols-[1fr_6rem_auto] items-end gap-3 max-form:grid-cols-[1fr_5rem]"
    >
      <TextField
        ref={field}
        label={t('office.take.code')}
        hint={t('office.take.codeHint')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <TextField
        label={t('office.take.units')}
        inputMode="numeric"
        value={units}
        error={isWrong ? t('office.take.number') : undefined}
        onChange={(event) => setUnits(event.target.value)}
      />
      <Button label={t('office.take.add')} type="submit" className="max-form:col-span-2" />
    </form>
  );
}

const shownRecent = 20;

function Recent({
  counts: { counted },
  onTakeBack,
}: {
  counts: ReturnType<typeof useCounts>;
  onTakeBack: (code: string, units: number) => void;
}) {
  const { t, locale } = useLanguage();
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg">{t('office.take.recent')}</h2>
      {counted.length === 0 && <p className="text-ink-soft">{t('office.take.recentNone')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {counted.slice(0, shownRecent).map(({ id, code, units, item, found }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2">
            <p className="min-w-0 break-words">
              <span className="font-semibold">{item ? inLocale(item.name, locale) : code}</span>
              <span className="block text-ink-soft text-sm">
                {[item && skuLine(item, locale), found !== null && `${t('office.take.found')}: ${found}`]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </p>
            <p className="flex flex-none items-center gap-3">
              <span className="font-semibold tabular-nums">{units < 0 ? `−${-units}` : `+${units}`}</span>
              {units > 0 && (
                <Button
                  label={t('office.take.undo')}
                  variant="quiet"
                  aria-label={`${t('office.take.undo')}: ${item ? inLocale(item.name, locale) : code}`}
                  onClick={() => onTakeBack(code, units)}
                />
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Between two keys of a scanner, ms at most; a person types slower. */
const burstMs = 50;
const shortestCode = 4;

/** A scanner that types: a burst of keys that ends in Enter, wherever the focus is but in a field, which takes it itself. */
function useWedge(onCode: (code: string) => void, isOn: boolean): void {
  const read = useEffectEvent(onCode);
  useEffect(() => {
    if (!isOn) return;
    let burst = '';
    let lastAt = 0;
    const hear = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      if (target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (timeStamp - lastAt > burstMs) burst = '';
      lastAt = timeStamp;
      if (key.length === 1) burst += key;
      else if (key === 'Enter' && burst.length >= shortestCode) {
        // Not also a press of the button that has the focus.
        event.preventDefault();
        read(burst);
        burst = '';
      }
    };
    addEventListener('keydown', hear, { capture: true });
    return () => removeEventListener('keydown', hear, { capture: true });
  }, [isOn]);
}

type Failure = Extract<StaffMessageKey, `office.take.camera${string}`>;

/** @throws {DOMException} if there is no camera, or it may not be used */
function openCamera(): Promise<MediaStream> {
  const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
  return navigator.mediaDevices.getUserMedia({ video, audio: false });
}

function Camera({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useLanguage();
  const [isOn, setOn] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const video = useRef<HTMLVideoElement>(null);
  const read = useEffectEvent(onCode);
  useEffect(() => {
    if (!isOn) return;
    const over = new AbortController();
    watch(video.current, over.signal, (code) => {
      navigator.vibrate?.(60);
      read(code);
    }).catch((error: unknown) => {
      if (over.signal.aborted) return;
      setOn(false);
      setFailure(failures[error instanceof DOMException ? error.name : ''] ?? 'office.take.cameraFailed');
    });
    return () => over.abort();
  }, [isOn]);
  const start = () => {
    setFailure(window.isSecureContext ? null : 'office.take.cameraInsecure');
    setOn(window.isSecureContext);
  };
  return (
    <div className="flex flex-col gap-3">
      {failure && <Notice tone="bad" title={t('office.take.cameraNone', { reason: t(failure) })} />}
      {isOn && (
        <>
          <video
            ref={video}
            className="max-h-[45dvh] w-full rounded-md bg-surface-inset object-cover"
            playsInline
            muted
          />
          <p className="text-ink-soft text-sm">{t('office.take.aim')}</p>
        </>
      )}
      <Button variant="secondary" onClick={() => (isOn ? setOn(false) : start())}>
        {t(isOn ? 'office.take.cameraOff' : 'office.take.camera')}
      </Button>
    </div>
  );
}

/** Until it is over. @throws if the camera or the decoder does not start */
async function watch(
  video: HTMLVideoElement | null,
  over: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  if (!video) return;
  const [stream, decoder] = await Promise.all([openCamera(), openDecoder()]);
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  over.addEventListener('abort', stop);
  if (over.aborted) return stop();
  video.srcObject = stream;
  await video.play();
  const seenAt = new Map<string, number>();
  while (!over.aborted) {
    // A picture that cannot be read is followed by the next one.
    const found = await decoder.detect(video).catch(() => []);
    const now = performance.now();
    for (const { rawValue } of found) {
      if (
        rawValue !== '' &&
        now - (seenAt.get(rawValue) ?? Number.NEGATIVE_INFINITY) > goneMs &&
        !over.aborted
      )
        onCode(rawValue);
      seenAt.set(rawValue, performance.now());
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

interface Decoder {
  detect(image: HTMLVideoElement | ImageBitmap | Blob): Promise<{ rawValue: string }[]>;
}

/** Reads barcodes: the browser's own detector where it knows all of these kinds, else one in WebAssembly, from this shop's host. */
async function openDecoder(): Promise<Decoder> {
  const { BarcodeDetector: native } = globalThis as { BarcodeDetector?: typeof Ponyfill };
  const known: readonly string[] = (await native?.getSupportedFormats().catch(() => undefined)) ?? [];
  if (native && formats.every((format) => known.includes(format)))
    return new native({ formats: [...formats] });
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new BarcodeDetector({ formats: [...formats] });
}

function Entrance() {
  const { data: me, error } = useMeQuery();
  const t = useT();
  if (error) return <Notice tone="bad" title={errorText(error, t)} className="m-6" />;
  if (me === undefined) return null;
  if (me === null) {
    location.replace('/office');
    return null;
  }
  return (
    <CallProvider me={me}>
      <MeProvider me={me}>
        <main className="mx-auto flex max-w-[44rem] flex-col gap-6 px-4 py-6 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
          <Place />
        </main>
      </MeProvider>
    </CallProvider>
  );
}

function Place() {
  const { t } = useLanguage();
  const places = usePlaces();
  const wanted = new URLSearchParams(location.search).get('place');
  const place = places.find(({ value }) => value === wanted) ?? places[0];
  if (!place) return <Notice title={t('office.noRoom')} silent />;
  return <TakeOf place={place.value} name={place.label} />;
}

const queries = new QueryClient({
  defaultOptions: { queries: { retry: retriesOnce, refetchOnWindowFocus: true, networkMode: 'always' } },
});
void openDocument(
  queries,
  <CallProvider me={null}>
    <Entrance />
  </CallProvider>,
);
