import { useRef, useState } from 'react';
import type { MenuSection } from '#contract/rules/menu-sections.ts';
import type { Product, ProductSummary } from '#contract/schemas/catalogue.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import type { Translate } from '#contract/translate.ts';
import { IconButton, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { announce } from '#ui/page.tsx';
import { quantityRange } from '#ui/quantity-stepper.tsx';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Money, Price } from '#web/ui/price.tsx';

interface TableItem {
  sku: string;
  product: string;
  productName: string;
  optionPairs: string;
  quantity: number;
}

interface TableMenuProps {
  /** `localStoreName`. */
  store: string;
  sections: MenuSection[];
  order: Order | undefined;
  load: (id: string) => Promise<Product>;
  add: (item: TableItem) => Promise<Order>;
  choose: (product: ProductSummary) => void;
  beforeChoosing: (product: ProductSummary) => { onPointerEnter: () => void; onFocus: () => void };
  setQuantity: (line: LineItem, quantity: number) => Promise<void>;
  /** Called by the link to checkout, before it leads there. */
  onCheckout: () => void;
}

/** A menu as a dense list in sections, with buttons for each item, and the way to checkout once something is ordered. */
export function TableMenu({ store, sections, order, onCheckout, ...calls }: TableMenuProps) {
  const t = useT();
  return (
    <>
      {sections.map(({ title, products }) => (
        <section key={title} className="mb-10">
          {title && <h2 className="mb-2">{title}</h2>}
          {sharedTimes(products, store) && (
            <p className="-mt-1 mb-2 text-ink-soft">{sharedTimes(products, store)}</p>
          )}
          <ul className="divide-y divide-line border-line border-y">
            {products.map((product) => (
              <MenuRow
                key={product.id}
                product={product}
                times={sharedTimes(products, store) ? undefined : product.served?.stores[store]}
                lines={order?.lineItems.filter((line) => line.product === product.id) ?? []}
                {...calls}
              />
            ))}
          </ul>
        </section>
      ))}
      {order && order.lineItems.length > 0 && (
        <OrderBar order={order} label={t('table.checkout')} onCheckout={onCheckout} />
      )}
    </>
  );
}

/** When the products of a section are served, if it is the same for all of them. */
const sharedTimes = ([first, ...others]: ProductSummary[], store: string) =>
  others.every(({ served }) => served?.stores[store] === first?.served?.stores[store])
    ? first?.served?.stores[store]
    : undefined;

interface MenuRowProps extends Omit<TableMenuProps, 'store' | 'sections' | 'order' | 'onCheckout'> {
  product: ProductSummary;
  /** When it is served, if not all of its section is. */
  times: string | undefined;
  lines: LineItem[];
}

function MenuRow({ product, times, lines, beforeChoosing, setQuantity, ...calls }: MenuRowProps) {
  const t = useT();
  const { productName, priceInfo, inventory } = product;
  const { busy, problem, press, run } = useAddingItem(product, calls);
  const plus = useRef<HTMLButtonElement>(null);
  const step = (line: LineItem, by: number) => {
    const quantity = line.quantity + by;
    if (quantity > quantityRange.max) return;
    // The button pressed goes with its line.
    if (quantity === 0) plus.current?.focus();
    run(() => setQuantity(line, quantity));
  };
  // Where something is chosen, each choice has a line of its own and the plus asks for another.
  const plain = lines.find((line) => choiceOf(line) === '' && line.note === '');
  return (
    <li className="py-3">
      <div className="relative grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-4">
        <RowWords {...{ product, times }} />
        <div className="flex flex-col items-end gap-1 product:flex-row product:items-center product:gap-6">
          <span className="whitespace-nowrap text-right tabular-nums">
            <Price priceInfo={priceInfo} />
          </span>
          {plain || inventory.quantity > 0 ? (
            <span className="flex items-center justify-end product:min-w-32">
              {plain && <Less line={plain} onStep={step} />}
              {/* The same button before and after, so that it keeps the focus. */}
              <IconButton
                ref={plus}
                icon="plus"
                label={plain ? moreLabel(plain, t) : t('table.add', { product: productName })}
                // A tap anywhere on a drink asks how it is liked.
                className={cx(stepClass, !plain && 'after:absolute after:inset-0')}
                aria-disabled={busy || isMost(plain)}
                {...beforeChoosing(product)}
                onClick={() => !busy && (plain ? step(plain, 1) : press())}
              />
            </span>
          ) : (
            <span className="text-right text-ink-soft product:min-w-32 text-sm">{t('ui.soldOut')}</span>
          )}
        </div>
      </div>
      {lines
        .filter((line) => line !== plain)
        .map((line) => (
          <ChosenLine key={line.id} line={line} onStep={step} />
        ))}
      {problem && (
        <p role="alert" className="mt-2 text-clay text-sm">
          {problem}
        </p>
      )}
    </li>
  );
}

