import { crumbClass, crumbLinkClass, crumbListClass } from '#ui/breadcrumbs.tsx';
import { cx } from '#ui/cx.ts';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';

export interface Step {
  label: string;
  href?: string;
}

export function Steps({ steps, current, label }: { steps: Step[]; current: number; label: string }) {
  return (
    <nav aria-label={label}>
      <ol className={crumbListClass}>
        {steps.map((step, index) => (
          <li key={step.label} className={crumbClass}>
            {index > 0 && <Icon name="chevron-right" size={14} />}
            {index < current && step.href ? (
              <Link href={step.href} className={crumbLinkClass}>
                {step.label}
              </Link>
            ) : (
              <span
                className={cx('py-1.5', index === current && 'font-semibold text-ink')}
                aria-current={index === current ? 'step' : undefined}
              >
                {step.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
