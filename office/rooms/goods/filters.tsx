/** What products are filtered by. Each filter lies in the address. */
import { useQuery } from '@tanstack/react-query';
import { goodsStatuses } from '#contract/limits.ts';
import { inLocale, type LocalText } from '#contract/locales.ts';
import type { GoodsNames } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMoney } from '../../lib/money.tsx';

export function useGoodsNames(): GoodsNames | undefined {
  const call = useCall();
  return useQuery({ queryKey: ['goods', 'names'], queryFn: () => call('goodsNames') }).data;
}

interface FiltersProps {
  names: GoodsNames;
  filters: Readonly<Record<string, string>>;
  change: (changed: Record<string, string>) => void;
}

export function Filters({ names, filters, change }: FiltersProps) {
  const { t, locale } = useLanguage();
  const named = (list: { name: string; nameContent: LocalText }[]) =>
    list.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }));
  const choices = {
    category: named(names.categories),
    brand: named(names.brands),
    tag: named(names.tags),
    status: goodsStatuses.map((value) => ({ value, label: t(`office.goods.status.${value}`) })),
    stock: [
      { value: 'some', label: t('office.goods.inStock') },
      { value: 'none', label: t('office.goods.outOfStock') },
    ],
    ...(filters.stock ? { store: named(names.stores) } : {}),
    without: [
      { value: 'picture', label: t('office.goods.withoutPicture') },
      { value: 'chinese', label: t('office.goods.withoutChinese') },
    ],
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <details open={isFiltered || undefined} className="rounded-md border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {t('office.goods.filters')}
      </summary>
      <div className="grid gap-4 py-4 form:grid-cols-2 wide:grid-cols-4">
        {(Object.keys(choices) as (keyof typeof choices)[]).map((name) => (
          <Select
            key={name}
            label={t(`office.goods.${name}`)}
            options={choices[name] ?? []}
            placeholder={t('office.goods.any')}
            value={filters[name] ?? ''}
            onChange={({ target }) => change({ [name]: target.value })}
          />
        ))}
        <Price name="fromCents" label={t('office.goods.fromPrice')} {...{ filters, change }} />
        <Price name="toCents" label={t('office.goods.toPrice')} {...{ filters, change }} />
        {isFiltered && (
          <Button
            label={t('office.goods.clear')}
            variant="secondary"
            size="small"
            className="self-end"
            onClick={() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])))}
          />
        )}
      </div>
    </details>
  );
}

function Price({
  name,
  label,
  filters,
  change,
}: Omit<FiltersProps, 'names'> & { name: string; label: string }) {
  const { text, parse } = useMoney();
  const cents = filters[name];
  return (
    <TextField
      // With another amount in the address, it is another field.
      key={cents}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={cents ? text(Number(cents)) : ''}
      onBlur={({ target }) => {
        const wanted = String(parse(target.value) ?? '');
        if (wanted !== (cents ?? '')) change({ [name]: wanted });
      }}
    />
  );
}
