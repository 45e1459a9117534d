/** Times of a document, on the clocks of the shop. */
import { TextField } from '#ui/inputs.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useOffice } from './me.tsx';
import { instantIn, isoIn } from './shop-time.ts';

/** Empty: none, or what the hint says. */
export function TimeOf({ path, label, hint }: { path: Path; label: string; hint?: string | undefined }) {
  const form = useEdited();
  const { t, shop } = useOffice();
  const print = (value: unknown) => (typeof value === 'number' ? isoIn(shop.timeZone, value) : '');
  return (
    <TextField
      type="datetime-local"
      label={label}
      hint={
        hint === undefined
          ? t('office.goods.shopTime', { timeZone: shop.timeZone })
          : `${t('office.publish.shopTime', { timeZone: shop.timeZone })}. ${hint}`
      }
      value={print(form.valueAt(path)).replace(' ', 'T')}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) =>
        form.change(path, target.value === '' ? null : instantIn(shop.timeZone, target.value))
      }
    />
  );
}
