import type { ReactNode } from 'react';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { LastAlert } from './alert.tsx';

export interface GuestFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  /** Before the form: what somebody came for who does not want to sign in. */
  first?: ReactNode;
  children: ReactNode;
  /** The alternative to the form, under it. */
  aside?: ReactNode;
}

/** The frame of the screens for guests: one centred column with the fields and an alternative. */
export function GuestFrame({ title, lead, first, children, aside }: GuestFrameProps) {
  return (
    <Frame className="min-h-dvh pb-section">
      <div className="mx-auto flex max-w-104 flex-col">
        <PageHeading lead={lead}>{title}</PageHeading>
        <LastAlert />
        {first}
        {children}
        {aside && <aside className="mt-12 flex flex-col gap-8">{aside}</aside>}
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
