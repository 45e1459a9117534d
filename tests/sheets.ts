/** Files as other shops export them, in each vintage's shape, with goods of our own invention. */

export interface SampleVariant {
  values: string[];
  sku: string;
  price: string;
  compareAt?: string;
  barcode?: string;
  grams?: number;
  units?: number;
  counted?: boolean;
  oversell?: boolean;
  cost?: string;
  picture?: string;
}

export interface SampleProduct {
  handle: string;
  title: string;
  html: string;
  vendor: string;
  type: string;
  category?: string;
  tags: string;
  status?: 'active' | 'draft' | 'archived';
  published?: boolean;
  options: string[];
  variants: SampleVariant[];
  pictures?: { src: string; alt?: string }[];
  seoTitle?: string;
}

export const vintages = ['2016', '2018', '2019', '2021', '2022', '2023', '2025', '2026', 'template'] as const;
export type Vintage = (typeof vintages)[number];

const numbered = (make: (place: number) => string[]) => [1, 2, 3].flatMap(make);
const google = ['Google Product Category', 'Gender', 'Age Group', 'MPN', 'Condition', 'Custom Product'].map(
  (name) => `Google Shopping / ${name}`,
);

/** The header of an export of that time, in its order. */
export function shopifyHeader(vintage: Vintage): string[] {
  if (vintage === 'template') return templateHeader;
  const since = (year: number, ...columns: string[]) => (Number(vintage) >= year ? columns : []);
  const types = Number(vintage) === 2022 ? ['Standardized Product Type', 'Custom Product Type'] : ['Type'];
  return [
    'Handle',
    'Title',
    'Body (HTML)',
    'Vendor',
    ...since(2023, 'Product Category'),
    ...types,
    'Tags',
    'Published',
    ...numbered((n) => [`Option${n} Name`, `Option${n} Value`, ...since(2025, `Option${n} Linked To`)]),
    'Variant SKU',
    'Variant Grams',
    'Variant Inventory Tracker',
    ...(Number(vintage) === 2026 ? [] : ['Variant Inventory Qty']),
    'Variant Inventory Policy',
    'Variant Fulfillment Service',
    'Variant Price',
    'Variant Compare At Price',
    'Variant Requires Shipping',
    'Variant Taxable',
    'Variant Barcode',
    'Image Src',
    ...since(2018, 'Image Position'),
    'Image Alt Text',
    'Gift Card',
    'SEO Title',
    'SEO Description',
    ...(Number(vintage) < 2025 ? google : []),
    ...since(2025, 'Tea (product.metafields.custom.tea)'),
    'Variant Image',
    'Variant Weight Unit',
    ...since(2018, 'Variant Tax Code'),
    ...since(2019, 'Cost per item'),
    ...(Number(vintage) === 2023
      ? ['Included / International', 'Price / International', 'Compare At Price / International']
      : []),
    ...since(2021, 'Status'),
  ];
}

const templateHeader = [
  'Title',
  'URL handle',
  'Description',
  'Vendor',
  'Product category',
  'Type',
  'Tags',
  'Published on online store',
  'Status',
  'SKU',
  'Barcode',
  ...numbered((n) => [`Option${n} name`, `Option${n} value`, `Option${n} Linked To`]),
  'Price',
  'Price / International',
  'Compare-at price',
  'Cost per item',
  'Charge tax',
  'Tax code',
  'Inventory tracker',
  'Inventory quantity',
  'Continue selling when out of stock',
  'Weight value (grams)',
  'Weight unit for display',
  'Requires shipping',
  'Fulfillment service',
  'Product image URL',
  'Image position',
  'Image alt text',
  'Variant image URL',
  'Gift card',
  'SEO title',
  'SEO description',
  'Google Shopping / Gender',
];

type Cells = Record<string, string>;

/** Row k has variant k and picture k. */
function rowsOf(product: SampleProduct, booleans: readonly [string, string]): Cells[] {
  const { pictures = [], variants, options } = product;
  const flag = (value: boolean) => booleans[value ? 0 : 1];
  const names = options.length === 0 ? ['Title'] : options;
  return Array.from({ length: Math.max(variants.length, pictures.length) }, (_, at) => {
    const [variant, picture] = [variants[at], pictures[at]];
    const values = options.length === 0 ? ['Default Title'] : (variant?.values ?? []);
    const first: Cells = {
      Title: product.title,
      'Body (HTML)': product.html,
      Vendor: product.vendor,
      Tags: product.tags,
      Type: product.type,
      'Custom Product Type': product.type,
      'Standardized Product Type': product.category ?? '',
      'Product Category': product.category ?? '',
      Published: flag(product.published ?? product.status !== 'draft'),
      Status: product.status ?? 'active',
      'Gift Card': flag(false),
      'SEO Title': product.seoTitle ?? '',
      ...Object.fromEntries(names.map((name, place) => [`Option${place + 1} Name`, name])),
    };
    return {
      Handle: product.handle,
      ...(at === 0 ? first : {}),
      ...(variant && variantCells(variant, values, flag)),
      ...(picture && {
        'Image Src': picture.src,
        'Image Position': String(at + 1),
        'Image Alt Text': picture.alt ?? '',
      }),
    };
  });
}

