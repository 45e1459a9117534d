import type { LineItem } from '#contract/schemas/order.ts';
import { Picture } from '#web/ui/picture.tsx';

/** The ordered pieces in a row, which the ticket lists by name. */
export function OrderPictures({ lines }: { lines: readonly LineItem[] }) {
  const shown = lines.flatMap(({ sku, image }) => (image ? [{ sku, image }] : []));
  if (shown.length === 0) return null;
  return (
    <div className="flex gap-3 overflow-hidden print:hidden" aria-hidden>
      {shown.slice(0, 6).map(({ sku, image }) => (
        <span key={sku} className="w-40 min-w-0 shrink-[0.5]">
          <Picture image={image} sizes="10rem" alt="" shape="square" />
        </span>
      ))}
    </div>
  );
}
