/** Checks the contracts of the components, in the HTML that the server sends. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PriceInfo } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { QuantityStepper } from '#ui/quantity-stepper.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { Carousel, Hero } from '../../blocks/image-slider/component.tsx';
import { OptionChips } from './option-chips.tsx';
import { Picture } from './picture.tsx';
import { Badges, Money, Price } from './price.tsx';

let en: I18n;
let zh: I18n;
beforeAll(async () => {
  [en, zh] = await Promise.all([loadI18n('en'), loadI18n('zh')]);
});

const html = (node: ReactNode, i18n = en) =>
  renderToStaticMarkup(<I18nProvider i18n={i18n}>{node}</I18nProvider>);
/** The text alone, as a screen reader has it. */
const text = (node: ReactNode, i18n = en) => html(node, i18n).replaceAll(/<[^>]*>/g, '');

const mug: ImageInfo = {
  imageURL: '/media/1000/mug-1a2b.jpg',
  width: 1000,
  height: 1000,
  color: '#b6ac98',
  alt: 'A mug',
};

/** Texts that stand beside other things in their element; spaces alone do not count. */
function textsBesideOthers(markup: string): string[] {
  const open: { texts: string[]; others: number }[] = [{ texts: [], others: 0 }];
  const found: string[] = [];
  for (const [token] of markup.matchAll(/<!--.*?-->|<[^>]+>|[^<]+/g)) {
    const own = open.at(-1) ?? expect.fail();
    if (token.startsWith('</')) {
      open.pop();
      if (own.texts.length + own.others > 1) found.push(...own.texts);
    } else if (token.startsWith('<!--')) own.others += 1;
    else if (token.startsWith('<')) {
      own.others += 1;
      if (!/^<(?:img|input|br|use|path)\b|\/>$/.test(token)) open.push({ texts: [], others: 0 });
    } else if (token.trim() !== '') own.texts.push(token);
  }
  return found;
}

describe('a page that the browser translates', () => {
  // A translator wraps each text. React then resets a text that is alone in its element, and loses one that stands beside others.
  it('a text that changes is alone in its element', () => {
    const info = {
      price: 2200,
      listPrice: 3000,
      currency: 'CAD',
      from: true,
      saleUntil: null,
    } as unknown as PriceInfo;
    const shown = [
      <Price key="reduced" priceInfo={info} />,
      <Price key="plain" priceInfo={{ ...info, listPrice: null, from: false }} />,
      <Money key="money" cents={2200} currency="CAD" />,
      <Button key="button" icon="bag">
        Add · $22.00
      </Button>,
    ];
    for (const each of shown) expect(textsBesideOthers(html(each))).toEqual([]);
    expect(textsBesideOthers('<p><i></i>Add $3.00 more</p>')).toEqual(['Add $3.00 more']);
  });

  it('a price is not translated', () => {
    expect(html(<Money cents={2200} currency="CAD" />)).toContain('translate="no"');
  });
});

describe('a field', () => {
  it('a field belongs to its label, hint and error', () => {
    const field = html(
      <TextField id="mail" label="Email" hint="For the receipt" error="Your email is missing" />,
    );
    expect(field).toMatch(/<label [^>]*for="mail">Email</);
    expect(field).toContain('aria-describedby="mail-hint mail-error"');
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain('id="mail-error"');
  });

  it('a field without an error mentions none', () => {
    expect(html(<TextField label="Email" />)).not.toMatch(/ aria-invalid=|aria-describedby|text-clay/);
  });
});

describe('a price', () => {
  const price = { price: 15840, listPrice: 19800, currency: 'CAD', from: false };

  it('a reduced price says what it was', () => {
    expect(text(<Price priceInfo={price} />)).toBe('Now $158.40Was $198.00');
    expect(text(<Price priceInfo={{ ...price, listPrice: null }} />)).toBe('$158.40');
  });

  it('a price range says "from" the way each language does', () => {
    const from = { ...price, listPrice: null, from: true };
    expect(text(<Price priceInfo={from} />)).toBe('From $158.40');
    expect(text(<Price priceInfo={from} />, zh)).toBe('$158.40 起');
  });
});

describe('badges', () => {
  it('badges have the words of SPEC §9', () => {
    const badges = <Badges badges={['SALE', 'CLEARANCE']} />;
    expect(text(badges)).toBe('SALECLEARANCE');
    expect(text(badges, zh)).toBe('特价清仓');
  });
});

