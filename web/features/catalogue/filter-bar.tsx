import { useLocation } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Drawer } from '#ui/dialog.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { CategoryFilter, type FilterProps, filterValues, SortChoice, ValueFilter } from './filter-groups.tsx';
import { activeFilters, canFilter, type FilterName, filterUrl, listUrl, subCategories } from './source.ts';

const filterIcon: IconPath = 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4';

export function ListControls({ bar, ...props }: FilterProps & { bar: boolean }) {
  return (
    <>
      {bar && <FilterBar {...props} />}
      <FilterChips {...props} />
    </>
  );
}

/** Filters and sort order, sticky while scrolling: menus on a desktop, a drawer on a phone. */
function FilterBar(props: FilterProps) {
  const t = useT();
  const { source, search, list } = props;
  const bar = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  // The drawer's content renders on first opening and stays while the drawer slides out.
  const [wasOpen, setWasOpen] = useState(false);
  const openDrawer = () => {
    setWasOpen(true);
    setOpen(true);
  };
  useLightDismiss(bar);
  const offered = useOffered(props);
  const links = subCategories(source, list.facets.categories).length;
  const inBar = offered.filter((name) => name !== 'cat' || links === 0);
  // A menu for one more filter would take as much room as the filter.
  const shown = inBar.length > mostMenus + 1 ? inBar.slice(0, mostMenus) : inBar;
  const count = list.count < 0 ? null : t('list.count', { count: list.count });
  return (
    <search
      ref={bar}
      aria-label={t('list.filter.bar')}
      className="list-bar sticky top-(--sticky-top,0px) z-20 mb-6"
    >
      <div className="relative flex min-h-14 flex-wrap items-center gap-x-1">
        <div className="-ml-2 mr-auto hidden flex-wrap menu:flex">
          {shown.map((name) => (
            <BarMenu key={name} label={t(`list.${name}`)} shape={name} chosen={search[name] !== undefined}>
              {name === 'cat' ? (
                <CategoryFilter {...props} columns />
              ) : (
                <ValueFilter {...props} name={name} />
              )}
            </BarMenu>
          ))}
          {shown.length < inBar.length && (
            <button
              type="button"
              className="min-h-11 rounded-md px-2 hover:bg-surface-inset"
              onClick={openDrawer}
            >
              {t('list.filter.more')}
            </button>
          )}
        </div>
        {/* In wide windows the title of a search has it. */}
        <span
          className={cx(
            'mr-auto text-ink-soft tabular-nums',
            source.kind === 'search' ? 'menu:hidden' : 'menu:mr-0',
          )}
        >
          {count}
        </span>
        <Button
          label={t('list.filter')}
          variant="quiet"
          icon={filterIcon}
          className="-mr-2 menu:hidden"
          onClick={openDrawer}
        />
        <div className="-mr-2 hidden menu:block">
          <BarMenu
            label={t('list.sort.by', { name: t(`list.sort.${search.sort ?? 'default'}`) })}
            shape="sort"
          >
            <SortChoice source={source} search={search} />
          </BarMenu>
        </div>
      </div>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        title={t('list.filter')}
        foot={
          <Button wide onClick={() => setOpen(false)}>
            {list.count < 0 ? t('list.filter.close') : t('list.filter.show', { count: list.count })}
          </Button>
        }
      >
        {wasOpen && <DrawerGroups {...props} offered={offered} />}
      </Drawer>
    </search>
  );
}

/** Filters that the bar shows as menus; the drawer has the others. */
const mostMenus = 3;

const filterOrder = [
  'cat',
  'brand',
  'price',
  'colour',
  'capacity',
  'store',
  'tag',
] as const satisfies FilterName[];

/** The tree of categories is long, so it comes last. */
const drawerOrder = [
  'price',
  'colour',
  'capacity',
  'store',
  'tag',
  'brand',
  'cat',
] as const satisfies FilterName[];

/** The filters that have a value to choose in this list, besides the one that the list is made of. */
function useOffered({ source, search, list }: FilterProps): FilterName[] {
  const t = useT();
  const locale = useLocale();
  return filterOrder.filter((name) => {
    if (name !== 'cat' && !canFilter(source, name)) return false;
    return search[name] !== undefined || filterValues(name, list.facets, t, locale).length > 0;
  });
}

