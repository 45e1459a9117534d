import type { ReactNode } from 'react';
import { Frame, PageHeading } from '#web/ui/layout.tsx';
import { LastAlert } from './alert.tsx';

export interface GuestFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  /** The alternative to the form: beside it on wide screens, under it on phones. */
  aside?: ReactNode;
}

/** The frame of the screens for guests: one column of fields, and an alternative. */
export function GuestFrame({ title, lead, children, aside }: GuestFrameProps) {
  return (
    <Frame className="min-h-dvh pb-section">
      <div className="mx-auto grid max-w-form gap-x-20 gap-y-12 menu:max-w-none menu:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="w-full max-w-form">
          <PageHeading lead={lead}>{title}</PageHeading>
          <LastAlert />
          {children}
        </div>
        {aside && <aside className="flex flex-col gap-8 self-start menu:mt-8">{aside}</aside>}
      </div>
    </Frame>
  );
}

/** One alternative action. */
export function AlternativeLink({ title, text, action }: { title: ReactNode; text: ReactNode; action: ReactNode }) {
  return (
    <section className="flex flex-col items-start gap-3 rounded-lg bg-surface-inset p-6">
      <h2 className="text-lg">{title}</h2>
      <p>{text}</p>
      {action}
    </section>
  );
}
