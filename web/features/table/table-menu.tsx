import { useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { Product, ProductSummary, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import type { Translate } from '#contract/translate.ts';
import { announce } from '#ui/announce.tsx';
import { Button, IconButton, LinkButton } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { urls } from '#web/lib/urls.ts';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Money, Price } from '#web/ui/price.tsx';
import { quantityRange } from '#web/ui/quantity-stepper.tsx';

interface TableItem {
  sku: string;
  product: string;
  productName: string;
  optionPairs: string;
  quantity: number;
}

export interface MenuSection {
  /** '' for a menu without sections. */
  title: string;
  products: ProductSummary[];
}

interface TableMenuProps {
  sections: MenuSection[];
  /** The cart; undefined while it loads. */
  order: Order | undefined;
  load: (id: string) => Promise<Product>;
  add: (item: TableItem) => Promise<Order>;
  /** 0 removes the line. */
  setQuantity: (sku: string, quantity: number) => Promise<void>;
}

/** A menu as a dense list in sections, with buttons for each item, and the way to checkout once something is ordered. */
export function TableMenu({ sections, order, ...calls }: TableMenuProps) {
  const t = useT();
  return (
    <>
      {sections.map(({ title, products }) => (
        <section key={title} className="mb-10">
          {title && <h2 className="mb-2">{title}</h2>}
          <ul className="divide-y divide-line border-line border-y">
            {products.map((product) => (
              <MenuRow
                key={product.id}
                product={product}
                lines={order?.lineItems.filter((line) => line.product === product.id) ?? []}
                {...calls}
              />
            ))}
          </ul>
        </section>
      ))}
      {order && order.lineItems.length > 0 && <OrderBar order={order} label={t('table.checkout')} />}
    </>
  );
}

interface MenuRowProps extends Pick<TableMenuProps, 'load' | 'add' | 'setQuantity'> {
  product: ProductSummary;
  lines: LineItem[];
}

function MenuRow({ product, lines, load, add, setQuantity }: MenuRowProps) {
  const t = useT();
  const { productName, priceInfo, mediaInfo, inventory, shortDesciption } = product;
  const image = mediaInfo.imageInfos[0];
  const { busy, problem, choosing, press, put, run } = useAddingItem(product, load, add);
  const plus = useRef<HTMLButtonElement>(null);
  const step = (line: LineItem, by: number) => {
    const quantity = line.quantity + by;
    if (quantity > quantityRange.max) return;
    // The button pressed goes with its line.
    if (quantity === 0) plus.current?.focus();
    run(() => setQuantity(line.sku, quantity));
  };
  // With options, each combination has a line of its own and the plus asks for another.
  const plain = lines.find(({ optionText }) => optionText === '');
  return (
    <li className="py-3">
      <div className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-4">
        {image ? <Picture image={image} sizes="3.5rem" alt="" shape="square" /> : <span />}
        <div className="min-w-0">
          <h3 className="text-pretty font-sans text-base leading-snug">{productName}</h3>
          <p className="text-ink-soft text-sm leading-snug">{firstSentence(shortDesciption)}</p>
        </div>
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
                className={stepClass}
                aria-disabled={busy || isMost(plain)}
                aria-expanded={choosing ? true : undefined}
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
          <OptionLine key={line.sku} line={line} onStep={step} />
        ))}
      {choosing && <Options product={choosing} busy={busy} onAdd={put} />}
      {problem && (
        <p role="alert" className="mt-2 text-clay text-sm">
          {problem}
        </p>
      )}
    </li>
  );
}

const stepClass = 'border border-edge bg-raised';

const isMost = (line: LineItem | undefined) => line !== undefined && line.quantity >= quantityRange.max;
const nameOf = ({ productName, optionText }: LineItem) => [productName, optionText].filter(Boolean).join(' · ');
const moreLabel = (line: LineItem, t: Translate) => `${t('ui.quantity.more')} (${nameOf(line)})`;

type StepProps = { line: LineItem; onStep: (line: LineItem, by: number) => void };

