/** An old address of the shop, and where it leads. */
import { useParams } from '@tanstack/react-router';
import { forms } from '#contract/staff/forms.ts';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';

export default function RedirectPage() {
  const { redirect: id = '' } = useParams({ strict: false }) as { redirect?: string };
  const { t } = useOffice();
  return (
    <KindPage
      kind="redirect"
      id={id}
      name={['redirect', id]}
      title={id}
      list={{ path: 'redirects', query: 'redirects', title: t('office.redirects') }}
      needs="content.publish"
      removable
    >
      {() => <SchemaForm fields={forms.redirect} />}
    </KindPage>
  );
}
