/**
 * Whether structured data has the shape that schema.org gives its types, and what search engines ask of
 * those they show (Google's "required", and of its "recommended" what a shop of this kind can know).
 */

type Thing = Record<string, unknown>;
/** Says what is wrong with a value, or nothing. */
type Check = (value: unknown) => string[];

const text: Check = (value) => (typeof value === 'string' && value.trim() !== '' ? [] : ['is no text']);
const url: Check = (value) =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? []
    : ['is no whole address'];
const idOnPage: Check = (value) => (typeof value === 'string' && /^#[\w.-]+$/.test(value) ? [] : url(value));
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value) ? [] : [`is none of ${values.slice(0, 3).join(', ')}…`];
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? [] : [`is not like ${pattern.source}`];
const between =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? []
      : [`is not between ${least} and ${most}`];
const each =
  (check: Check): Check =>
  (value) =>
    [value].flat().length === 0 ? ['is empty'] : [value].flat().flatMap(check);
/** Another thing of one of these types, or its name by `@id`: an address, or the place on the page. */
const thing =
  (...types: string[]): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return ['is no thing'];
    const { '@type': type, '@id': id } = value as Thing;
    if (type === undefined) return idOnPage(id);
    return types.includes(String(type))
      ? problemsOf(value as Thing)
      : [`is a ${type}, not a ${types.join(' or ')}`];
  };
const either =
  (...checks: Check[]): Check =>
  (value) => {
    const found = checks.map((check) => check(value));
    return found.some((problems) => problems.length === 0) ? [] : (found[0] ?? []);
  };

const image = each(either(url, thing('ImageObject')));
const amount = matching(/^\d+\.\d{2}$/);
const currency = matching(/^[A-Z]{3}$/);
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/);
const moment = matching(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/);
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (day) => `https://schema.org/${day}`,
);
const ofSchema = (...names: string[]) => names.map((name) => `https://schema.org/${name}`);
const availability = oneOf(...ofSchema('InStock', 'OutOfStock', 'InStoreOnly', 'PreOrder', 'BackOrder'));
const country = matching(/^[A-Z]{2}$/);
const count: Check = (value) =>
  Number.isInteger(value) && Number(value) > 0 ? [] : ['is no number of things'];

interface Shape {
  required: Record<string, Check>;
  optional?: Record<string, Check>;
  /** What the parts have to do with each other. */
  whole?: (thing: Thing) => string[];
}

const person: Shape = { required: { name: text }, optional: { url, image, jobTitle: text } };
const article: Shape = {
  required: { headline: text, image, datePublished: moment, author: each(thing('Person', 'Organization')) },
  optional: {
    description: text,
    dateModified: moment,
    publisher: thing('Organization'),
    mainEntityOfPage: either(url, thing('WebPage')),
    url,
    inLanguage: text,
    articleSection: each(text),
    keywords: each(text),
    wordCount: count,
    timeRequired: matching(/^PT\d+M$/),
    articleBody: text,
    isPartOf: thing('Blog', 'WebSite'),
    interactionStatistic: thing('InteractionCounter'),
  },
  whole: ({ datePublished, dateModified }) =>
    dateModified !== undefined && String(dateModified) < String(datePublished)
      ? ['was changed before it was published']
      : [],
};

const ofProducts = {
  url,
  description: text,
  category: text,
  brand: thing('Brand', 'Organization'),
  weight: thing('QuantitativeValue'),
};

