import { type ComponentProps, type MouseEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import { Link } from './link.tsx';

interface ButtonLook {
  /** Use one primary button in a view, for the next step. Secondary is for the buttons beside it; quiet looks like text. */
  variant?: 'primary' | 'secondary' | 'quiet' | undefined;
  /** Small is 40 px high, for toolbars and rows; regular is 48. */
  size?: 'regular' | 'small' | undefined;
  wide?: boolean | undefined;
  className?: string | undefined;
}

const variants = { primary: 'btn-primary', secondary: 'btn-secondary', quiet: 'btn-quiet' };

export function buttonClass({
  variant = 'primary',
  size = 'regular',
  wide,
  className,
}: ButtonLook = {}): string {
  return cx('btn', variants[variant], size === 'small' && 'btn-small', wide && 'w-full', className);
}

export function ButtonLabel({ icon, children }: { icon?: IconName | undefined; children: ReactNode }) {
  return (
    <span className="btn-label inline-flex items-center justify-center gap-2">
      {icon && <Icon name={icon} size={20} />}
      {/* A text beside an icon is an element, so that it changes on pages that the browser translates. */}
      {icon && typeof children === 'string' ? <span>{children}</span> : children}
    </span>
  );
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  icon?: IconName;
  /** A spinner overlays the label; presses are ignored, and focus stays (a disabled button would lose it). */
  busy?: boolean;
  /** A check is drawn in place of the label, which comes back by itself. */
  done?: boolean;
  /** All that it says, in place of children. */
  label?: string | undefined;
  children?: ReactNode;
}

/** How far a pointer moves until a press is meant no more, CSS px. */
const leavingPx = 24;

/**
 * Holds a press: what arrives between its beginning and its end, such as an answer of the shop, may move the page below the pointer.
 * Whoever moves the pointer away takes the press back.
 */
function useHeldPress() {
  const start = useRef<{ x: number; y: number }>(null);
  return {
    onPointerDown({
      currentTarget,
      pointerId,
      button,
      clientX: x,
      clientY: y,
    }: PointerEvent<HTMLButtonElement>) {
      if (button !== 0) return;
      start.current = { x, y };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLButtonElement>) {
      if (!start.current || !currentTarget.hasPointerCapture(pointerId)) return;
      const { x, y } = start.current;
      if (Math.hypot(clientX - x, clientY - y) > leavingPx) currentTarget.releasePointerCapture(pointerId);
    },
  };
}

/** `type` defaults to "button". A busy button does not submit its form. */
export function Button({
  variant,
  size,
  wide,
  className,
  icon,
  busy = false,
  done,
  type = 'button',
  label,
  children = label,
  onClick,
  ...rest
}: ButtonProps) {
  const held = useHeldPress();
  // Absent while it is busy, so that it is drawn again for the next success.
  const checked = (done && !busy) || undefined;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...(type === 'submit' ? held : {})}
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide, className })}
      onClick={press}
      aria-busy={busy || undefined}
      data-done={checked}
      aria-disabled={busy || rest['aria-disabled']}
    >
      <ButtonLabel icon={icon}>{children}</ButtonLabel>
      {busy && (
        <span
          className="btn-spinner absolute size-5 animate-spinner rounded-full border-2 border-current border-r-transparent motion-reduce:animate-breathe"
          aria-hidden
        />
      )}
      {checked && <Icon name="check" size={20} className="btn-check" />}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName;
  label: string;
  /** 44 px unless small, which is 32 for a mouse and 44 for fingers. */
  size?: 'regular' | 'small';
  /** Drawn over its corner, the number in the cart for instance. */
  children?: ReactNode;
}

export function IconButton({
  icon,
  label,
  size = 'regular',
  className,
  children,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={cx('icon-btn', size === 'small' && 'icon-btn-small', className)}
    >
      <Icon name={icon} size={size === 'small' ? 20 : 24} />
      {children}
    </button>
  );
}

interface LinkButtonProps extends ButtonLook, Omit<Parameters<typeof Link>[0], 'className' | 'children'> {
  icon?: IconName;
  children: ReactNode;
}

/** A link that looks like a button: it navigates. `href` is from `urls`, or one that a merchant wrote. */
export function LinkButton({ variant, size, wide, className, icon, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide, className })}>
      <ButtonLabel icon={icon}>{children}</ButtonLabel>
    </Link>
  );
}
