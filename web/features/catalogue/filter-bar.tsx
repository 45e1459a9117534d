import { type ReactNode, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Drawer } from '#ui/dialog.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { subCategories } from './category-tree.ts';
import { FilterChips } from './filter-chips.tsx';
import { CategoryFilter, type FilterProps, SortChoice, ValueFilter } from './filter-groups.tsx';
import { filterValues } from './filter-values.ts';
import { canFilter, type FilterName } from './source.ts';
import { useLightDismiss } from './use-light-dismiss.ts';

const filterIcon: IconPath = 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4';

/** The bar, unless there is nothing to filter, and the active filters. */
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
  const count = list.count < 0 ? null : t('list.count', { count: list.count });
  return (
    <search ref={bar} aria-label={t('list.filter.bar')} className="list-bar sticky top-(--sticky-top,0px) z-20 mb-6">
      <div className="relative flex min-h-14 flex-wrap items-center gap-x-1">
        <div className="-ml-2 mr-auto hidden flex-wrap menu:flex">
          {offered
            .filter((name) => name !== 'cat' || links === 0)
            .map((name) => (
              <BarMenu key={name} label={t(`list.${name}`)} shape={name} chosen={search[name] !== undefined}>
                {name === 'cat' ? <CategoryFilter {...props} columns /> : <ValueFilter {...props} name={name} />}
              </BarMenu>
            ))}
        </div>
        {/* In wide windows the title of a search has it. */}
        <span className={cx('mr-auto text-ink-soft tabular-nums', source.kind === 'search' ? 'menu:hidden' : 'menu:mr-0')}>
          {count}
        </span>
        <Button variant="quiet" icon={filterIcon} className="-mr-2 menu:hidden" onClick={openDrawer}>
          {t('list.filter')}
        </Button>
        <div className="-mr-2 hidden menu:block">
          <BarMenu label={t('list.sort.by', { name: t(`list.sort.${search.sort ?? 'default'}`) })} shape="sort">
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

/** In the order of the bar. */
const filterOrder = ['cat', 'brand', 'price', 'colour', 'capacity', 'store', 'tag'] as const satisfies FilterName[];

/** The tree of categories is long, so it comes last. */
const drawerOrder = ['price', 'colour', 'capacity', 'store', 'tag', 'brand', 'cat'] as const satisfies FilterName[];

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
  /** Whether the list is filtered by it. */
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
