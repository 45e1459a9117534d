/**
 * The headings of WooCommerce's product exports, in the languages that it ships, as seen in exports of each. Compared without capitals,
 * padding and quotes.
 */
import { columnNames, nameOfColumn } from './kind.ts';
import { productFieldOf } from './product-rows.ts';

const named = columnNames({
  wooId: 'id',
  wooType: 'type|typ|tipo|类型|тип',
  title: 'name|nom|nombre|nome|naam|nazwa|名称|имя',
  sku: 'sku|artikelnummer|ugs|referencia|ref|cod|артикул',
  published:
    'published|veröffentlicht|publié|publicado|pubblicato|gepubliceerd|opublikowano|已发布|опубликован',
  visibility:
    'visibility in catalog|sichtbarkeit im katalog|visibilité dans le catalogue|visibilidad en el catálogo|visibilidade no catálogo|visibilità nel catalogo|zichtbaarheid in catalogus|widoczność w katalogu|目录可见性|видимость в каталоге',
  summary:
    'short description|kurzbeschreibung|description courte|descripción corta|descrição curta|breve descrizione|korte beschrijving|korte omschrijving|krótki opis|简短描述|简短说明|краткое описание|короткое описание',
  html: 'description|beschreibung|descripción|descrição|descrizione|beschrijving|opis|描述|产品描述|описание',
  saleStarts:
    'date sale price starts|datum, an dem angebotspreis beginnt|date de début de promo|día en que empieza el precio rebajado|data de preço promocional começa em|startdatum actieprijs|data rozpoczęcia promocji|促销开始日期',
  saleEnds:
    'date sale price ends|datum, an dem angebotspreis endet|date de fin de promo|día en que termina el precio rebajado|data de preço promocional termina em|einddatum actieprijs|data zakończenia promocji|促销截止日期',
  taxStatus:
    'tax status|steuerstatus|état de la tva|estado del impuesto|status do imposto|stato delle imposte|btw status|status podatku|税收状态|税状态',
  inStock:
    'in stock?|vorrätig?|en stock ?|¿existencias?|em estoque?|em estoque|in stock?|op voorraad?|w magazynie?|有货？|有货?|в наличии?',
  units: 'stock|lager|lagerbestand|bestand|inventario|estoque|magazzino|voorraad|stan magazynowy|库存|запасы',
  backorders:
    'backorders allowed?|lieferrückstände erlaubt?|lieferrückstande erlaubt?|autoriser les commandes de produits en rupture ?|¿permitir reservas de productos agotados?|são permitidas encomendas?|são permitidas encomendas|abilita gli ordini arretrati?|nabestellingen toestaan?|pozwalać na zamówienia oczekujące (na dostawę do magazynu)?|允许缺货下单？|允许缺货下单?',
  kilograms: 'weight (kg)|gewicht (kg)|poids (kg)|peso (kg)|waga (kg)|重量(公斤)|重量（公斤）|重量(kg)',
  length:
    'length (cm)|länge (cm)|longueur (cm)|longitud (cm)|comprimento (cm)|lunghezza (cm)|lengte (cm)|długość (cm)|长度(厘米)|长度（厘米）',
  width:
    'width (cm)|breite (cm)|largeur (cm)|anchura (cm)|largura (cm)|larghezza (cm)|breedte (cm)|szerokość (cm)|宽度(厘米)|宽度（厘米）',
  height:
    'height (cm)|höhe (cm)|hauteur (cm)|altura (cm)|altezza (cm)|hoogte (cm)|wysokość (cm)|高度(厘米)|高度（厘米）',
  salePrice:
    'sale price|angebotspreis|tarif promo|precio rebajado|preço promocional|prezzo in offerta|actieprijs|cena promocyjna|促销价格|цена распродажи|акционная цена',
  price:
    'regular price|regulärer preis|tarif régulier|precio normal|preço|preço normal|prezzo di listino|reguliere prijs|cena|常规售价|常规价格|базовая цена',
  category:
    'categories|kategorien|catégories|categorías|categorias|categorie|categorieën|kategorie|分类|категории',
  tags: 'tags|schlagwörter|étiquettes|etiquetas|tag|tagi|标签|метки',
  picture: 'images|bilder|imágenes|imagens|immagini|afbeeldingen|obrazki|图片|изображения',
  parent:
    'parent|übergeordnet|übergeordnetes produkt|superior|ascendente|genitore|hoofd|element nadrzędny|父级|родительский',
  vendor: 'brands|brand|marken|marke|marques|marcas|merken|品牌',
  barcode:
    'gtin, upc, ean, or isbn|gtin, upc, ean oder isbn|gtin, upc, ean ou isbn|gtin, upc, ean o isbn|gtin, upc, ean of isbn|ean|gtin',
  cost: 'cost of goods|meta: _wc_cog_cost',
  seoTitle: 'meta: _yoast_wpseo_title|meta: rank_math_title|meta: _aioseo_title|meta: _seopress_titles_title',
  seoDescription:
    'meta: _yoast_wpseo_metadesc|meta: rank_math_description|meta: _aioseo_description|meta: _seopress_titles_desc',
});

const mostAttributes = 12;
export const attributePlaces = Array.from({ length: mostAttributes }, (_, at) => at + 1);

/** With the number of the attribute as the first group. */
const attributeForms: readonly (readonly ['Name' | 'Values', RegExp])[] = [
  ['Name', /^(?:attribut[eo]?|attribuut|属性) ?(\d+) (?:name|nome|naam|名称)$/],
  [
    'Name',
    /^(?:nom de l[’']attribut|nombre del atributo|nome do atributo|naam eigenschap|nazwa atrybutu) (\d+)$/,
  ],
  [
    'Values',
    /^(?:attribut[eo]?|attribuut|属性) ?(\d+) (?:value\(s\)|wert\(e\)|valuta\(e\)|valore\/i|waarde\(n\)|值|值（s）)$/,
  ],
  [
    'Values',
    /^(?:valeur\(s\) de l[’']attribut|valor\(es\) del atributo|valor(?:es)? do atributo|waarde eigenschap|wartości atrybutu) (\d+)$/,
  ],
];

const parts = ['grams', 'pounds', 'ounces'];
export const wooFields: readonly string[] = [
  ...named.fields,
  ...parts,
  ...attributePlaces.flatMap((place) => [`attribute${place}Name`, `attribute${place}Values`]),
];

export function wooFieldOf(column: string, columns: readonly string[] = []): string | null {
  // French exports leave the heading of the type empty, behind that of the id.
  if (column === '' && columns[1] === '' && nameOfColumn(columns[0] ?? '') === 'id') return 'wooType';
  const name = nameOfColumn(column.replaceAll('"', ''));
  for (const [part, form] of attributeForms) {
    const place = Number(form.exec(name)?.[1] ?? 0);
    if (place >= 1 && place <= mostAttributes) return `attribute${place}${part}`;
  }
  const field = named.fieldOf(name) ?? productFieldOf(column);
  return field !== null && wooFields.includes(field) ? field : null;
}

/** Such columns only WooCommerce has, in any of its languages. */
const marks = ['parent', 'salePrice', 'inStock', 'visibility', 'taxStatus', 'backorders', 'attribute1Values'];

export function wooScore(columns: readonly string[]): number {
  const found = new Set(columns.map((column) => wooFieldOf(column, columns)));
  const count = marks.filter((field) => found.has(field)).length;
  const isWoo = found.has('wooType') && (found.has('title') || found.has('sku')) && count >= 2;
  return isWoo ? columns.filter((column) => wooFieldOf(column) !== null).length + 10 : 0;
}
