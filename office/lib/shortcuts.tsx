/** The button that opens the palette, and the keys of the office. */
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import type { Room } from '../rooms/index.ts';
import { useStaffT } from './i18n.tsx';

const Palette = lazy(() => import('./palette.tsx'));

/** Kept on the device: what a keyboard or speech types without meaning it depends on the device. */
const stored = 'office-shortcuts';
const areShortcutsOn = () => localStorage.getItem(stored) !== 'off';

/** How long the second key of two may take, ms. */
const secondKeyMs = 1500;
const modifierKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl');

export function Shortcuts({ rooms }: { rooms: readonly Room[] }) {
  const t = useStaffT();
  const [isOpen, setOpen] = useState(false);
  useKeys(rooms, () => setOpen(true));
  return (
    <>
      <Button variant="secondary" size="small" icon="search" className="min-h-11 form:mt-4" onClick={() => setOpen(true)}>
        {t('office.find')}
        <kbd className="pointer-coarse:hidden font-normal text-ink-soft text-sm max-form:hidden">{modifierKey()} K</kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette rooms={rooms} onClose={() => setOpen(false)}>
            <ShortcutSwitch />
          </Palette>
        </Suspense>
      )}
    </>
  );
}

function ShortcutSwitch() {
  const t = useStaffT();
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Checkbox
      className="pointer-coarse:hidden"
      label={t('office.shortcuts')}
      hint={t('office.shortcutsHint')}
      checked={isOn}
      onChange={({ target }) => {
        localStorage.setItem(stored, target.checked ? 'on' : 'off');
        setOn(target.checked);
      }}
    />
  );
}

/** Ctrl-K or ⌘-K anywhere; `?` and two keys for a room, unless somebody types, a dialog is open, or they are switched off. */
function useKeys(rooms: readonly Room[], openPalette: () => void): void {
  const { history } = useRouter();
  const first = useRef(Number.NEGATIVE_INFINITY);
  // Heard from the first drawing on, and not only after it.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) openPalette();
        return;
      }
      if (ctrlKey || metaKey || altKey || event.isComposing || isTyping(target) || !areShortcutsOn()) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = event.timeStamp - first.current < secondKeyMs;
      first.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const room = isSecond ? rooms.find((each) => each.key === key) : undefined;
      if (room) history.push(`/office${room.path}`);
      else if (key === '?') openPalette();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rooms, openPalette, history]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null);
}
