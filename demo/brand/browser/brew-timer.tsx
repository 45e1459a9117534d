import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { announce } from '#ui/page.tsx';
import { brandTranslate, clockTime } from '../shared/messages.ts';

interface BrewTimerProps {
  /** The time of each infusion, in seconds. */
  seconds: readonly number[];
  onClose: () => void;
}

/** Times one infusion after another. The next starts when the water is in, so each is started by hand but the first. */
export function BrewTimer({ seconds, onClose }: BrewTimerProps) {
  const t = brandTranslate(useLocale());
  const tShop = useT();
  const [at, setAt] = useState(0);
  const [endsAt, setEndsAt] = useState<number | null>(() => Date.now() + (seconds[0] ?? 0) * 1000);
  const [left, setLeft] = useState(seconds[0] ?? 0);
  const button = useRef<HTMLDivElement>(null);
  const count = seconds.length;
  const last = at === count - 1;
  const ended = t(last ? 'brew.allDone' : 'brew.done', { number: at + 1 });

  useEffect(() => {
    if (endsAt === null) return;
    const tick = () => {
      const rest = Math.ceil((endsAt - Date.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest > 0) return;
      setEndsAt(null);
      ring();
      announce(ended, 'assertive');
    };
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [endsAt, ended]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once an infusion starts
  useEffect(() => {
    announce(t('brew.started', { number: at + 1, count, time: clockTime(seconds[at] ?? 0) }));
    // The pressed button is gone.
    button.current?.querySelector('button')?.focus();
  }, [at]);

  const next = () => {
    setAt(at + 1);
    setLeft(seconds[at + 1] ?? 0);
    setEndsAt(Date.now() + (seconds[at + 1] ?? 0) * 1000);
  };
  return (
    <div ref={button} className="flex flex-wrap items-center gap-4">
      <span role="timer" className="font-semibold tabular-nums">
        {endsAt === null ? ended : t('brew.running', { number: at + 1, count, time: clockTime(left) })}
      </span>
      {endsAt === null && !last ? (
        <Button label={t('brew.next', { number: at + 2 })} size="small" onClick={next} />
      ) : (
        <Button variant="secondary" size="small" onClick={onClose}>
          {endsAt === null ? tShop('ui.close') : t('brew.stop')}
        </Button>
      )}
    </div>
  );
}

/** A soft bell, where the browser allows sound. */
function ring(): void {
  try {
    const audio = new AudioContext();
    const volume = new GainNode(audio, { gain: 0.2 });
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 2);
    const tone = new OscillatorNode(audio, { frequency: 880 });
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 2);
    tone.onended = () => void audio.close();
  } catch {
    // The screen and the announcement say the same.
  }
}
