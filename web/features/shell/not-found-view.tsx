import { useT } from '#web/i18n/i18n.tsx';

export function NotFoundView() {
  const t = useT();
  return <h1>{t('shell.notFound.title')}</h1>;
}
