/** Adding something in a room: by its button, or by its address, `?add=yes`, to which commands of the palette lead. */
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { Me } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { type Adds, isOf, rooms } from '../rooms/index.ts';
import { useFilters } from './lists.tsx';
import { useOffice } from './me.tsx';

/** Whether somebody may add it. */
export const mayAdd = ({ needs, inAllStores }: Adds, { may, stores }: Pick<Me, 'may' | 'stores'>): boolean =>
  may.includes(needs) && !(inAllStores && stores !== null);

/** What the list of rooms says of the room that is open: what it adds is called so, and who may. */
export function useAdding() {
  const { may, stores } = useOffice();
  const { pathname } = useLocation();
  const [{ add }, change] = useFilters();
  const [isOpen, setIsOpen] = useState(false);
  const adds = rooms.find((room) => isOf(room, pathname.replace(/^\/office/, '')))?.adds;
  const isAllowed = adds !== undefined && mayAdd(adds, { may, stores });
  useEffect(() => {
    if (add === undefined) return;
    setIsOpen(true);
    change({ add: '' });
  });
  return {
    /** What it is called; null for whoever may not. */
    name: isAllowed ? adds.name : null,
    isOpen: isOpen && isAllowed,
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
  };
}

/** Shown to who may; `name`: what it adds, where that is not always the same. */
export function AddButton({
  adding,
  name,
}: {
  adding: ReturnType<typeof useAdding>;
  name?: StaffMessageKey;
}) {
  const { t } = useOffice();
  if (adding.name === null) return null;
  return <Button label={t(name ?? adding.name)} icon="plus" size="small" onClick={adding.open} />;
}
