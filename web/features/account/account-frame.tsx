import type { ReactNode } from 'react';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame, PageHeading, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { urls } from '#web/lib/urls.ts';
import { LastAlert } from './alert.tsx';

export interface AccountFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  /** The breadcrumbs between the account and this screen. */
  trail?: { label: string; href: string }[];
  /** This screen's name in the breadcrumbs; absent on the account's own first screen. */
  name?: string;
  children: ReactNode;
}

/** The frame of every account screen: breadcrumbs, heading, introduction. */
export function AccountFrame({ title, lead, aside, trail = [], name, children }: AccountFrameProps) {
  const t = useT();
  return (
    <Frame className="min-h-dvh pt-4 pb-section">
      {name && <Breadcrumbs items={[{ label: t('account.menu.title'), href: urls.account() }, ...trail, { label: name }]} />}
      <PageHeading lead={lead} aside={aside} className="pt-2">
        {title}
      </PageHeading>
      <LastAlert />
      {children}
    </Frame>
  );
}

/** Placeholders for fields that are loading. */
export function FieldsSkeleton({ fields = 3 }: { fields?: number }) {
  return (
    <div role="status" aria-label={useT()('ui.loading')} className="flex max-w-form flex-col gap-5">
      {Array.from({ length: fields }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
        <Skeleton key={field} className="h-18 rounded-md" />
      ))}
    </div>
  );
}

/** Placeholders for a list that is loading. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label={useT()('ui.loading')} className="flex max-w-prose flex-col gap-6">
      <SkeletonText lines={3} />
      <SkeletonText lines={3} />
      <SkeletonText lines={3} />
    </div>
  );
}
