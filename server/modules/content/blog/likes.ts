/** Likes (SPEC §5, §6): one a customer or guest session, undone by the same. They do not touch the catalogue version. */
import type { BlogLikes } from '#contract/schemas/blog.ts';
import type { Database, Trx } from '#db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { Session, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { countLike, deleteLike, findLikeable, insertLike, isLiked, likedBy, likedLinks, likesOf } from './likes.repository.ts';

export interface LikedPost {
  blogId: string;
  postId: string;
}

export type LikesService = ReturnType<typeof createLikes>;

export function createLikes({ db, now, attempts }: { db: Database; now: () => number; attempts: RateLimitsService }) {
  async function likeable({ blogId, postId }: LikedPost) {
    const post = await findLikeable(db.read, blogId, postId);
    if (!post) throw notFound();
    return { id: post.id, users: post.enable_user_like === 1, guests: post.enable_guest_like === 1 };
  }

  return {
    /**
     * How many like a post as of now, and whether the caller does.
     * @throws Refusal 404 for a post there is none of, or not yet
     */
    async of(handle: SessionHandle, which: LikedPost): Promise<BlogLikes> {
      const [post, session] = await Promise.all([likeable(which), handle.get()]);
      const [likes, liked] = await Promise.all([
        likesOf(db.read, post.id),
        session ? isLiked(db.read, post.id, likerOf(session)) : false,
      ]);
      return { likes, liked, allowed: allowed(post, session) };
    },

    /**
     * Likes a post, or takes that back; saying it twice is once. A guest gets a session by liking.
     * @throws Refusal 404; AUTHORIZATION_ERROR where only customers may and nobody is signed on; FORBIDDEN
     * where likes are off; RATE_LIMITED for very many guests from one network
     */
    async set(handle: SessionHandle, which: LikedPost, like: boolean, address: string): Promise<BlogLikes> {
      const [post, known] = await Promise.all([likeable(which), handle.get()]);
      const may = allowed(post, known);
      if (may === 'signIn') throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'blog.like.signIn' });
      if (may === 'no') throw new AppError('FORBIDDEN', { errorKey: 'blog.like.off' });
      if (!known && !like) return { likes: await likesOf(db.read, post.id), liked: false, allowed: may };
      if (!known?.customerId) await attempts.count([['likeAddress', networkOf(address)]]);
      return db.transaction(async (trx) => {
        const liker = likerOf(await handle.ensure(trx));
        const changed = like ? await insertLike(trx, post.id, liker, now()) : await deleteLike(trx, post.id, liker);
        if (changed) await countLike(trx, post.id, like ? 1 : -1);
        return { likes: await likesOf(trx, post.id), liked: like, allowed: may };
      });
    },

    /** What a guest liked is the customer's from now on; what both liked counts once. */
    async follow(trx: Trx, sessionHash: string, customerId: string): Promise<void> {
      const guest = likerOf({ idHash: sessionHash, customerId: null });
      const customer = likerOf({ idHash: '', customerId });
      for (const postId of await likedBy(trx, guest)) {
        await deleteLike(trx, postId, guest);
        if (!(await insertLike(trx, postId, customer, now()))) await countLike(trx, postId, -1);
      }
    },

    /** Takes back all a customer liked, who is leaving. */
    async forget(trx: Trx, customerId: string): Promise<void> {
      const customer = likerOf({ idHash: '', customerId });
      for (const postId of await likedBy(trx, customer)) {
        await deleteLike(trx, postId, customer);
        await countLike(trx, postId, -1);
      }
    },

    /** What a customer likes, for them to take away. */
    by: (customerId: string) => likedLinks(db.read, likerOf({ idHash: '', customerId })),
  };
}

function likerOf({ customerId, idHash }: Session): string {
  return customerId === null ? `session:${idHash}` : `customer:${customerId}`;
}

function allowed(post: { users: boolean; guests: boolean }, session: Session | null): BlogLikes['allowed'] {
  if (session?.customerId) return post.users ? 'yes' : 'no';
  if (post.guests) return 'yes';
  return post.users ? 'signIn' : 'no';
}
