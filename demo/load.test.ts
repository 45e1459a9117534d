import { describe, expect, it } from 'vitest';
import { createWorld, forEachEngine } from '#tests/test-app.ts';
import { loadDemo } from './load.ts';

forEachEngine((engine) => {
  describe('the demo shop', () => {
    it('can be loaded again without a change that a shopper would see', async () => {
      const world = await createWorld({ engine, demo: true });
      const look = async () => ({
        list: await world.call('products', { query: { numberToLoad: 48 } }),
        names: await world.call('products', { query: { numberToLoad: 48, sortby: 'name' }, lang: 'zh' }),
        facets: await world.call('productFacets', {}),
        home: await world.call('pageContent', { query: { pageName: 'home' } }),
        mug: await world.call('product', { params: { id: 'speckled-mug' } }),
        stock: await world.call('inventory', { params: { productID: 'speckled-mug' }, query: { optionPair: '#Colour:Oat' } }),
        search: await world.call('productSearch', { params: { nameLike: 'tea' } }),
        blog: await world.call('blogPosts', { params: { storeBlogId: 'maple-and-clay-blog' } }),
        post: await world.call('blogPost', { params: { link: 'choosing-a-gaiwan' }, lang: 'zh' }),
      });
      const terms = () => world.db.read.selectFrom('search_terms').selectAll().orderBy('term').execute();
      const before = [await look(), await terms()];
      await loadDemo(world.services);
      expect([await look(), await terms()]).toEqual(before);
    });

    it('has nothing to leave out', async () => {
      const world = await createWorld({ engine });
      const said: string[] = [];
      await loadDemo(world.services, (problem) => said.push(problem));
      expect(said).toEqual([]);
    });
  });
});
