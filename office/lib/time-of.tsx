/** Times of a document, on the clocks of the shop. */
import { TextField } from '#ui/inputs.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useOffice } from './me.tsx';
import { instantIn, isoIn } from './shop-time.ts';

/** Empty: none. */
export function TimeOf({ path, label }: { path: Path; label: string }) {
  const form = useEdited();
  const { t, shop } = useOffice();
  const print = (value: unknown) => (typeof value === 'number' ? isoIn(shop.timeZone, value) : '');
  return (
    <TextField
      type="datetime-local"
      label={label}
      hint={t('office.goods.shopTime', { timeZone: shop.timeZone })}
      value={print(form.valueAt(path)).replace(' ', 'T')}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => form.change(path, target.value === '' ? null : instantIn(shop.timeZone, target.value))}
    />
  );
}
