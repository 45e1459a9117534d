import { createFileRoute, redirect } from '@tanstack/react-router';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/brand/')({
  beforeLoad: () => {
    throw redirect({ href: urls.brands(), statusCode: 301, replace: true });
  },
});
