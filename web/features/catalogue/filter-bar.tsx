import { type ReactNode, useRef, useState } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { IconPath } from '#web/ui/icon-paths.ts';
import { BrandFilter, CategoryFilter, type FilterProps, SortChoice } from './filter-groups.tsx';
import { useLightDismiss } from './use-light-dismiss.ts';

const filterIcon: IconPath = 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4';

/** Filters and sort order, sticky while scrolling: menus on a desktop, a drawer on a phone. */
export function FilterBar(props: FilterProps) {
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
  const byBrand = source.kind !== 'brand' && list.brands.length > 0;
  const byCategory = list.categories.length > 0;
  const count = list.count < 0 ? null : t('list.count', { count: list.count });
  return (
    <search
      ref={bar}
      aria-label={t('list.filter.bar')}
      className="sticky top-(--sticky-top,0px) z-20 -mx-gutter mb-8 border-line border-y bg-paper px-gutter"
    >
      <div className="relative flex min-h-14 items-center gap-1">
        <span className="mr-auto text-ink-soft tabular-nums">{count}</span>
        <Button variant="quiet" icon={filterIcon} className="-mr-2 menu:hidden" onClick={openDrawer}>
          {t('list.filter')}
        </Button>
        <div className="-mr-4 hidden gap-1 menu:flex">
          {byCategory && (
            <BarMenu label={t('list.category')} wide>
              <CategoryFilter {...props} columns />
            </BarMenu>
          )}
          {byBrand && (
            <BarMenu label={t('list.brand')}>
              <BrandFilter {...props} />
            </BarMenu>
          )}
          <BarMenu label={t('list.sort.by', { name: t(`list.sort.${search.sort ?? 'default'}`) })}>
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
        {wasOpen && <DrawerGroups {...props} byBrand={byBrand} byCategory={byCategory} />}
      </Drawer>
    </search>
  );
}

function DrawerGroups({ byBrand, byCategory, ...props }: FilterProps & { byBrand: boolean; byCategory: boolean }) {
  const t = useT();
  return (
    <>
      <DrawerGroup title={t('list.sort')}>
        <SortChoice {...props} />
      </DrawerGroup>
      {byBrand && (
        <DrawerGroup title={t('list.brand')}>
          <BrandFilter {...props} />
        </DrawerGroup>
      )}
      {byCategory && (
        <DrawerGroup title={t('list.category')}>
          <CategoryFilter {...props} />
        </DrawerGroup>
      )}
    </>
  );
}

/** One menu of the bar. The menus share a name, so that opening one closes the other. */
function BarMenu({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <details name="list-filter" className="group/menu relative">
      <summary className="flex min-h-11 list-none items-center gap-1 rounded-full px-4 hover:bg-surface-inset">
        {label}
        <Icon name="chevron" size={18} className="transition-transform group-open/menu:rotate-180" />
      </summary>
      <div
        className={cx(
          'absolute top-full right-0 mt-2 max-h-[70dvh] overflow-auto rounded-md bg-raised px-6 py-4 shadow-over',
          wide ? 'w-[44rem]' : 'w-64',
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
