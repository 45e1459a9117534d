/** Which column is which field of a product, by the names that shops and people give them. */
import { nameOfColumn } from './kind.ts';

/** Names are compared without capitals and padding. */
const names: Readonly<Record<string, string>> = {
  handle: 'handle|url handle|slug|permalink|网址',
  title:
    'title|name|product name|product title|product|produktname|titel|bezeichnung|nom|nombre|nome|名称|商品名称|产品名称|标题',
  html: 'body (html)|body html|body|description|long description|beschreibung|description longue|descripción|描述|商品描述|产品描述|详情',
  summary: 'short description|summary|kurzbeschreibung|简介|简短描述',
  vendor: 'vendor|brand|brands|manufacturer|marke|hersteller|marque|marca|品牌|供应商',
  category:
    'product category|standardized product type|category|categories|kategorie|kategorien|catégorie|categoría|分类|类目|google shopping / google product category',
  type: 'type|custom product type|product type|产品类型',
  tags: 'tags|tag|schlagwörter|étiquettes|etiquetas|标签',
  published: 'published|published on online store|visible|veröffentlicht|已发布',
  status: 'status|状态',
  sku: 'variant sku|sku|artikelnummer|article number|item number|part number|référence|referencia|货号|商品编码',
  grams: 'variant grams|weight value (grams)|weight (g)|grams|gewicht (g)|重量(克)|重量（克）',
  kilograms: 'weight (kg)|gewicht (kg)|poids (kg)|peso (kg)|重量(kg)',
  pounds: 'weight (lbs)|weight (lb)',
  ounces: 'weight (oz)',
  tracker: 'variant inventory tracker|inventory tracker',
  units:
    'variant inventory qty|inventory quantity|quantity|qty|stock|stock quantity|on hand|in stock|bestand|lagerbestand|stock disponible|existencias|库存|数量',
  policy: 'variant inventory policy|continue selling when out of stock',
  price: 'variant price|price|regular price|selling price|preis|prix|precio|prezzo|价格|售价|单价',
  compareAt: 'variant compare at price|compare-at price|compare at price|msrp|rrp|uvp|原价|划线价',
  cost: 'cost per item|cost|cost price|einkaufspreis|成本|进价',
  barcode: 'variant barcode|barcode|gtin|ean|upc|isbn|gtin, upc, ean, or isbn|条码|条形码',
  picture: 'image src|product image url|image|images|image url|image urls|picture|photo|bild|bilder|图片|图片链接',
  position: 'image position',
  alt: 'image alt text|alt text|图片说明',
  variantPicture: 'variant image|variant image url',
  seoTitle: 'seo title|meta title|page title',
  seoDescription: 'seo description|meta description',
};
const options = [1, 2, 3].flatMap((place) => [
  [`option${place} name`, `option${place}Name`] as const,
  [`option${place} value`, `option${place}Value`] as const,
]);

export const productFields: readonly string[] = [...Object.keys(names), ...options.map(([, field]) => field)];

const byName = new Map([
  ...Object.entries(names).flatMap(([field, all]) => all.split('|').map((name) => [name, field] as const)),
  ...options,
]);

export const productFieldOf = (column: string): string | null => byName.get(nameOfColumn(column)) ?? null;