function variantCells(
  variant: SampleVariant,
  values: readonly string[],
  flag: (value: boolean) => string,
): Cells {
  const digits = (text: string) => (/^\d+$/.test(text) ? `'${text}` : text);
  return {
    ...Object.fromEntries(values.map((value, place) => [`Option${place + 1} Value`, value])),
    'Variant SKU': digits(variant.sku),
    'Variant Grams': String(variant.grams ?? 0),
    'Variant Inventory Tracker': (variant.counted ?? true) ? 'shopify' : '',
    'Variant Inventory Qty': String(variant.units ?? 0),
    'Variant Inventory Policy': variant.oversell ? 'continue' : 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Price': variant.price,
    'Variant Compare At Price': variant.compareAt ?? '',
    'Variant Requires Shipping': flag(true),
    'Variant Taxable': flag(true),
    'Variant Barcode': digits(variant.barcode ?? ''),
    'Variant Image': variant.picture ?? '',
    'Variant Weight Unit': 'kg',
    'Cost per item': variant.cost ?? '',
  };
}

const inTemplate: Readonly<Record<string, string>> = {
  'URL handle': 'Handle',
  Description: 'Body (HTML)',
  'Product category': 'Product Category',
  'Published on online store': 'Published',
  SKU: 'Variant SKU',
  Barcode: 'Variant Barcode',
  Price: 'Variant Price',
  'Compare-at price': 'Variant Compare At Price',
  'Inventory tracker': 'Variant Inventory Tracker',
  'Inventory quantity': 'Variant Inventory Qty',
  'Continue selling when out of stock': 'Variant Inventory Policy',
  'Weight value (grams)': 'Variant Grams',
  'Product image URL': 'Image Src',
  'Image position': 'Image Position',
  'Image alt text': 'Image Alt Text',
  'Variant image URL': 'Variant Image',
  'SEO title': 'SEO Title',
  ...Object.fromEntries(
    numbered((n) => [String(n)]).flatMap((n) => [
      [`Option${n} name`, `Option${n} Name`],
      [`Option${n} value`, `Option${n} Value`],
    ]),
  ),
};

export function shopifyTable(vintage: Vintage, products: readonly SampleProduct[]): string[][] {
  const header = shopifyHeader(vintage);
  const rows = products.flatMap((product) =>
    rowsOf(product, vintage === 'template' ? ['TRUE', 'FALSE'] : ['true', 'false']),
  );
  const cell = (row: Cells, column: string) =>
    row[vintage === 'template' ? (inTemplate[column] ?? column) : column] ?? '';
  return [header, ...rows.map((row) => header.map((column) => cell(row, column)))];
}

export const shopifyCsv = (vintage: Vintage, products: readonly SampleProduct[]): string =>
  csvText(shopifyTable(vintage, products));

export function csvText(table: readonly (readonly string[])[], delimiter = ','): string {
  const written = (cell: string) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return table.map((row) => `${row.map(written).join(delimiter)}\n`).join('');
}

const wooHeader = [
  'ID',
  'Type',
  'SKU',
  'Name',
  'Published',
  'Is featured?',
  'Visibility in catalog',
  'Short description',
  'Description',
  'Tax status',
  'In stock?',
  'Stock',
  'Backorders allowed?',
  'Weight (kg)',
  'Sale price',
  'Regular price',
  'Categories',
  'Tags',
  'Images',
  'Parent',
  'Position',
  ...[1, 2].flatMap((n) => ['name', 'value(s)', 'visible', 'global'].map((part) => `Attribute ${n} ${part}`)),
  'Meta: _wpcom_is_markdown',
];

const listed = (values: readonly string[]) => values.map((value) => value.replaceAll(',', '\\,')).join(', ');

/** Its handle is made of its name, as WooCommerce exports none. */
export function wooCsv(products: readonly SampleProduct[]): string {
  const rows = products.flatMap((product, index): Cells[] => {
    const { options, variants, pictures = [] } = product;
    const isSimple = options.length === 0;
    const attributes = (values: (place: number) => string) =>
      Object.fromEntries(
        options.flatMap((name, place) => [
          [`Attribute ${place + 1} name`, name],
          [`Attribute ${place + 1} value(s)`, values(place)],
        ]),
      );
    const sold = (variant: SampleVariant): Cells => ({
      'Regular price': variant.compareAt ?? variant.price,
      'Sale price': variant.compareAt === undefined ? '' : variant.price,
      Stock: (variant.counted ?? true) ? String(variant.units ?? 0) : '',
      'Backorders allowed?': variant.oversell ? '1' : '0',
      'Weight (kg)': variant.grams === undefined ? '' : String(variant.grams / 1000),
    });
    const parent: Cells = {
      ID: String(100 + index),
      Type: isSimple ? 'simple' : 'variable',
      SKU: isSimple ? (variants[0]?.sku ?? '') : product.handle,
      Name: product.title,
      Published: product.status === 'draft' ? '-1' : '1',
      Description: product.html,
      Categories: product.category ?? product.type,
      Tags: product.tags,
      Images: listed(pictures.map(({ src }) => src)),
      ...(isSimple && variants[0] ? sold(variants[0]) : {}),
      ...attributes((place) => listed([...new Set(variants.map(({ values }) => values[place] ?? ''))])),
    };
    const children = isSimple
      ? []
      : variants.map(
          (variant, at): Cells => ({
            ID: String(1000 + index * 100 + at),
            Type: 'variation',
            SKU: variant.sku,
            Name: product.title,
            Published: '1',
            Parent: at % 2 === 0 ? product.handle : `id:${100 + index}`,
            Position: String(at),
            ...sold(variant),
            ...attributes((place) => variant.values[place] ?? ''),
          }),
        );
    return [parent, ...children];
  });
  return csvText([wooHeader, ...rows.map((row) => wooHeader.map((column) => row[column] ?? ''))]);
}

