import { useState } from 'react';
import type { Product, ProductSummary } from '#contract/schemas/catalogue.ts';
import type { Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { errorText } from '#web/lib/api-errors.ts';
import { formatMoney } from '#web/lib/format.ts';
import { urls } from '#web/lib/urls.ts';
import { announce } from '#web/ui/announce.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Money, Price } from '#web/ui/price.tsx';
import { chosenSku, firstChoices } from './chosen-sku.ts';
import { firstSentence } from './first-sentence.ts';

/** What the cart needs to add one unit. */
export interface TableItem {
  sku: string;
  product: string;
  productName: string;
  optionPairs: string;
  quantity: number;
}

export interface TableMenuProps {
  products: ProductSummary[];
  /** The cart; undefined while it loads. */
  order: Order | undefined;
  /** Loads a product with its options and SKUs. */
  load: (id: string) => Promise<Product>;
  add: (item: TableItem) => Promise<Order>;
}

/** A menu as a dense list, with a button for each item, and the way to checkout once something is ordered. */
export function TableMenu({ products, order, load, add }: TableMenuProps) {
  const t = useT();
  return (
    <>
      <ul className="max-w-form divide-y divide-line border-line border-y">
        {products.map((product) => (
          <MenuRow key={product.id} product={product} load={load} add={add} />
        ))}
      </ul>
      {order && order.lineItems.length > 0 && <OrderBar order={order} label={t('table.checkout')} />}
    </>
  );
}

interface MenuRowProps extends Pick<TableMenuProps, 'load' | 'add'> {
  product: ProductSummary;
}

function MenuRow({ product, load, add }: MenuRowProps) {
  const t = useT();
  const { productName, priceInfo, mediaInfo, inventory, shortDesciption } = product;
  const image = mediaInfo.imageInfos[0];
  const { busy, problem, choosing, press, put } = useAddingItem(product, load, add);
  return (
    <li className="py-3">
      <div className="grid grid-cols-[4rem_1fr_auto] items-center gap-4">
        {image ? <Picture image={image} sizes="4rem" alt="" shape="square" /> : <span />}
        <div className="min-w-0">
          <h2 className="text-pretty font-sans text-base leading-snug">{productName}</h2>
          <p className="text-ink-soft text-sm">{firstSentence(shortDesciption)}</p>
          <p className="text-sm">
            <Price priceInfo={priceInfo} />
          </p>
        </div>
        {inventory.quantity > 0 ? (
          <Button
            variant="secondary"
            size="small"
            icon="plus"
            busy={busy}
            aria-label={t('table.add', { product: productName })}
            aria-expanded={choosing ? true : undefined}
            onClick={press}
          >
            <span className="sr-only">{t('table.add', { product: productName })}</span>
          </Button>
        ) : (
          <span className="text-ink-soft text-sm">{t('ui.soldOut')}</span>
        )}
      </div>
      {choosing && <Options product={choosing} busy={busy} onAdd={put} />}
      {problem && (
        <p role="alert" className="mt-2 text-clay text-sm">
          {problem}
        </p>
      )}
    </li>
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
    /** The product whose options the customer chooses. */
    choosing,
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
          legend={nameContent[locale] ?? nameContent.en}
          value={choices[name] ?? null}
          onChange={(value) => setChoices((old) => ({ ...old, [name]: value }))}
          options={values.map(({ value, valueContent }) => ({ value, label: valueContent[locale] ?? valueContent.en }))}
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
    <div className="sticky bottom-0 z-10 mt-6 flex max-w-form items-center justify-between gap-4 border-line border-t bg-paper py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <p className="leading-tight" role="status">
        <span className="block text-ink-soft text-sm">{t('cart.items', { count: units })}</span>
        <Money cents={subtotal - discount} currency={currency} className="font-semibold" />
      </p>
      <LinkButton href={urls.checkout()}>{label}</LinkButton>
    </div>
  );
}
