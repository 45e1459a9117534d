import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { missingForFreeShipping } from '#contract/rules/free-shipping.ts';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Order } from '#contract/schemas/order.ts';
import { Button, IconButton, LinkButton } from '#ui/button.tsx';
import { Dialog, Drawer } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { announce, matchesProductWidth } from '#ui/page.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Money, Price } from '#web/ui/price.tsx';
import type { AddToCart, Outcome } from './buy-box.tsx';
import { deliveryPromiseQuery } from './later-queries.ts';
import { productQuery, relatedQuery } from './queries.ts';
import { type Choice, labelOf } from './selection.tsx';

export interface AddedPanelProps {
  product: Product;
  choice: Choice;
  price: PriceInfo;
  picture: ImageInfo | undefined;
  outcome: Outcome;
  onClose: () => void;
  cart: AddToCart;
}

type Added = Extract<Outcome, { kind: 'added' }>;

function AddedPanel(props: AddedPanelProps) {
  const [wide] = useState(matchesProductWidth);
  // The drawer keeps its content while it slides away.
  const [last, setLast] = useState<Added>();
  const added = props.outcome.kind === 'added' ? props.outcome : undefined;
  if (added && added !== last) setLast(added);
  if (!wide) return added && <AddedSheet {...props} added={added} />;
  return last && <AddedDrawer {...props} added={last} open={added !== undefined} />;
}

function AddedDrawer({ open, onClose, cart, ...item }: AddedPanelProps & { added: Added; open: boolean }) {
  const t = useT();
  const [later, setLater] = useState<Order>();
  const order = later && later.version > item.added.order.version ? later : item.added.order;
  return (
    <Drawer
      open={open}
      onClose={onClose}
      title={t('product.added')}
      foot={
        <div className="flex flex-col gap-3">
          <Subtotal order={order} />
          <LinkButton href={urls.checkout()} wide>
            {t('product.checkout')}
          </LinkButton>
          <LinkButton href={urls.cart()} variant="secondary" wide>
            {t('product.goToCart')}
          </LinkButton>
        </div>
      }
    >
      <div className="flex flex-col gap-8 py-6">
        <AddedItem {...item} />
        <RelatedOffer productId={item.product.id} order={order} cart={cart} onAdded={setLater} />
      </div>
    </Drawer>
  );
}

const sheetClass =
  'absolute inset-x-0 bottom-full animate-[rise_var(--motion-slow)_var(--ease-out)] rounded-t-lg bg-raised px-gutter pt-4 pb-5 shadow-over';

/** Over the bar with the button: focus stays on the button, and the sheet is the next tab stop. */
function AddedSheet({ onClose, ...item }: AddedPanelProps & { added: Added }) {
  const t = useT();
  const said = useSaid(item);
  const announced = useRef<Added | null>(null);
  useEffect(() => {
    // Adding the same item again is announced as well.
    if (announced.current !== item.added) announce(said);
    announced.current = item.added;
  }, [said, item.added]);
  return (
    <section
      className={sheetClass}
      aria-label={t('product.added')}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <header className="flex items-center justify-between">
        <h2 className="flex items-center gap-2 text-lg">
          <Icon name="check" size={20} className="text-action" />
          {t('product.added')}
        </h2>
        <IconButton icon="close" size="small" label={t('ui.close')} onClick={onClose} />
      </header>
      <div className="mt-3 flex flex-col gap-4">
        <AddedItem {...item} />
        <Subtotal order={item.added.order} />
        <div className="flex gap-3">
          <LinkButton href={urls.checkout()} size="small" className="flex-1">
            {t('product.checkout')}
          </LinkButton>
          <LinkButton href={urls.cart()} variant="secondary" size="small" className="flex-1">
            {t('product.goToCart')}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}

type Item = Pick<AddedPanelProps, 'product' | 'choice' | 'price' | 'picture'> & { added: Added };

function useSaid({ product, choice, added }: Item): string {
  const t = useT();
  const locale = useLocale();
  const name = inLocale(product.nameContent, locale);
  const options = labelOf(product.specification.options, choice, locale, t);
  return t('product.added.said', { count: added.quantity, name: options ? `${name}, ${options}` : name });
}

function AddedItem({ product, choice, price, picture, added }: Item) {
  const t = useT();
  const locale = useLocale();
  const options = labelOf(product.specification.options, choice, locale, t);
  return (
    <div className="flex gap-4">
      {picture && (
        <div className="w-18 flex-none">
          <Picture image={picture} shape="square" sizes="5rem" alt="" />
        </div>
      )}
      <p className="leading-normal">
        <span className="font-semibold">{inLocale(product.nameContent, locale)}</span>
        {options && <span className="block text-ink-soft">{options}</span>}
        <span className="block tabular-nums">{`${added.quantity} × ${formatMoney(price.price, locale, price.currency)}`}</span>
      </p>
    </div>
  );
}

function Subtotal({ order: { lineItems, bill } }: Pick<Added, 'order'>) {
  const t = useT();
  const locale = useLocale();
  const freeOver = useQuery(deliveryPromiseQuery(useApi())).data?.freeOver ?? null;
  const missing = freeOver === null ? null : missingForFreeShipping(bill, freeOver);
  const parcel = lineItems.every(({ inStoreOnly }) => !inStoreOnly);
  const count = lineItems.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div>
      <p className="flex justify-between gap-4 font-semibold">
        <span>{t('product.added.subtotal', { count })}</span>
        <Money cents={bill.subtotal} currency={bill.currency} />
      </p>
      {parcel && missing !== null && (
        <p className="text-ink-soft text-sm">
          {missing > 0
            ? t('product.delivery.toFree', { amount: formatMoney(missing, locale, bill.currency) })
            : t('product.delivery.isFree')}
        </p>
      )}
    </div>
  );
}