const shapes: Record<string, Shape> = {
  Product: {
    required: { name: text, image, offers: thing('Offer') },
    optional: {
      ...ofProducts,
      sku: text,
      productID: text,
      color: text,
      size: text,
      material: text,
      pattern: text,
      additionalProperty: each(thing('PropertyValue')),
    },
  },
  ProductGroup: {
    required: {
      name: text,
      image,
      description: text,
      productGroupID: text,
      variesBy: each(text),
      hasVariant: each(thing('Product')),
    },
    optional: ofProducts,
    whole: ({ variesBy, hasVariant }) => {
      const variants = hasVariant as Thing[];
      const properties = (variesBy as string[]).map(
        (each) => /^https:\/\/schema\.org\/(\w+)$/.exec(each)?.[1],
      );
      const lacking = properties.filter(
        (name) => name && variants.some((variant) => variant[name] === undefined),
      );
      const distinct = (key: (variant: Thing) => unknown) =>
        new Set(variants.map(key)).size === variants.length;
      return [
        ...lacking.map((name) => `has variants without ${name}`),
        ...(distinct(({ sku }) => sku) ? [] : ['has two variants with one sku']),
        ...(distinct(({ offers }) => (offers as Thing).url) ? [] : ['has two variants at one address']),
      ];
    },
  },
  PropertyValue: { required: { name: text, value: text } },
  Offer: {
    required: { price: amount, priceCurrency: currency, availability },
    optional: {
      name: text,
      url,
      sku: text,
      addOn: each(thing('Offer')),
      seller: thing('Organization'),
      itemCondition: oneOf('https://schema.org/NewCondition'),
      shippingDetails: each(thing('OfferShippingDetails')),
      hasMerchantReturnPolicy: thing('MerchantReturnPolicy'),
    },
  },
  OfferShippingDetails: {
    required: {
      shippingRate: thing('MonetaryAmount'),
      shippingDestination: each(thing('DefinedRegion')),
      deliveryTime: thing('ShippingDeliveryTime'),
    },
  },
  MonetaryAmount: { required: { value: amount, currency } },
  DefinedRegion: {
    required: { addressCountry: country },
    optional: { addressRegion: each(matching(/^[A-Z0-9]{1,3}$/)) },
  },
  ShippingDeliveryTime: {
    required: { handlingTime: thing('QuantitativeValue'), transitTime: thing('QuantitativeValue') },
  },
  MerchantReturnPolicy: {
    required: {
      applicableCountry: each(country),
      returnPolicyCategory: oneOf(
        ...ofSchema('MerchantReturnFiniteReturnWindow', 'MerchantReturnNotPermitted'),
      ),
    },
    optional: {
      merchantReturnDays: count,
      returnMethod: each(oneOf(...ofSchema('ReturnByMail', 'ReturnInStore'))),
      returnFees: oneOf(...ofSchema('FreeReturn', 'ReturnFeesCustomerResponsibility', 'ReturnShippingFees')),
      returnShippingFeesAmount: thing('MonetaryAmount'),
    },
    whole: ({ returnPolicyCategory, merchantReturnDays, returnFees, returnShippingFeesAmount }) => {
      const hasWindow = returnPolicyCategory === 'https://schema.org/MerchantReturnFiniteReturnWindow';
      const hasFee = returnFees === 'https://schema.org/ReturnShippingFees';
      return [
        ...(hasWindow === (merchantReturnDays !== undefined)
          ? []
          : ['has days without returns, or returns without days']),
        ...(hasFee === (returnShippingFeesAmount !== undefined)
          ? []
          : ['has a fee without its amount, or the reverse']),
      ];
    },
  },
  Brand: { required: { name: text } },
  QuantitativeValue: {
    required: { unitCode: matching(/^[A-Z0-9]{2,3}$/) },
    optional: { value: between(0, 1e9), minValue: between(0, 1e9), maxValue: between(0, 1e9) },
    whole: ({ value, minValue, maxValue }) =>
      value === undefined && !(Number(minValue) <= Number(maxValue)) ? ['is no value and no range'] : [],
  },
  BreadcrumbList: {
    required: { itemListElement: each(thing('ListItem')) },
    whole: ({ itemListElement }) => {
      const items = [itemListElement].flat() as Thing[];
      const unnamed = items.slice(0, -1).filter(({ item }) => item === undefined);
      return [
        ...(items.every(({ position }, index) => position === index + 1) ? [] : ['does not count its steps']),
        ...(unnamed.length > 0 ? ['has steps without an address before the last'] : []),
      ];
    },
  },
  ListItem: { required: { position: count, name: text }, optional: { item: url } },
  Organization: {
    required: { name: text, url, logo: url },
    optional: { description: text, email: matching(/^[^@\s]+@[^@\s]+$/), image, sameAs: each(url) },
  },
  WebSite: {
    required: { name: text, url, potentialAction: thing('SearchAction') },
    optional: { inLanguage: matching(/^[a-z]{2}-[A-Z]{2}$/), publisher: thing('Organization') },
  },
  SearchAction: {
    required: { target: thing('EntryPoint'), 'query-input': text },
    whole: ({ target, 'query-input': input }) => {
      const name = /^required name=(\w+)$/.exec(String(input))?.[1];
      return String((target as Thing).urlTemplate).includes(`{${name}}`)
        ? []
        : ['asks for what its address has no place for'];
    },
  },
  EntryPoint: { required: { urlTemplate: matching(/^https?:\/\/[^\s{]+\{\w+\}/) } },
  LocalBusiness: {
    required: { name: text, address: thing('PostalAddress') },
    optional: {
      description: text,
      url,
      telephone: matching(/^\+?[\d\s().-]{7,}$/),
      email: matching(/^[^@\s]+@[^@\s]+$/),
      image,
      geo: thing('GeoCoordinates'),
      openingHoursSpecification: each(thing('OpeningHoursSpecification')),
      specialOpeningHoursSpecification: each(thing('OpeningHoursSpecification')),
      currenciesAccepted: currency,
      parentOrganization: thing('Organization'),
    },
  },
  PostalAddress: {
    required: {
      streetAddress: text,
      addressLocality: text,
      addressRegion: text,
      postalCode: text,
      addressCountry: matching(/^[A-Z]{2}$/),
    },
  },
  GeoCoordinates: { required: { latitude: between(-90, 90), longitude: between(-180, 180) } },
  OpeningHoursSpecification: {
    required: { opens: time, closes: time },
    optional: { dayOfWeek: each(oneOf(...days)), validFrom: moment, validThrough: moment },
    whole: ({ dayOfWeek, validFrom, validThrough }) =>
      dayOfWeek === undefined && (validFrom === undefined || validThrough === undefined)
        ? ['names neither weekdays nor dates']
        : [],
  },
  BlogPosting: article,
  Person: person,
  WebPage: { required: {} },
  ImageObject: { required: { url }, optional: { width: count, height: count } },
  Blog: {
    required: { name: text, url },
    optional: {
      description: text,
      blogPost: each(thing('BlogPosting')),
      inLanguage: text,
      publisher: thing('Organization'),
    },
  },
  InteractionCounter: { required: { interactionType: text, userInteractionCount: between(0, 1e9) } },
};

/** What is wrong with a thing and all that it holds: '' for none, else lines like `Product.offers is no thing`. */
export function problemsOf(candidate: Thing): string[] {
  const type = String(candidate['@type']);
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!shape) return [`${type} is no type that is checked`];
  const problems: string[] = [];
  for (const [name, check] of Object.entries(shape.required)) {
    if (candidate[name] === undefined) problems.push(`${type} has no ${name}`);
    else problems.push(...check(candidate[name]).map((problem) => `${type}.${name} ${problem}`));
  }
  for (const [name, value] of Object.entries(candidate)) {
    if (name.startsWith('@') || Object.hasOwn(shape.required, name)) continue;
    const check = shape.optional && Object.hasOwn(shape.optional, name) ? shape.optional[name] : undefined;
    if (!check) problems.push(`${type} has a ${name} that is not checked`);
    else problems.push(...check(value).map((problem) => `${type}.${name} ${problem}`));
  }
  if (candidate['@id'] !== undefined)
    problems.push(...idOnPage(candidate['@id']).map((problem) => `${type}.@id ${problem}`));
  if (problems.length === 0 && shape.whole)
    problems.push(...shape.whole(candidate).map((problem) => `${type} ${problem}`));
  return problems;
}