describe('an image', () => {
  it('an image reserves its space and loads lazily', () => {
    const picture = html(<Picture image={mug} sizes="50vw" />);
    expect(picture).toContain('width="1000" height="1000"');
    expect(picture).toContain('loading="lazy"');
    expect(picture).toContain('background-color:#b6ac98');
    expect(picture).toContain('alt="A mug"');
  });

  it('a priority image loads first', () => {
    const picture = html(<Picture image={mug} sizes="100vw" alt="" priority />);
    expect(picture).toContain('fetchPriority="high"');
    expect(picture).toContain('loading="eager"');
    expect(picture).toContain('alt=""');
  });
});

describe('a busy button', () => {
  it('a busy button keeps its label and its focus', () => {
    const button = html(<Button busy>Add to cart</Button>);
    expect(button).toContain('aria-busy="true"');
    expect(button).toContain('Add to cart');
    expect(button).not.toContain(' disabled');
  });
});

describe('a button whose action succeeded', () => {
  it('a button that succeeded draws a check beside its label, and not while it is busy again', () => {
    const check = 'M5 12.5l4.5 4.5L19 7.5';
    const button = html(<Button done>Add to cart</Button>);
    expect(button).toContain(check);
    expect(button).toContain('Add to cart');
    expect(html(<Button>Add to cart</Button>)).not.toContain(check);
    const again = html(
      <Button done busy>
        Add to cart
      </Button>,
    );
    expect(again).not.toContain(check);
    expect(again).not.toContain('data-done');
  });
});

describe('the quantity stepper', () => {
  it('the quantity stepper disables the button at either end of its range', () => {
    const ends = (value: number) => [
      ...html(<QuantityStepper value={value} onChange={() => {}} />).matchAll(/aria-disabled="(\w+)"/g),
    ];
    expect(ends(1).map((match) => match[1])).toEqual(['true', 'false']);
    expect(ends(50).map((match) => match[1])).toEqual(['false', 'false']);
    expect(ends(98).map((match) => match[1])).toEqual(['false', 'true']);
  });
});

describe('options', () => {
  it('options are radio buttons that say what is sold out', () => {
    const options = [
      { value: 'sea', label: 'Sea', color: '#7fa3a3' },
      { value: 'rose', label: 'Rose', color: '#c99a8e', soldOut: true },
    ];
    const chips = <OptionChips legend="Colour" options={options} value="sea" onChange={() => {}} />;
    expect(html(chips).match(/type="radio"/g)).toHaveLength(2);
    expect(html(chips).match(/checked=""/g)).toHaveLength(1);
    expect(text(chips)).toBe('ColourSeaRose (sold out)');
  });
});

describe('a carousel', () => {
  const slides = (count: number) => (
    <Carousel label="New" slides={Array.from({ length: count }, (_, at) => `Slide ${at + 1}`)} autoplay>
      {(slide) => slide}
    </Carousel>
  );

  it('a carousel of one slide has no controls (SPEC §2)', () => {
    expect(html(slides(1))).not.toContain('<button');
  });

  it('a carousel of several slides can be paused, and keeps the keyboard out of hidden slides', () => {
    const several = html(slides(3));
    expect(several).toContain('aria-label="Pause slideshow"');
    expect(several.match(/aria-label="Slide \d of 3"/g)).toHaveLength(3);
    expect(several.match(/inert=""/g)).toHaveLength(2);
  });
});

it('text on a hero image follows the tone of the image', () => {
  expect(html(<Hero image={{ ...mug, color: '#2a211c' }} title="Evening" />)).toContain('hero-dark');
  expect(html(<Hero image={mug} title="Morning" />)).not.toContain('hero-dark');
});

describe('the photos of a hero', () => {
  const photo = (name: string): ImageInfo => ({
    imageURL: `/media/1000/${name}-1a2b.jpg`,
    width: 1000,
    height: 1000,
    color: '#b6ac98',
  });
  const media = (shown: string) =>
    [...shown.matchAll(/<source media="([^"]+)" srcSet="[^"]*\/([a-z-]+)-1a2b/g)].map(([, ...of]) => of);

  it('dark mode and windows that are higher than wide have photos of their own, the most particular first', () => {
    const all = {
      upright: photo('upright'),
      evening: photo('evening'),
      uprightEvening: photo('upright-evening'),
    };
    expect(media(html(<Hero image={mug} {...all} title="Tea" />))).toEqual([
      ['(prefers-color-scheme: dark) and (max-aspect-ratio: 4/5)', 'upright-evening'],
      ['(prefers-color-scheme: dark)', 'evening'],
      ['(max-aspect-ratio: 4/5)', 'upright'],
    ]);
    expect(media(html(<Hero image={mug} title="Tea" />))).toEqual([]);
  });

  it('the text is light in dark mode only if there is a photo for dark mode', () => {
    expect(html(<Hero image={mug} evening={photo('evening')} title="Tea" />)).toContain('hero-evening');
    expect(html(<Hero image={mug} upright={photo('upright')} title="Tea" />)).not.toContain('hero-evening');
  });
});
