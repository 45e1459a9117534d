import { describe, expect, it } from 'vitest';
import { clientTokenHeader } from '#contract/limits.ts';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { post, writeBlog } from '#tests/blog.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

let made = 0;

/** A separate blog with one post, which has three likes from before its import. */
async function freshPost(testApp: TestApp, may = { users: true, guests: true }) {
  made += 1;
  const blogId = `notes-${made}`;
  const link = `post-of-${blogId}`;
  // All guests of a test call from one network.
  await testApp.db.transaction(async (trx) => void (await trx.deleteFrom('rate_limits').execute()));
  await writeBlog(testApp, [], may, blogId);
  await testApp.services.blog.editor.upsertPosts([post(testApp, made, { blogId, link, likesBefore: 3 })]);
  const { id } = await testApp.call('blogPost', { params: { link } });
  const params = { storeBlogId: blogId, storeBlogPostId: id };
  const rows = async () =>
    (await testApp.db.read.selectFrom('blog_likes').selectAll().where('post_id', '=', id).execute()).length;
  return {
    link,
    params,
    rows,
    ask: (session: Shopper, like: boolean) =>
      testApp.ask('likeBlogPost', { session, params: { ...params, like: String(like) } }),
    like: (session: Shopper, like = true) =>
      testApp.call('likeBlogPost', { session, params: { ...params, like: String(like) } }),
    look: (session: Shopper) => testApp.call('blogLikes', { session, params }),
    /** The count always equals the imported likes plus the rows. */
    async expectLikes(likes: number) {
      expect(await rows()).toBe(likes);
      expect((await testApp.call('blogLikes', { session: testApp.shopper(), params })).likes).toBe(3 + likes);
    },
  };
}

