/** All keys of the office, and what they do. */
import type { ReactNode } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import type { Room } from '../rooms/index.ts';
import { useStaffT } from './i18n.tsx';
import { modifierKey } from './shortcuts.tsx';

interface KeySheetProps {
  rooms: readonly Room[];
  onClose: () => void;
  children: ReactNode;
}

export default function KeySheet({ rooms, onClose, children }: KeySheetProps) {
  const t = useStaffT();
  const anywhere = [
    [`${modifierKey()} K`, t('office.keys.find')],
    ['/', t('office.keys.search')],
    ['j k', t('office.keys.walk')],
    ['Enter', t('office.keys.open')],
    ['x', t('office.keys.mark')],
    ['e', t('office.keys.edit')],
    ['?', t('office.keys.this')],
  ] as const;
  return (
    <Dialog open onClose={onClose} title={t('office.keys')} className="form:w-[44rem]">
      <Keys keys={anywhere} />
      <h3>{t('office.rooms')}</h3>
      <Keys keys={rooms.map(({ key, name }) => [`g ${key}`, t(name)])} />
      {children}
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  return (
    <dl className="columns-2 gap-8 max-[30rem]:columns-1">
      {keys.map(([key, does]) => (
        <div key={key} className="flex break-inside-avoid items-baseline gap-3 py-1">
          <dt className="w-20 flex-none whitespace-nowrap">
            <kbd className="rounded-md border border-line bg-surface-inset px-2 py-0.5 text-sm">{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
