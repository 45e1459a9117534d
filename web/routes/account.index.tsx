import { createFileRoute, redirect } from '@tanstack/react-router';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/account/')({
  beforeLoad: () => {
    throw redirect({ href: urls.account() });
  },
});
