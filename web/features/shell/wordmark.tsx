/** The name of the shop, or its logo, which leads home. */
import type { AppContent } from '#contract/schemas/shop.ts';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';

export function Wordmark({
  content: { shopName, look },
}: {
  content: Pick<AppContent, 'shopName' | 'look'>;
}) {
  const { logo } = look;
  return (
    <Link href={urls.home()} className="wordmark">
      {logo ? (
        <picture className="contents">
          {logo.night && <source media="(prefers-color-scheme: dark)" srcSet={logo.night} />}
          <img
            className="h-auto max-h-10 w-auto max-w-[min(12.5rem,40vw)]"
            src={logo.day}
            width={logo.width}
            height={logo.height}
            alt={logo.text}
          />
        </picture>
      ) : (
        shopName
      )}
    </Link>
  );
}
