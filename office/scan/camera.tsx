/** Reads codes from the camera. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { useLanguage } from '../lib/i18n.tsx';
import { openDecoder } from './decoder.ts';

/** Between two looks, ms: enough for the hand, little for the battery. */
const lookEveryMs = 120;
/** A code counts again once it was out of the picture for this long, ms. */
const goneMs = 1200;

type Failure = Extract<StaffMessageKey, `office.take.camera${string}`>;

const failures: Readonly<Record<string, Failure>> = {
  NotAllowedError: 'office.take.cameraRefused',
  NotFoundError: 'office.take.cameraMissing',
};

/** @throws {DOMException} if there is no camera, or it may not be used */
function openCamera(): Promise<MediaStream> {
  const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
  return navigator.mediaDevices.getUserMedia({ video, audio: false });
}

export function Camera({ onCode }: { onCode: (code: string) => void }) {
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
          <video ref={video} className="max-h-[45dvh] w-full rounded-md bg-surface-inset object-cover" playsInline muted />
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
async function watch(video: HTMLVideoElement | null, over: AbortSignal, onCode: (code: string) => void): Promise<void> {
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
      if (rawValue !== '' && now - (seenAt.get(rawValue) ?? Number.NEGATIVE_INFINITY) > goneMs && !over.aborted) onCode(rawValue);
      seenAt.set(rawValue, performance.now());
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
