/**
 * How a device tells of new orders: by a sound that repeats until somebody touches the screen, and by notices while its tab sleeps.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Checkbox } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';

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
    for (const press of ['pointerdown', 'keydown']) addEventListener(press, touch);
    return () => {
      for (const press of ['pointerdown', 'keydown']) removeEventListener(press, touch);
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

/** Null where the browser or the shop has no notices. */
const current = async () => (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

function usePush() {
  const { call } = useOffice();
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window;
  const { data: key } = useQuery({ queryKey: ['push'], queryFn: async () => (await call('push')).key, enabled: isAble });
  const { data: on = false, refetch } = useQuery({
    queryKey: ['push-on'],
    queryFn: async () => (await current()) !== null,
    enabled: isAble,
  });
  const turn = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (!wanted) {
        await (await current())?.unsubscribe();
        return call('stopPush');
      }
      const { pushManager } = await navigator.serviceWorker.ready;
      const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key ?? '' });
      const { endpoint = '', keys = {} } = made.toJSON();
      return call('startPush', { body: { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } });
    },
    onSettled: () => refetch(),
  });
  return { isOffered: typeof key === 'string', on, turn: turn.mutate, failed: turn.isError };
}

/** Whether new orders ring, and whether the device is notified of them while the tab sleeps. */
export function Alerts({ bell }: { bell: Bell }) {
  const { t } = useOffice();
  const { isOffered, on, turn, failed } = usePush();
  return (
    <>
      <Checkbox
        className="min-h-11 pb-2"
        label={t('desk.sound')}
        checked={bell.on}
        onChange={(event) => bell.turn(event.target.checked)}
      />
      {isOffered && (
        <Checkbox
          className="min-h-11 pb-2"
          label={t('desk.notify')}
          checked={on}
          error={failed && t('desk.notifyRefused')}
          onChange={(event) => turn(event.target.checked)}
        />
      )}
    </>
  );
}