function OptionLine({ line, onStep }: StepProps) {
  const t = useT();
  return (
    <div className="flex items-center justify-between gap-4 pt-1 pl-18 text-sm">
      {line.optionText}
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

/** Takes one off, and how many are ordered. */
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

/** Adds one unit of a product: `press` at once, or after its options are chosen, which then are those of `choosing`. */
function useAddingItem({ id, productName }: ProductSummary, load: MenuRowProps['load'], add: MenuRowProps['add']) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [choosing, setChoosing] = useState<Product>();
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
  const put = async (sku: string, optionPairs: string) => {
    await add({ sku, product: id, productName, optionPairs, quantity: 1 });
    setChoosing(undefined);
    announce(t('table.added', { product: productName }));
  };
  const press = async () => {
    const whole = await load(id);
    const only = whole.skus[0];
    if (whole.specification.options.length > 0) setChoosing(whole);
    else if (only) await put(only.sku, only.optionPairs);
  };
  return {
    busy,
    problem,
    choosing,
    run: (work: () => Promise<void>) => void run(work),
    press: () => void run(press),
    put: (sku: string, optionPairs: string) => void run(() => put(sku, optionPairs)),
  };
}

interface OptionsProps {
  product: Product;
  busy: boolean;
  onAdd: (sku: string, optionPairs: string) => void;
}

/** The options of one item, each with its first value in stock chosen. */
function Options({ product, busy, onAdd }: OptionsProps) {
  const t = useT();
  const locale = useLocale();
  const [choices, setChoices] = useState(() => firstChoices(product));
  const sku = chosenSku(product, choices);
  const price = sku && formatMoney(sku.priceInfo.price, locale, sku.priceInfo.currency);
  return (
    <div className="mt-3 flex flex-col items-start gap-3 pl-20">
      {product.specification.options.map(({ name, nameContent, values }) => (
        <OptionChips
          key={name}
          legend={inLocale(nameContent, locale)}
          value={choices[name] ?? null}
          onChange={(value) => setChoices((old) => ({ ...old, [name]: value }))}
          options={values.map(({ value, valueContent }) => ({ value, label: inLocale(valueContent, locale) }))}
        />
      ))}
      <Button
        size="small"
        busy={busy}
        aria-disabled={!sku?.inStock}
        onClick={() => sku?.inStock && onAdd(sku.sku, sku.optionPairs)}
      >
        {sku?.inStock ? t('table.addFor', { amount: price ?? '' }) : t('ui.soldOut')}
      </Button>
    </div>
  );
}

function OrderBar({ order, label }: { order: Order; label: string }) {
  const t = useT();
  const units = order.lineItems.reduce((sum, line) => sum + line.quantity, 0);
  const { subtotal, discount, currency } = order.bill;
  return (
    <div className="sticky bottom-0 z-10 mt-6 flex items-center justify-between gap-4 border-line border-t bg-paper py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <p className="leading-tight" role="status">
        <span className="block text-ink-soft text-sm">{t('cart.items', { count: units })}</span>
        <Money cents={subtotal - discount} currency={currency} className="font-semibold" />
      </p>
      <LinkButton href={urls.checkout()}>{label}</LinkButton>
    </div>
  );
}

/** The chosen value of each option, by the option's name. */
type Choices = Readonly<Record<string, string>>;

type Optioned = Pick<Product, 'skus'> & { specification: Pick<Product['specification'], 'options'> };

export function firstChoices({ skus, specification: { options } }: Optioned): Choices {
  const sku = skus.find(({ inStock }) => inStock) ?? skus[0];
  return Object.fromEntries(
    options.map(({ name, values }) => [name, values.find(({ value }) => sku && hasPair(sku, name, value))?.value ?? '']),
  );
}

/** Undefined if no SKU has exactly these values. */
export function chosenSku({ skus }: Pick<Product, 'skus'>, choices: Choices): SkuInfo | undefined {
  return skus.find((sku) => Object.entries(choices).every(([name, value]) => hasPair(sku, name, value)));
}

/** `optionPairs` is text such as `#Size:Large#Milk:Oat`. */
function hasPair({ optionPairs }: SkuInfo, name: string, value: string): boolean {
  return `${optionPairs}#`.includes(`#${name}:${value}#`);
}

/** The first sentence of a text; all of it if it has no end. A point within a number ends nothing. */
export function firstSentence(text: string): string {
  return /^.+?(?:[。！？]|[.!?](?=\s|$))/su.exec(text)?.[0] ?? text;
}
