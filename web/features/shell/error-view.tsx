import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';

/** What a page shows when its data could not be had. Trying again asks for it anew. */
export function ErrorView({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const offline = (error as { status?: number }).status === 0;
  const retry = () => {
    queries.reset();
    void router.invalidate().then(() => reset?.());
  };
  return (
    <section className="mx-auto max-w-prose px-gutter py-section text-center">
      <h1 tabIndex={-1}>{t(offline ? 'shell.error.offlineTitle' : 'shell.error.title')}</h1>
      <p className="mt-4 text-ink-soft">{t(offline ? 'shell.error.offlineText' : 'shell.error.text')}</p>
      <p className="mt-8 flex justify-center gap-6">
        <button type="button" className="button button-primary" onClick={retry}>
          {t('shell.error.retry')}
        </button>
        <Link href={urls.home()} className="self-center underline">
          {t('shell.error.home')}
        </Link>
      </p>
    </section>
  );
}
