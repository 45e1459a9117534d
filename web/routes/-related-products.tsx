import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { Product, SetPiece } from '#contract/schemas/catalogue.ts';
import type { CartSetInput, Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText, fieldErrorsOf } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { announce } from '#ui/page.tsx';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { CardGrid } from '#web/features/catalogue/product-card.tsx';
import { relatedQuery } from '#web/features/product/queries.ts';
import {
  alternativeTo,
  type Choice,
  chooseFrom,
  labelOf,
  pictureOf,
  skuOf,
} from '#web/features/product/selection.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';
import { ProductGridSkeleton } from '#web/ui/product-grid.tsx';
import { productSetQuery } from '../features/product/later-queries.ts';

/** The height of a set, also while it loads: names of four lines, and on phones the button below. */
const roomClass = 'min-h-78 product:min-h-58';

/** The height of the text on a card, also while it loads: a name of two lines, a fact, the price, and colours or where it is sold. */
const cardRoomClass = '[&_.product-card-text]:min-h-29';

/** One row on a desktop, two on a phone. */
const relatedShown = 4;

/** Products that go with a product: first as a set with it, then others, each for itself. */
export function RelatedProducts({ product }: { product: Product }) {
  const t = useT();
  const api = useApi();
  const cart = useCartStore();
  const asked = useSearch({ strict: false }) as Record<string, unknown>;
  const { data, isError } = useQuery(relatedQuery(api, product.id));
  const set = useProductSet(product, chooseFrom(product, asked));
  const shown = set.pieces.map(({ id }) => id);
  const others = isError ? [] : set.isPending ? undefined : data?.filter(({ id }) => !shown.includes(id));
  return (
    <>
      <SetOffer set={set} addSet={(body) => cart.change(() => api.call('addSetToCart', { body }))} />
      {others?.length !== 0 && (
        <Section title={t('product.related')} className={cardRoomClass}>
          {others ? (
            <CardGrid products={others.slice(0, relatedShown)} />
          ) : (
            <ProductGridSkeleton count={relatedShown} />
          )}
        </Section>
      )}
    </>
  );
}

interface SetOfferProps {
  set: ProductSet;
  addSet: (set: CartSetInput) => Promise<Order>;
}

type Result = { kind: 'idle' | 'busy' | 'added' } | { kind: 'failed'; text: string };

interface ProductSet {
  /** The product itself as chosen; undefined if it is not in stock, and there is no set. */
  own: SetPiece | undefined;
  /** With what goes with it; only itself while that loads. Empty if there is no set. */
  pieces: SetPiece[];
  isPending: boolean;
}

function useProductSet(product: Product, choice: Choice): ProductSet {
  const own = useOwnPiece(product, choice);
  const { data, isPending } = useQuery(productSetQuery(useApi(), product.id));
  const others = data?.pieces ?? [];
  return { own, pieces: own && (isPending || others.length > 0) ? [own, ...others] : [], isPending };
}

function SetOffer({ set: { own, pieces, isPending }, addSet }: SetOfferProps) {
  const t = useT();
  const locale = useLocale();
  const [result, add] = useAddSet(pieces, addSet);
  if (!own || pieces.length === 0) return null;
  if (isPending)
    return (
      <Section title={t('set.title')}>
        <div className={roomClass} />
      </Section>
    );
  const count = pieces.length;
  const total = pieces.reduce((sum, { priceInfo }) => sum + priceInfo.price, 0);
  return (
    <Section title={t('set.title')}>
      <div className={cx(roomClass, 'flex flex-wrap content-start items-center gap-x-10 gap-y-6')}>
        <ul className="flex flex-wrap gap-2 product:gap-4">
          {pieces.map((piece, index) => (
            <Piece key={piece.id} piece={piece} first={index === 0} />
          ))}
        </ul>
        <div className="grid gap-3">
          <Button
            icon="bag"
            busy={result.kind === 'busy'}
            done={result.kind === 'added'}
            onClick={() => void add()}
          >
            {t('set.add', { count, amount: formatMoney(total, locale, own.priceInfo.currency) })}
          </Button>
          {result.kind === 'added' && (
            <p className="text-sm">
              <span>{t('set.added', { count })}</span>{' '}
              <Link href={urls.cart()} className="link">
                {t('product.goToCart')}
              </Link>
            </p>
          )}
        </div>
      </div>
      {result.kind === 'failed' && (
        <Notice tone="bad" className="mt-4">
          {result.text}
        </Notice>
      )}
    </Section>
  );
}

function useAddSet(pieces: readonly SetPiece[], addSet: SetOfferProps['addSet']) {
  const t = useT();
  const locale = useLocale();
  const bought = pieces.map(({ sku }) => sku).join(' ');
  const [said, setSaid] = useState<{ about: string; result: Result }>({
    about: bought,
    result: { kind: 'idle' },
  });
  // Another choice is another set.
  const result: Result = said.about === bought ? said.result : { kind: 'idle' };
  const say = (next: Result) => setSaid({ about: bought, result: next });
  const add = async () => {
    if (result.kind === 'busy') return;
    say({ kind: 'busy' });
    try {
      await addSet({ items: pieces.map(({ sku, optionPairs }) => ({ sku, optionPairs })) });
      say({ kind: 'added' });
      announce(t('set.added', { count: pieces.length }));
    } catch (error) {
      const lacking = Object.keys(fieldErrorsOf(error)).flatMap(
        (path) => pieces[Number(path.split('.')[1])] ?? [],
      );
      const names = lacking
        .map(({ nameContent }) => inLocale(nameContent, locale))
        .join(t('ui.listSeparator'));
      say({ kind: 'failed', text: names ? t('set.out', { names }) : errorText(error, t) });
    }
  };
  return [result, add] as const;
}

function useOwnPiece(product: Product, choice: Choice): SetPiece | undefined {
  const t = useT();
  const locale = useLocale();
  const chosen = skuOf(product, choice)?.inStock ? choice : alternativeTo(product, choice)?.choice;
  const sku = chosen && skuOf(product, chosen);
  if (!chosen || !sku?.inStock || product.inStoreOnly) return undefined;
  const { options } = product.specification;
  return {
    id: product.id,
    nameContent: product.nameContent,
    image: pictureOf(product, chosen) ?? product.mediaInfo.imageInfos[0] ?? null,
    sku: sku.sku,
    optionPairs: sku.optionPairs,
    optionText: labelOf(options, chosen, locale, t),
    priceInfo: sku.priceInfo,
  };
}

function Piece({
  piece: { id, nameContent, image, optionText, priceInfo },
  first,
}: {
  piece: SetPiece;
  first: boolean;
}) {
  const name = inLocale(nameContent, useLocale());
  return (
    <li className="flex gap-2 product:gap-4">
      {!first && <Icon name="plus" size={16} className="mt-9 text-ink-soft" />}
      <div className="w-22 text-sm leading-normal">
        {image && <Picture image={image} shape="square" sizes="5.5rem" alt="" />}
        <p className="mt-2">
          {first ? (
            name
          ) : (
            <Link href={urls.product(id)} className="hover:underline">
              {name}
            </Link>
          )}
          {optionText && <span className="block text-ink-soft">{optionText}</span>}
          <Money cents={priceInfo.price} currency={priceInfo.currency} className="block" />
        </p>
      </div>
    </li>
  );
}