function DrawerGroups({ offered, ...props }: FilterProps & { offered: FilterName[] }) {
  const t = useT();
  return (
    <>
      <DrawerGroup title={t('list.sort')}>
        <SortChoice {...props} />
      </DrawerGroup>
      {drawerOrder
        .filter((name) => offered.includes(name))
        .map((name) => (
          <DrawerGroup key={name} title={t(`list.${name}`)}>
            {name === 'cat' ? <CategoryFilter {...props} /> : <ValueFilter {...props} name={name} />}
          </DrawerGroup>
        ))}
    </>
  );
}

const menuShapes: Partial<Record<FilterName | 'sort', string>> = {
  cat: 'left-0 w-[44rem]',
  colour: 'left-0 w-80',
  sort: 'right-0 w-64',
};

interface BarMenuProps {
  label: string;
  shape: FilterName | 'sort';
  chosen?: boolean;
  children: ReactNode;
}

/** One menu of the bar, 44 px high. The menus share a name, so that opening one closes the other. */
function BarMenu({ label, shape, chosen, children }: BarMenuProps) {
  return (
    <details name="list-filter" className="group/menu relative">
      <summary
        className={cx(
          'flex min-h-11 list-none items-center gap-1 rounded-md px-2 hover:bg-surface-inset',
          chosen && 'font-semibold text-action',
        )}
      >
        {label}
        <Icon name="chevron" size={18} className="transition-transform group-open/menu:rotate-180" />
      </summary>
      <div
        className={cx(
          'absolute top-full mt-2 max-h-[70dvh] overflow-auto rounded-lg bg-raised px-6 py-4 shadow-over',
          menuShapes[shape] ?? 'left-0 w-64',
        )}
      >
        {children}
      </div>
    </details>
  );
}

function DrawerGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-b py-5 last-of-type:border-0">
      <h3 className="mb-1 text-lg">{title}</h3>
      {children}
    </section>
  );
}

function FilterChips({ source, search, list }: FilterProps) {
  const t = useT();
  const locale = useLocale();
  const active = activeFilters(source, search);
  if (active.length === 0) return null;
  const label = (name: FilterName) => {
    const chosen = search[name] ?? '';
    const text =
      filterValues(name, list.facets, t, locale).find(({ value }) => value === chosen)?.label ?? chosen;
    return name === 'store' ? t('list.store.chosen', { store: text }) : text;
  };
  return (
    <section aria-label={t('list.filter.active')} className="mb-6 flex flex-wrap items-center gap-2">
      {active.map((name) => (
        <FilterChip key={name} href={filterUrl(source, search, name, undefined)}>
          {label(name)}
        </FilterChip>
      ))}
      {active.length > 1 && (
        <Link
          href={listUrl(source, { sort: search.sort })}
          keepScroll
          className={buttonClass({ variant: 'quiet', size: 'small' })}
        >
          {t('list.filter.clear')}
        </Link>
      )}
    </section>
  );
}

const chipClass =
  'inline-flex min-h-[max(2.25rem,var(--finger))] items-center gap-1.5 rounded-full bg-action-tint py-1 pr-2 pl-3.5 text-sm/tight hover:[box-shadow:inset_0_0_0_1px_var(--color-action)]';

function FilterChip({ href, children }: { href: string; children: string }) {
  const t = useT();
  return (
    <Link href={href} keepScroll className={chipClass} aria-label={t('ui.filter.remove', { name: children })}>
      {children}
      <Icon name="close" size={16} />
    </Link>
  );
}

/** Closes the open `<details>` inside `area` on Esc, on a press elsewhere, and after a link was followed. */
function useLightDismiss(area: RefObject<HTMLElement | null>): void {
  const href = useLocation({ select: (location) => location.href });
  useEffect(() => {
    const opened = () => [...(area.current?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? [])];
    const close = (details: HTMLDetailsElement) => {
      details.open = false;
    };
    const pressed = ({ target }: Event) => {
      for (const details of opened()) if (!details.contains(target as Node)) close(details);
    };
    const keyed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      for (const details of opened()) {
        close(details);
        details.querySelector('summary')?.focus();
      }
    };
    document.addEventListener('pointerdown', pressed);
    document.addEventListener('keydown', keyed);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      document.removeEventListener('keydown', keyed);
    };
  }, [area]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the address closes it
  useEffect(() => {
    for (const details of area.current?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? []) {
      const within = details.contains(document.activeElement);
      details.open = false;
      // The followed link is no longer visible.
      if (within) details.querySelector('summary')?.focus({ preventScroll: true });
    }
  }, [area, href]);
}
