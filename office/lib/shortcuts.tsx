/** What keys do anywhere in the office: they find, lead to rooms, search, and walk through lists. */
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Checkbox } from '#ui/inputs.tsx';
import type { Room } from '../rooms/index.ts';
import { useStaffT } from './i18n.tsx';

const Palette = lazy(() => import('./palette.tsx'));
const KeySheet = lazy(() => import('./key-sheet.tsx'));

/** Kept on the device: what a keyboard or speech types without meaning it depends on the device. */
const stored = 'office-shortcuts';
const areShortcutsOn = () => localStorage.getItem(stored) !== 'off';

/** How long the second key of two may take, ms. */
const secondKeyMs = 1500;
export const modifierKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl');

/** What is open over the page, and opening it. */
export function useShortcuts(rooms: readonly Room[]) {
  const [opened, setOpened] = useState<'palette' | 'keys' | null>(null);
  useKeys(rooms, setOpened);
  const close = () => setOpened(null);
  const shown = (
    <Suspense fallback={null}>
      {opened === 'palette' && (
        <Palette rooms={rooms} onClose={close}>
          <ShortcutSwitch />
        </Palette>
      )}
      {opened === 'keys' && (
        <KeySheet rooms={rooms} onClose={close}>
          <ShortcutSwitch />
        </KeySheet>
      )}
    </Suspense>
  );
  return { find: () => setOpened('palette'), shown };
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

/** Ctrl-K or ⌘-K anywhere; the others unless somebody types, a dialog is open, or they are switched off. */
function useKeys(rooms: readonly Room[], open: (what: 'palette' | 'keys') => void): void {
  const { history } = useRouter();
  const first = useRef(Number.NEGATIVE_INFINITY);
  // Where people write, the palette opens without a wait for its script.
  useEffect(() => {
    const load = () => void import('./palette.tsx').catch(() => undefined);
    const idle = 'requestIdleCallback' in window ? requestIdleCallback(load) : undefined;
    return () => (idle === undefined ? undefined : cancelIdleCallback(idle));
  }, []);
  // Heard from the first drawing on, and not only after it.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) open('palette');
        return;
      }
      if (ctrlKey || metaKey || altKey || event.isComposing || isTyping(target) || !areShortcutsOn()) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = event.timeStamp - first.current < secondKeyMs;
      first.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const room = isSecond ? rooms.find((each) => each.key === key) : undefined;
      if (room) history.push(`/office${room.path}`);
      else if (key === '?') open('keys');
      else if (key === '/') search(event);
      else if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1);
      else if (key === 'x') mark();
      else if (key === 'e') edit(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rooms, open, history]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}

/** The room's own search. */
function search(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

/** What a row of a list opens: the first link of it that leads somewhere in the office. */
const rowLink = 'a[href^="/office/"]';
const rows = 'main :is(li, tbody tr)';
const fields = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';

const rowOf = (element: Element | null) => element?.closest<HTMLElement>(rows) ?? null;
const isShown = (element: Element) => element.getClientRects().length > 0;

function linkOf(row: HTMLElement): HTMLElement | undefined {
  return [...row.querySelectorAll<HTMLElement>(rowLink)].find((link) => rowOf(link) === row && isShown(link));
}

/** Of each row what gets the focus: its link, else the row itself. Beside lists that open something, others are not walked. */
function rowTargets(): HTMLElement[] {
  const shown = [...document.querySelectorAll<HTMLElement>(rows)].filter(
    (row) => isShown(row) && !row.closest('nav'),
  );
  const opening = new Set(shown.filter(linkOf).map(({ parentElement }) => parentElement));
  return shown
    .filter(({ parentElement }) =>
      opening.size > 0 ? opening.has(parentElement) : rowOf(parentElement) === null,
    )
    .map((row) => linkOf(row) ?? row);
}

/** To the next row, or the one before; from elsewhere to the first. */
function walk(step: 1 | -1): void {
  const targets = rowTargets();
  const row = rowOf(document.activeElement);
  const at = targets.findIndex((target) => rowOf(target) === row);
  const target = targets[at < 0 ? 0 : at + step];
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus();
  rowOf(target)?.scrollIntoView({ block: 'nearest' });
}

/** To where the row is changed: its first field, else the button that opens one, else its link. Other buttons may end something. */
function edit(event: KeyboardEvent): void {
  const row = rowOf(document.activeElement);
  if (!row) return;
  const controls = [fields, 'button[data-edits]'].flatMap((kind) => [
    ...row.querySelectorAll<HTMLElement>(kind),
  ]);
  const control = controls.find(isShown) ?? linkOf(row);
  if (!control) return;
  // Else the field would get the letter.
  event.preventDefault();
  control.focus();
}

/** Marks the row in which the focus is, or takes its mark away. */
function mark(): void {
  const { activeElement } = document;
  rowOf(activeElement)?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  if (activeElement instanceof HTMLElement) activeElement.focus();
}
