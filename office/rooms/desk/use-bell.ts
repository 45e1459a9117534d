/** A sound that repeats for orders that nobody has touched the screen for since they arrived. */
import { useEffect, useRef, useState } from 'react';

const offKey = 'office-sound-off';
const everyMs = 4000;

interface Bell {
  on: boolean;
  turn(on: boolean): void;
  /** The browser lets a page make sounds only once it has been touched. */
  isMuted: boolean;
}

/** @param known the numbers of new orders; undefined until they are known */
export function useBell(known: readonly string[] | undefined): Bell {
  const numbers = known ?? [];
  const [on, setOn] = useState(() => localStorage.getItem(offKey) === null);
  const [isMuted, setMuted] = useState(false);
  const audio = useRef<AudioContext>(undefined);
  /** What was there when the screen was last touched, or when it opened. */
  const seen = useRef<Set<string>>(undefined);
  const current = useRef(numbers);
  current.current = numbers;
  seen.current ??= known && new Set(known);
  useEffect(() => {
    const touch = () => {
      seen.current = new Set(current.current);
      audio.current ??= new AudioContext();
      void audio.current.resume().then(() => setMuted(false));
    };
    addEventListener('pointerdown', touch);
    addEventListener('keydown', touch);
    return () => {
      removeEventListener('pointerdown', touch);
      removeEventListener('keydown', touch);
      void audio.current?.close();
      audio.current = undefined;
    };
  }, []);
  const rings = on && seen.current !== undefined && numbers.some((number) => !seen.current?.has(number));
  useEffect(() => {
    if (!rings) return;
    const strike = () => {
      if (audio.current?.state === 'running') ring(audio.current);
      else setMuted(true);
    };
    strike();
    const timer = setInterval(strike, everyMs);
    return () => clearInterval(timer);
  }, [rings]);
  const turn = (wanted: boolean) => {
    if (wanted) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, '1');
    setOn(wanted);
  };
  return { on, turn, isMuted: on && isMuted };
}

/** Two strokes, a third apart. */
function ring(audio: AudioContext): void {
  for (const [index, pitch] of [880, 1108.7].entries()) {
    const at = audio.currentTime + index * 0.18;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.6);
  }
}
