import type { PriceInfo } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Badges } from '../badge.tsx';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { Button } from '../button.tsx';
import { Carousel } from '../carousel.tsx';
import { FilterChip } from '../filter-chip.tsx';
import { Hero } from '../hero.tsx';
import { Frame, PageHeading, Section } from '../layout.tsx';
import { LinkButton } from '../link-button.tsx';
import { Picture } from '../picture.tsx';
import { Price } from '../price.tsx';
import { gridSizes, ProductGrid, ProductGridSkeleton } from '../product-grid.tsx';
import { Swatch } from '../swatches.tsx';
import { useSay } from './words.ts';

const photo = (name: string, color: string, width = 1000, height = 1000): ImageInfo => ({
  imageURL: `/media/${width}/${name}.jpg`,
  width,
  height,
  color,
});

const price = (cents: number, listPrice: number | null = null, from = false): PriceInfo => ({
  price: cents,
  listPrice,
  currency: 'CAD',
  from,
});

const cards = [
  {
    en: 'Speckled mug',
    zh: '斑点马克杯',
    photo: 'speckled-mug',
    color: '#b6ac98',
    price: price(3200, null, true),
    dots: ['#7fa3a3', '#d8cdb8', '#c99a8e', '#3c3f41'],
    second: 'speckled-mug--oat',
  },
  {
    en: 'Celadon teapot with a lid that stays',
    zh: '青瓷茶壶',
    photo: 'celadon-teapot',
    color: '#aeaa9c',
    price: price(12800),
    dots: [],
  },
  {
    en: 'Yixing teapot',
    zh: '宜兴紫砂壶',
    photo: 'zisha-teapot',
    color: '#ada095',
    price: price(15840, 19800),
    dots: [],
    sale: true,
  },
  { en: 'Moon jar', zh: '月亮罐', photo: 'moon-jar', color: '#a5a890', price: price(24000), dots: [] },
];

const slides = [
  { en: 'A cup worth holding', zh: '一只值得捧在手心的杯子', photo: photo('banner-tea-table', '#8a8a75', 1920, 900) },
  { en: 'Light for long evenings', zh: '长夜里的一盏灯', photo: photo('banner-evening', '#2a211c', 1920, 900) },
  { en: 'From the studio shelf', zh: '工作室新作', photo: photo('banner-studio', '#a89c90', 1920, 900) },
];

export function Commerce() {
  const say = useSay();
  return (
    <>
      <Carousel label={say('New in the shop', '店内新品')} slides={slides} slideKey={(slide) => slide.en} autoplay>
        {(slide, first) => (
          <Hero
            image={slide.photo}
            title={say(slide.en, slide.zh)}
            priority={first}
            action={<LinkButton href="/clearance">{say('See what is new', '看看新品')}</LinkButton>}
          />
        )}
      </Carousel>
      <Frame>
        <Section
          title={say('New arrivals', '新品上架')}
          more={
            <LinkButton variant="quiet" href="/x">
              {say('See all', '查看全部')}
            </LinkButton>
          }
        >
          <ProductGrid>
            {cards.map((card) => (
              <li key={card.en} className="product-card">
                <div className="product-card-picture">
                  {card.sale && <Badges badges={['SALE']} />}
                  <Picture image={photo(card.photo, card.color)} sizes={gridSizes()} shape="square" alt="" />
                  {card.second && (
                    <Picture
                      image={photo(card.second, card.color)}
                      sizes={gridSizes()}
                      shape="square"
                      alt=""
                      className="product-card-second"
                    />
                  )}
                </div>
                <div className="product-card-text">
                  <a href="#main" className="product-card-name">
                    {say(card.en, card.zh)}
                  </a>
                  <Price priceInfo={card.price} />
                  <span>
                    {card.dots.map((color) => (
                      <Swatch key={color} color={color} />
                    ))}
                  </span>
                </div>
              </li>
            ))}
          </ProductGrid>
        </Section>
        <Breadcrumbs
          items={[
            { label: say('Home', '首页'), href: '/' },
            { label: say('Teaware', '茶具'), href: '/t' },
            { label: say('Teapots', '茶壶') },
          ]}
        />
        <PageHeading
          aside={say('24 products', '24 件商品')}
          lead={say(
            'Pots that pour clean and keep their heat, from studios we know by name.',
            '出水利落、保温持久的茶壶，出自我们熟识的工作室。',
          )}
        >
          {say('Teapots', '茶壶')}
        </PageHeading>
        <p className="row">
          <FilterChip href="/a">{say('Yixing', '宜兴')}</FilterChip>
          <FilterChip href="/b">{say('On sale', '特价')}</FilterChip>
        </p>
        <ProductGridSkeleton count={4} />
        <p>
          <Price priceInfo={price(15840, 19800)} size="large" /> <Button busy>{say('Add to cart', '加入购物车')}</Button>
        </p>
      </Frame>
    </>
  );
}