interface RelatedOfferProps {
  productId: string;
  order: Order;
  cart: AddToCart;
  onAdded: (order: Order) => void;
}

/** One related product that is not in the cart yet. One without options can be added here; others have a page to choose on. */
function RelatedOffer({ productId, order, cart, onAdded }: RelatedOfferProps) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const errorId = useId();
  const [problem, setProblem] = useState<string>();
  const related = useQuery(relatedQuery(api, productId)).data?.find(
    ({ id, inventory, inStoreOnly }) =>
      inventory.quantity > 0 && !inStoreOnly && !order.lineItems.some(({ product }) => product === id),
  );
  const whole = useQuery({ ...productQuery(api, related?.id ?? ''), enabled: related !== undefined }).data;
  if (!related) return null;
  const name = inLocale(related.nameContent, locale);
  const sku =
    whole?.specification.options.length === 0 ? whole.skus.find(({ inStock }) => inStock) : undefined;
  const add = async () => {
    if (!sku || cart.pending) return;
    try {
      const item = {
        sku: sku.sku,
        product: related.id,
        productName: related.productName,
        optionPairs: '',
        quantity: 1,
      };
      onAdded(await cart.add(item));
      setProblem(undefined);
      announce(t('product.added.said', { count: 1, name }));
    } catch (error) {
      setProblem(errorText(error, t));
    }
  };
  const [image] = related.mediaInfo.imageInfos;
  return (
    <section className="border-line border-t pt-5">
      <h3>{t('product.related')}</h3>
      <div className="mt-3 flex items-center gap-4">
        {image && (
          <div className="w-18 flex-none">
            <Picture image={image} shape="square" sizes="5rem" alt="" />
          </div>
        )}
        <p className="grow leading-normal">
          <Link href={urls.product(related.id)} className="block hover:underline">
            {name}
          </Link>
          <Price priceInfo={related.priceInfo} />
        </p>
        {sku && (
          <IconButton
            icon="plus"
            label={t('product.added.add', { name })}
            aria-describedby={problem && errorId}
            aria-disabled={cart.pending}
            onClick={() => void add()}
          />
        )}
      </div>
      <FieldError id={errorId}>{problem}</FieldError>
    </section>
  );
}

/** What follows a press of "Add to cart" and covers part of the page: the item added, or SPEC §8's alert. */
export function BuyOutcome(props: AddedPanelProps) {
  const { outcome, onClose } = props;
  const t = useT();
  return (
    <>
      <AddedPanel {...props} />
      <Dialog
        open={outcome.kind === 'unavailable'}
        onClose={onClose}
        role="alertdialog"
        title={t('product.oops')}
        actions={<Button label={t('product.ok')} onClick={onClose} />}
      >
        <p>{t('product.unavailable')}</p>
      </Dialog>
    </>
  );
}
