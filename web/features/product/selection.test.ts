import { describe, expect, test } from 'vitest';
import type { PriceInfo, ProductOption, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import {
  alternativeTo,
  availabilityOf,
  type Choice,
  choiceOfPicture,
  chooseFrom,
  galleryOf,
  pairsOf,
  pictureOf,
  priceOf,
  skuOf,
} from './selection.tsx';

const cents = (price: number): PriceInfo => ({ price, listPrice: null, currency: 'CAD', from: false });

function option(name: string, ...values: string[]): ProductOption {
  return {
    name,
    nameContent: { en: name },
    values: values.map((value) => ({
      value,
      valueContent: { en: value },
      priceInfo: { price: 0 },
      overridePrice: null,
      inventoryAttribute: value,
      color: null,
      image: null,
    })),
  };
}

function sku(optionPairs: string, inStock: boolean, price = 3200): SkuInfo {
  return { sku: optionPairs.replaceAll(/\W+/g, '-'), optionPairs, priceInfo: cents(price), inStock };
}

/** A mug in two colours and two sizes; there is no large rose one, and the small oat one is sold out. */
const mug = {
  priceInfo: cents(3200),
  mediaInfo: { imageInfos: [] },
  specification: {
    options: [option('Colour', 'Oat', 'Rose'), option('Size', 'Small', 'Large')],
    attributes: [],
  },
  skus: [
    sku('#Colour:Oat#Size:Small', false),
    sku('#Colour:Oat#Size:Large', true, 3800),
    sku('#Colour:Rose#Size:Small', true),
  ],
};
const plain = {
  mediaInfo: { imageInfos: [] },
  priceInfo: cents(900),
  specification: { options: [], attributes: [] },
  skus: [sku('', true)],
};

describe('the selection of options', () => {
  test('the first available SKU is shown when the address asks for nothing', () => {
    expect(chooseFrom(mug, {})).toEqual({ Colour: 'Oat', Size: 'Large' });
  });

  test('the available SKU of the first image is shown before others', () => {
    const image = { imageURL: '/media/1000/rose-1.jpg', width: 1000, height: 1000, color: '#caa' };
    const [colour, size] = mug.specification.options;
    if (!colour || !size) throw new Error('the mug has both');
    const values = colour.values.map((value) => (value.value === 'Rose' ? { ...value, image } : value));
    const pictured = {
      ...mug,
      mediaInfo: { imageInfos: [image] },
      specification: { options: [{ ...colour, values }, size], attributes: [] },
    };
    expect(chooseFrom(pictured, {})).toEqual({ Colour: 'Rose', Size: 'Small' });
    expect(pictureOf(pictured, { Colour: 'Rose' })).toEqual(image);
  });

  test('the selection keeps the options of the address and fills in the rest with something in stock', () => {
    expect(chooseFrom(mug, { Colour: 'Rose' })).toEqual({ Colour: 'Rose', Size: 'Small' });
  });

  test('the selection keeps a combination that does not exist, so that the page can say so', () => {
    const choice = chooseFrom(mug, { Colour: 'Rose', Size: 'Large' });
    expect(choice).toEqual({ Colour: 'Rose', Size: 'Large' });
    expect(skuOf(mug, choice)).toBeUndefined();
    expect(priceOf(mug, choice)).toEqual(cents(3200));
  });

  test('a colour in the address needs no option name', () => {
    const colours = option('Glaze', 'Snow', 'Ink');
    const bowl = {
      mediaInfo: { imageInfos: [] },
      specification: {
        options: [{ ...colours, values: colours.values.map((value) => ({ ...value, color: '#eee' })) }],
        attributes: [],
      },
      skus: [sku('#Glaze:Snow', true), sku('#Glaze:Ink', true)],
    };
    expect(chooseFrom(bowl, { swatch: 'Ink' })).toEqual({ Glaze: 'Ink' });
    expect(chooseFrom(mug, { swatch: 'Large' })).toEqual({ Colour: 'Oat', Size: 'Large' });
  });

  test('unknown options and values in the address are ignored', () => {
    expect(chooseFrom(mug, { Colour: 'Plaid', utm: 'x', Size: 3 })).toEqual({ Colour: 'Oat', Size: 'Large' });
  });

  test('a product without options has one combination', () => {
    expect(chooseFrom(plain, { Colour: 'Oat' })).toEqual({});
    expect(skuOf(plain, {})?.inStock).toBe(true);
    expect(pairsOf({})).toBe('');
  });
});

describe('the availability of another value', () => {
  test.each([
    [{ Colour: 'Oat', Size: 'Large' }, 'Size', 'Small', 'soldOut'],
    [{ Colour: 'Oat', Size: 'Large' }, 'Colour', 'Rose', 'none'],
    [{ Colour: 'Oat', Size: 'Small' }, 'Colour', 'Rose', 'available'],
  ] as const)('a selection of %o with %s changed to %s is %s', (choice, name, value, expected) => {
    expect(availabilityOf(mug, choice, name, value)).toBe(expected);
  });
});

test('the inventory call gets its option pairs in a fixed order', () => {
  expect(pairsOf({ Size: 'Small', Colour: 'Rose' })).toBe('#Colour:Rose#Size:Small');
});

test('the price follows the selected options', () => {
  expect(priceOf(mug, { Colour: 'Oat', Size: 'Large' }).price).toBe(3800);
});

describe('the gallery', () => {
  const image = (name: string): ImageInfo => ({
    imageURL: `/media/${name}.jpg`,
    width: 8,
    height: 8,
    color: '#aaaaaa',
  });
  const colour = option('Colour', 'Oat', 'Sea', 'Rose');
  const [oat, sea, rose] = ['oat', 'sea', 'rose'].map(image) as [ImageInfo, ImageInfo, ImageInfo];
  const pictured = [oat, sea, rose];
  const options = [
    {
      ...colour,
      values: colour.values.map((value, index) => ({ ...value, image: pictured[index] ?? null })),
    },
  ];
  const product = {
    ...mug,
    mediaInfo: { imageInfos: [oat, image('above')] },
    specification: { options, attributes: [] },
  };
  const names = (choice: Choice) => galleryOf(product, choice).map(({ imageURL }) => imageURL.slice(7, -4));

  test('the gallery begins with the chosen value, then other views, then other values', () => {
    expect(names({ Colour: 'Sea' })).toEqual(['sea', 'above', 'oat', 'rose']);
    expect(names({ Colour: 'Oat' })).toEqual(['oat', 'above', 'sea', 'rose']);
  });

  test('the own image of a SKU is that of its choice, before those of its values', () => {
    const own = image('own');
    const skus = product.skus.map((sku) =>
      sku.optionPairs === '#Colour:Rose#Size:Small' ? { ...sku, image: own } : sku,
    );
    const choice = { Colour: 'Rose', Size: 'Small' };
    expect(pictureOf({ ...product, skus }, choice)).toEqual(own);
    expect(choiceOfPicture({ ...product, skus }, { Colour: 'Oat', Size: 'Small' }, own)).toEqual(choice);
  });

  test('an image of a value stands for the choice of that value, and another view for none', () => {
    expect(choiceOfPicture(product, { Colour: 'Sea', Size: 'Small' }, rose)).toEqual({
      Colour: 'Rose',
      Size: 'Small',
    });
    expect(choiceOfPicture(product, { Colour: 'Sea' }, image('above'))).toBeUndefined();
  });
});

test('the nearest choice in stock changes one option', () => {
  expect(alternativeTo(mug, { Colour: 'Oat', Size: 'Small' })?.choice).toEqual({
    Colour: 'Rose',
    Size: 'Small',
  });
  expect(alternativeTo(mug, { Colour: 'Rose', Size: 'Large' })?.choice).toEqual({
    Colour: 'Oat',
    Size: 'Large',
  });
  expect(alternativeTo(plain, {})).toBeUndefined();
});