/** Three that have what real exports have: matrices with gaps, formatted texts, stock that is not counted, SKUs with spaces. */
export const samples: readonly SampleProduct[] = [
  {
    handle: 'harbour-teapot',
    title: 'Harbour teapot',
    vendor: 'North Kiln',
    type: 'Teapots',
    tags: 'stoneware, gift',
    category: 'Home & Garden > Kitchen > Teapots',
    html: '<p>Holds <strong>900 ml</strong>.</p>',
    seoTitle: 'Stoneware teapot',
    options: ['Glaze', 'Size'],
    variants: [
      {
        values: ['Fog', 'Small'],
        sku: 'HT - Fog / S',
        price: '48.00',
        barcode: '4006381333931',
        grams: 680,
        units: 4,
        cost: '20.50',
      },
      {
        values: ['Fog', 'Large'],
        sku: 'HT - Fog / L',
        price: '64.00',
        compareAt: '70.00',
        grams: 910,
        units: 0,
        oversell: true,
      },
      { values: ['Moss, dark', 'Small'], sku: 'HT - Moss / S', price: '48.00', grams: 680, units: 2 },
    ],
    pictures: [
      { src: 'https://pictures.example/teapot.jpg?v=1', alt: 'A teapot on a table' },
      { src: 'https://pictures.example/moss.jpg' },
    ],
  },
  {
    handle: 'spring-sencha',
    title: 'Spring "first flush" sencha',
    vendor: 'Uji Fields',
    type: 'Green tea',
    tags: '',
    html: 'Picked in April.',
    options: [],
    variants: [{ values: [], sku: '030955168517', price: '18.5', units: 12, counted: false }],
    pictures: [{ src: 'https://pictures.example/sencha.png' }, { src: 'https://pictures.example/dead.png' }],
  },
  {
    handle: 'old-whisk',
    title: 'Old whisk',
    vendor: 'Uji Fields',
    type: '',
    tags: 'bamboo',
    status: 'draft',
    html: '',
    options: [],
    variants: [{ values: [], sku: '', price: '0.00', units: 1 }],
  },
];

/** A column for each place until 2023, then a row for each SKU and place. */
export const inventoryVintages = ['columns', '2023', '2024'] as const;

export interface SampleStock {
  handle: string;
  values: string[];
  sku: string;
  /** By the name of the place. */
  levels: Record<string, number | 'not stocked'>;
}

export function inventoryCsv(
  vintage: (typeof inventoryVintages)[number],
  stock: readonly SampleStock[],
): string {
  const places = [...new Set(stock.flatMap(({ levels }) => Object.keys(levels)))];
  const counts = {
    columns: places,
    2023: ['Location', 'Incoming', 'Unavailable', 'Committed', 'Available', 'On hand'],
    2024: [
      'Location',
      'Bin name',
      'Incoming (not editable)',
      'Unavailable (not editable)',
      'Committed (not editable)',
      'Available (not editable)',
      'On hand (current)',
      'On hand (new)',
    ],
  };
  const header = [
    'Handle',
    'Title',
    ...numbered((n) => [`Option${n} Name`, `Option${n} Value`]),
    'SKU',
    'HS Code',
    'COO',
  ];
  const columns = [...header, ...counts[vintage]];
  const rows = stock.flatMap(({ handle, values, sku, levels }): Cells[] => {
    const options = values.flatMap((value, at) => [
      [`Option${at + 1} Name`, `Option ${at + 1}`],
      [`Option${at + 1} Value`, value],
    ]);
    const named = { Handle: handle, Title: handle, SKU: sku, ...Object.fromEntries(options) };
    if (vintage === 'columns')
      return [
        { ...named, ...Object.fromEntries(places.map((place) => [place, String(levels[place] ?? '')])) },
      ];
    return Object.entries(levels).map(([Location, units]) => {
      const cell = String(units);
      const isNew = vintage === '2024' && units !== 'not stocked';
      return {
        ...named,
        Location,
        Available: cell,
        'Available (not editable)': cell,
        'On hand': cell,
        'On hand (current)': isNew ? '999' : cell,
        'On hand (new)': isNew ? cell : '',
      };
    });
  });
  return csvText([columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]);
}
