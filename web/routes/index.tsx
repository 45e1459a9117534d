import { createFileRoute } from '@tanstack/react-router';
import { useT } from '#web/i18n/i18n.tsx';

export const Route = createFileRoute('/')({ component: Home });

function Home() {
  const t = useT();
  return <h1>{t('shell.home')}</h1>;
}