function RowWords({
  product: { productName, mediaInfo, shortDesciption },
  times,
}: Pick<MenuRowProps, 'product' | 'times'>) {
  const image = mediaInfo.imageInfos[0];
  return (
    <>
      {image ? <Picture image={image} sizes="3.5rem" alt="" shape="square" /> : <span />}
      <div className="min-w-0">
        <h3 className="text-pretty font-sans text-base leading-snug">{productName}</h3>
        <p className="text-ink-soft text-sm leading-snug">{firstSentence(shortDesciption)}</p>
        {times && <p className="text-sm leading-snug">{times}</p>}
      </div>
    </>
  );
}

const stepClass = 'border border-edge bg-raised';

const isMost = (line: LineItem | undefined) => line !== undefined && line.quantity >= quantityRange.max;
const choiceOf = ({ optionText, modifierText }: LineItem) =>
  [optionText, modifierText].filter(Boolean).join(' · ');
const nameOf = (line: LineItem) => [line.productName, choiceOf(line), line.note].filter(Boolean).join(' · ');
const moreLabel = (line: LineItem, t: Translate) => `${t('ui.quantity.more')} (${nameOf(line)})`;

type StepProps = { line: LineItem; onStep: (line: LineItem, by: number) => void };

function ChosenLine({ line, onStep }: StepProps) {
  const t = useT();
  return (
    <div className="flex items-center justify-between gap-4 pt-2 pl-18 text-sm">
      <span className="min-w-0 leading-snug">
        {choiceOf(line) || line.productName}
        {line.note && <span className="block text-ink-soft">{line.note}</span>}
      </span>
      <span className="flex items-center">
        <Less line={line} onStep={onStep} />
        <IconButton
          icon="plus"
          label={moreLabel(line, t)}
          className={stepClass}
          aria-disabled={isMost(line)}
          onClick={() => onStep(line, 1)}
        />
      </span>
    </div>
  );
}

function Less({ line, onStep }: StepProps) {
  const t = useT();
  return (
    <>
      <IconButton
        icon="minus"
        label={`${t('ui.quantity.less')} (${nameOf(line)})`}
        className={stepClass}
        onClick={() => onStep(line, -1)}
      />
      <span className="w-10 text-center text-base tabular-nums" aria-live="polite">
        {line.quantity}
      </span>
    </>
  );
}

/** `press` adds one unit, or asks how it is liked if there is a choice; `run` changes a line. `problem` says why either failed. */
function useAddingItem(
  product: ProductSummary,
  { load, add, choose }: Pick<MenuRowProps, 'load' | 'add' | 'choose'>,
) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  const press = async () => {
    const { id, productName } = product;
    const { specification, modifierGroups = [], skus } = await load(id);
    if (specification.options.length + modifierGroups.length > 0) return choose(product);
    const [only] = skus;
    if (!only) return;
    await add({ sku: only.sku, product: id, productName, optionPairs: only.optionPairs, quantity: 1 });
    announce(t('table.added', { product: productName }));
  };
  return { busy, problem, run: (work: () => Promise<void>) => void run(work), press: () => void run(press) };
}

function OrderBar({ order, label, onCheckout }: { order: Order; label: string; onCheckout: () => void }) {
  const t = useT();
  const units = order.lineItems.reduce((sum, line) => sum + line.quantity, 0);
  const { subtotal, discount, currency } = order.bill;
  return (
    <div className="sticky bottom-0 z-10 mt-6 flex items-center justify-between gap-4 border-line border-t bg-paper py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <p className="leading-tight" role="status">
        <span className="block text-ink-soft text-sm">{t('cart.items', { count: units })}</span>
        <Money cents={subtotal - discount} currency={currency} className="font-semibold" />
      </p>
      <LinkButton href={urls.checkout()} onClick={onCheckout}>
        {label}
      </LinkButton>
    </div>
  );
}

/** The first sentence of a text; all of it if it has no end. A point within a number ends nothing. */
export function firstSentence(text: string): string {
  return /^.+?(?:[。！？]|[.!?](?=\s|$))/su.exec(text)?.[0] ?? text;
}
