/** Finds rooms, products, orders, customers, whatever else has a page, settings, and what can be done: each that this person may see. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';

import { Dialog } from '#ui/dialog.tsx';
import type { Room } from '../rooms/index.ts';
import { mayAdd } from './adding.tsx';
import { fieldsOfRooms } from './fields-of-rooms.ts';
import { useOffice, useStores } from './me.tsx';
import { orderPage } from './order-link.tsx';
import { useDocumentsFound } from './palette-documents.ts';

export interface Found {
  href: string;
  label: string;
  detail: string;
  /** Keys that lead there. */
  keys?: string;
}

export interface FoundGroup {
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
              <Autocomplete.GroupLabel className="pt-3 pb-1 text-ink-soft text-sm">
                {name}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: Found) => <FoundItem key={`${item.href} ${item.label}`} item={item} open={open} />}
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

/** Whether each word of a text is said, as it is typed. */
function says({ label, detail }: Found, words: readonly string[]): boolean {
  const said = `${label} ${detail}`.toLowerCase();
  return words.every((word) => said.includes(word));
}

/** What a text finds, by kind; without one, the rooms. Where something says all of its words, what is only like them is left out. */
function useFound(typed: string, rooms: readonly Room[]): FoundGroup[] {
  const { t } = useOffice();
  const { products, orders, customers, items } = useAsked(typed.trim());
  const documents = useDocumentsFound(rooms, typed.trim().length > 1);
  const stored = useStored(rooms);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named = (all: readonly Found[]) => all.filter((each) => says(each, words));
  const ofRooms = rooms
    .map(({ path, name, key }) => ({ href: `/office${path}`, label: t(name), detail: '', keys: `g ${key}` }))
    .filter((room) => says(room, words) || (words.length === 1 && room.href.includes(words[0] ?? '')))
    // Before rooms of which only the address has the word.
    .toSorted((a, b) => Number(says(b, words)) - Number(says(a, words)));
  const others =
    words.length === 0
      ? []
      : [...documents, ...stored].map((group) => ({ ...group, items: named(group.items) }));
  const exact = [
    ofRooms,
    named(products),
    orders,
    customers,
    ...others.map((group) => group.items),
    named(items),
  ];
  const isExact = exact.some((found) => found.length > 0);
  const groups = [
    { name: t('office.rooms'), items: ofRooms },
    { name: t('office.goods'), items: isExact ? named(products) : products },
    { name: t('office.orders'), items: orders },
    { name: t('office.customers'), items: customers },
    ...others,
    { name: t('office.foundItems'), items: isExact ? named(items) : items },
  ];
  return groups
    .map((group) => ({ ...group, items: words.length === 0 ? group.items : group.items.slice(0, mostShown) }))
    .filter((group) => group.items.length > 0);
}

/** What the server finds of what this person may see. */
function useAsked(typed: string): Record<'products' | 'orders' | 'customers' | 'items', Found[]> {
  const { t, locale, may, call } = useOffice();
  const text = usePaused(typed);
  const asked = (key: string, isAllowed: boolean) => ({
    queryKey: [key, 'found', text],
    enabled: isAllowed && text.length > 1,
    ...(text.length > 1 ? { placeholderData: keepPreviousData } : {}),
    staleTime: 10_000,
  });
  const mayOrders = may.includes('orders.read');
  const products = useQuery({
    ...asked('goods', may.includes('goods.read')),
    queryFn: () => call('goods', { query: { text } }),
  });
  const orders = useQuery({
    ...asked('orders', mayOrders),
    queryFn: () => call('orders', { query: { text } }),
  });
  const customers = useQuery({
    ...asked('customers', may.includes('customers.read')),
    queryFn: () => call('customers', { query: { text } }),
  });
  const items = useQuery({ ...asked('items', mayOrders), queryFn: () => call('items', { query: { text } }) });
  // Whoever sees no orders finds the money of one by its number alone.
  const page = mayOrders || !/\d/.test(typed) ? null : orderPage(may, typed);
  return {
    products: (products.data?.products ?? []).map(({ id, name, firstSku }) => ({
      href: `/office/goods/${encodeURIComponent(id)}`,
      label: inLocale(name, locale),
      detail: firstSku,
    })),
    orders: [
      ...(orders.data?.orders ?? []).map(({ number, name, state }) => ({
        href: `/office/orders/${encodeURIComponent(number)}`,
        label: number,
        detail: [name, t(`orders.state.${state}`)].filter(Boolean).join(' · '),
      })),
      ...(page === null ? [] : [{ href: page, label: typed, detail: t('office.books') }]),
    ],
    customers: (customers.data?.customers ?? []).map(({ id, firstName, lastName, email }) => ({
      href: `/office/customers/${id}`,
      label: `${firstName} ${lastName}`.trim(),
      detail: email,
    })),
    items: (items.data?.items ?? []).map(({ sku, name, detail }) => ({
      href: `/office/orders?${new URLSearchParams({ text: sku })}`,
      label: name,
      detail,
    })),
  };
}

/** What needs no question to the server: fields of settings, stores, and what can be done in the rooms that this person may enter. */
function useStored(rooms: readonly Room[]): FoundGroup[] {
  const { t, may, stores } = useOffice();
  const { own } = useStores();
  const at = (path: string, values: Record<string, string>) =>
    `/office${path}?${new URLSearchParams(values)}`;
  const isOpen = (path: string) => rooms.some((room) => room.path === path);
  return [
    {
      name: t('office.foundFields'),
      items: rooms.flatMap(({ path, name }) =>
        (fieldsOfRooms[path] ?? []).map((field) => ({
          href: `/office${path}#${field.path.join('.')}`,
          label: t(field.label),
          detail: t(name),
        })),
      ),
    },
    {
      name: t('office.stores'),
      items: isOpen('/stores')
        ? own.map(({ value, label }) => ({
            href: `/office/stores/${encodeURIComponent(value)}`,
            label,
            detail: t('office.stores'),
          }))
        : [],
    },
    {
      name: t('office.foundCommands'),
      items: [
        ...rooms.flatMap(({ path, adds }) =>
          adds && mayAdd(adds, { may, stores })
            ? [{ href: at(path, { add: 'yes' }), label: t(adds.name), detail: t('office.command.new') }]
            : [],
        ),
        // As the room Today asks for it.
        ...(may.includes('desk.pause') ? own : []).flatMap(({ value, label }) => [
          {
            href: `${at('/opening', { store: value })}#days`,
            label: t('office.command.close', { store: label }),
            detail: '',
          },
          {
            href: at('/opening', { store: value }),
            label: t('office.command.pause', { store: label }),
            detail: '',
          },
        ]),
      ],
    },
  ];
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