forEachEngine((engine) => {
  describe('likes of a post', async () => {
    const testApp = await createTestApp({ engine });

    it('a guest’s like counts once, and the guest can undo it', async () => {
      const { like, look, expectLikes } = await freshPost(testApp);
      const [one, other] = [testApp.shopper(), testApp.shopper()];
      expect(await look(one)).toEqual({ likes: 3, liked: false, allowed: 'yes' });
      expect(one.cookies.size).toBe(0);
      expect(await like(one)).toEqual({ likes: 4, liked: true, allowed: 'yes' });
      expect(await like(one)).toEqual({ likes: 4, liked: true, allowed: 'yes' });
      expect((await like(other)).likes).toBe(5);
      await expectLikes(2);
      expect(await look(one)).toMatchObject({ likes: 5, liked: true });
      expect(await like(one, false)).toEqual({ likes: 4, liked: false, allowed: 'yes' });
      expect(await like(one, false)).toMatchObject({ likes: 4, liked: false });
      await expectLikes(1);
    });

    it('an unlike of a guest who never liked changes nothing and starts no session', async () => {
      const { like, expectLikes } = await freshPost(testApp);
      const guest = testApp.shopper();
      expect(await like(guest, false)).toEqual({ likes: 3, liked: false, allowed: 'yes' });
      expect(guest.cookies.size).toBe(0);
      await expectLikes(0);
    });

    it('a customer’s like counts once, on whatever device', async () => {
      const { like, look, expectLikes } = await freshPost(testApp);
      const { session, email } = await register(testApp);
      await like(session);
      const phone = testApp.shopper();
      expect((await signOn(testApp, email, goodPassword, phone)).status).toBe(200);
      expect(await look(phone)).toMatchObject({ likes: 4, liked: true });
      await like(phone);
      await expectLikes(1);
      await like(phone, false);
      expect((await look(session)).liked).toBe(false);
      await expectLikes(0);
    });

    it('a guest’s like does not double when the guest signs in', async () => {
      const { like, look, expectLikes } = await freshPost(testApp);
      const customer = await register(testApp);
      await like(customer.session);
      const device = testApp.shopper();
      await like(device);
      await expectLikes(2);
      await signOn(testApp, customer.email, goodPassword, device);
      expect(await look(device)).toMatchObject({ likes: 4, liked: true });
      await expectLikes(1);
    });

    it('a guest’s like stays when the guest registers', async () => {
      const { like, look, expectLikes } = await freshPost(testApp);
      const guest = testApp.shopper();
      await like(guest);
      const { session, email } = await register(testApp, {}, guest);
      expect((await look(session)).liked).toBe(true);
      await expectLikes(1);
      const elsewhere = testApp.shopper();
      await signOn(testApp, email, goodPassword, elsewhere);
      expect((await look(elsewhere)).liked).toBe(true);
    });

    it('a customer’s likes are in their data export and are deleted with the account', async () => {
      const { link, like, expectLikes } = await freshPost(testApp);
      const { session } = await register(testApp);
      await like(session);
      const { likedPosts } = await testApp.call('accountData', { session });
      expect(likedPosts).toEqual([{ link, likedAt: testApp.clock.now() }]);
      await testApp.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      await expectLikes(0);
    });

    it('concurrent likes are counted correctly', async () => {
      const { like, ask, rows, expectLikes } = await freshPost(testApp);
      const same = testApp.shopper();
      await like(same);
      const others = Array.from({ length: 12 }, () => testApp.shopper());
      await Promise.all([
        ...others.map((each) => like(each)),
        ...Array.from({ length: 6 }, () => like(same)),
      ]);
      await expectLikes(13);
      // Each likes and unlikes at once; whichever is last, the count agrees.
      await Promise.all(others.flatMap((each) => [ask(each, false), ask(each, true), ask(each, false)]));
      await expectLikes(await rows());
    });

    it('a like does not empty the public cache', async () => {
      const { like, params } = await freshPost(testApp);
      const version = await testApp.db.catalogueVersion();
      const list = () => testApp.ask('blogPosts', { params: { storeBlogId: params.storeBlogId } });
      const before = (await list()).headers.etag;
      await like(testApp.shopper());
      expect(await testApp.db.catalogueVersion()).toBe(version);
      expect((await list()).headers.etag).toBe(before);
    });
  });

  describe('permission to like', async () => {
    const testApp = await createTestApp({ engine });

    it.each([
      { users: true, guests: false, guest: [401, 'signIn'], customer: [200, 'yes'] },
      { users: false, guests: true, guest: [200, 'yes'], customer: [403, 'no'] },
      { users: false, guests: false, guest: [403, 'no'], customer: [403, 'no'] },
    ])(
      'a blog decides who may like: customers $users, guests $guests',
      async ({ users, guests, guest, customer }) => {
        const { ask, look, rows } = await freshPost(testApp, { users, guests });
        const somebody = testApp.shopper();
        const { session } = await register(testApp);
        for (const [who, [status, allowed]] of [
          [somebody, guest],
          [session, customer],
        ] as const) {
          const before = await rows();
          expect((await look(who)).allowed).toBe(allowed);
          expect((await ask(who, true)).status).toBe(status);
          expect((await rows()) - before).toBe(status === 200 ? 1 : 0);
        }
      },
    );

    it('a like that another site could have sent is rejected', async () => {
      const { params, expectLikes } = await freshPost(testApp);
      const answer = await testApp.ask('likeBlogPost', {
        params: { ...params, like: 'true' },
        headers: { [clientTokenHeader]: '' },
      });
      expect(answer.status).toBe(403);
      await expectLikes(0);
    });

    it('likes of guests on one network are limited, and those of customers are not', async () => {
      const { ask } = await freshPost(testApp);
      const { session } = await register(testApp);
      const statuses: number[] = [];
      for (let guest = 0; guest < 62; guest++) statuses.push((await ask(testApp.shopper(), true)).status);
      expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
      expect(statuses.at(-1)).toBe(429);
      expect((await ask(session, true)).status).toBe(200);
    });

    it('a like does not reach posts of another blog', async () => {
      const { params } = await freshPost(testApp);
      for (const wrong of [{ storeBlogId: 'other' }, { storeBlogPostId: 'none' }]) {
        const which = { ...params, ...wrong };
        expect((await testApp.ask('blogLikes', { params: which })).status).toBe(404);
        expect((await testApp.ask('likeBlogPost', { params: { ...which, like: 'true' } })).status).toBe(404);
      }
      expect((await testApp.ask('likeBlogPost', { params: { ...params, like: 'maybe' } })).status).toBe(400);
    });
  });
});
