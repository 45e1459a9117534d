/** Finds orders, customers, SKUs and rooms, by calls that each answer what this person may see. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import type { Room } from '../rooms/index.ts';
import { useOffice } from './me.tsx';
import { orderPage } from './order-link.tsx';

interface Found {
  href: string;
  label: string;
  detail: string;
  /** Keys that lead there. */
  keys?: string;
}

interface FoundGroup {
  name: string;
  items: Found[];
}

/** Of each kind. */
const mostShown = 5;
/** Between two keys of somebody who types. */
const pauseMs = 80;

export default function Palette({
  rooms,
  onClose,
  children,
}: {
  rooms: readonly Room[];
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useOffice();
  const { history } = useRouter();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // After the dialog, which focuses its close button, has opened.
  useEffect(() => input.current?.focus(), []);
  const groups = useFound(text, rooms);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const open = ({ href }: Found) => {
    onClose();
    history.push(href);
  };
  return (
    <Dialog open onClose={onClose} title={t('office.find')} className="form:w-[40rem]">
      <Autocomplete.Root
        open
        inline
        mode="none"
        items={groups}
        value={text}
        onValueChange={(value, { reason }) => reason === 'item-press' || setText(value)}
        autoHighlight="always"
        keepHighlight
        itemToStringValue={({ label }: Found) => label}
      >
        <Autocomplete.Input
          className="input"
          aria-label={t('office.find')}
          placeholder={t('office.findHint')}
          maxLength={200}
          ref={input}
        />
        <Autocomplete.Status className="sr-only">{t('office.foundCount', { count })}</Autocomplete.Status>
        {count === 0 && <p className="text-ink-soft">{t('office.foundNothing')}</p>}
        <Autocomplete.List className="max-h-[50dvh] overflow-y-auto">
          {({ name, items }: FoundGroup) => (
            <Autocomplete.Group key={name} items={items}>
              <Autocomplete.GroupLabel className="pt-3 pb-1 text-ink-soft text-sm">{name}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: Found) => <FoundItem key={item.href} item={item} open={open} />}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
      {children}
    </Dialog>
  );
}

function FoundItem({ item, open }: { item: Found; open: (item: Found) => void }) {
  const { label, detail, keys } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => open(item)}
      className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md px-3 data-highlighted:bg-action-tint data-highlighted:text-action"
    >
      <span className="min-w-0 truncate">
        {label}
        <span className="text-ink-soft text-sm"> {detail}</span>
      </span>
      {keys && <kbd className="pointer-coarse:hidden flex-none text-ink-soft text-sm">{keys}</kbd>}
    </Autocomplete.Item>
  );
}

/** What begins with a text; without one, the rooms. */
function useFound(typed: string, rooms: readonly Room[]): FoundGroup[] {
  const { t, may, call } = useOffice();
  const text = usePaused(typed.trim());
  const asked = (key: string, isAllowed: boolean) => ({
    queryKey: [key, 'found', text],
    enabled: isAllowed && text.length > 1,
    ...(text.length > 1 ? { placeholderData: keepPreviousData } : {}),
    staleTime: 10_000,
  });
  const mayOrders = may.includes('orders.read');
  const orders = useQuery({ ...asked('orders', mayOrders), queryFn: () => call('orders', { query: { text } }) });
  const customers = useQuery({
    ...asked('customers', may.includes('customers.read')),
    queryFn: () => call('customers', { query: { text } }),
  });
  const items = useQuery({ ...asked('items', mayOrders), queryFn: () => call('items', { query: { text } }) });
  const wanted = typed.trim().toLowerCase();
  // Whoever sees no orders finds the money of one by its number alone.
  const page = mayOrders || !/\d/.test(typed) ? null : orderPage(may, typed.trim());
  const groups: FoundGroup[] = [
    {
      name: t('office.orders'),
      items: [
        ...(orders.data?.orders ?? []).map(({ number, name, state }) => ({
          href: `/office/orders/${encodeURIComponent(number)}`,
          label: number,
          detail: [name, t(`orders.state.${state}`)].filter(Boolean).join(' · '),
        })),
        ...(page === null ? [] : [{ href: page, label: typed.trim(), detail: t('office.books') }]),
      ],
    },
    {
      name: t('office.customers'),
      items: (customers.data?.customers ?? []).map(({ id, firstName, lastName, email }) => ({
        href: `/office/customers/${id}`,
        label: `${firstName} ${lastName}`.trim(),
        detail: email,
      })),
    },
    {
      name: t('office.foundItems'),
      items: (items.data?.items ?? []).map(({ sku, name, detail }) => ({
        href: `/office/orders?${new URLSearchParams({ text: sku })}`,
        label: name,
        detail,
      })),
    },
  ].map((group) => ({ ...group, items: group.items.slice(0, mostShown) }));
  const places = rooms
    .map(({ path, name, key }) => ({ href: `/office${path}`, label: t(name), detail: '', keys: `g ${key}` }))
    .filter(({ href, label }) => `${label} ${href}`.toLowerCase().includes(wanted));
  return [...groups, { name: t('office.rooms'), items: places }].filter((group) => group.items.length > 0);
}

/** A text, once it has not changed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
