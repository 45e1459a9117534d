import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isFile } from '#ui/link.tsx';
import { isPlainClick } from '#ui/page.tsx';

/** Rich text of a merchant. The server has sanitised it, and its links lead to pages in this language. */
export function RichText({ html }: { html: string }) {
  const router = useRouter();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    // Internal links navigate within the page like all others, instead of reloading the shop.
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a');
      const href = link?.getAttribute('href') ?? '';
      if (event.defaultPrevented || !isPlainClick(event) || !/^\/(?!\/)/.test(href) || isFile(href)) return;
      event.preventDefault();
      router.history.push(href);
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [router]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server, at import and again when it is served
  return <div ref={box} className="rich prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
