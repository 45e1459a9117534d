import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { LineItem } from '#contract/schemas/order.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { inputOfLine } from '#web/features/cart/line-input.ts';
import { useAddToCart } from '#web/features/cart/use-cart.ts';
import { urls } from '#web/lib/urls.ts';

/** Adds all items of an order to the cart again, and goes there; items that are not available are listed. */
export function Reorder({ lines, children }: { lines: LineItem[]; children?: ReactNode }) {
  const t = useT();
  const navigate = useNavigate();
  const { add } = useAddToCart();
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState<{ id: string; text: string }[]>([]);
  const reorder = async () => {
    setBusy(true);
    const failed: { id: string; text: string }[] = [];
    for (const line of lines) {
      try {
        await add(inputOfLine(line));
      } catch (error) {
        const text = t('account.order.reorderLine', {
          product: line.productName,
          reason: errorText(error, t),
        });
        failed.push({ id: line.id, text });
      }
    }
    setMissing(failed);
    setBusy(false);
    if (failed.length === 0) void navigate({ href: urls.cart() });
  };
  return (
    <div className="flex flex-col gap-4">
      {missing.length > 0 && (
        <Notice tone="bad" title={t('account.order.reorderPart')}>
          <ul>
            {missing.map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {missing.length > 0 ? (
          <LinkButton href={urls.cart()}>{t('account.order.toCart')}</LinkButton>
        ) : (
          <Button label={t('account.order.reorder')} busy={busy} onClick={() => void reorder()} />
        )}
        {children}
      </div>
    </div>
  );
}
